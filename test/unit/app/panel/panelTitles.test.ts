import { describe, expect, it } from 'vitest';
import { titleParts, type TitledLock } from '../../../../src/app/panel/panelTitles.ts';

function lock(name: string, cluster: string, directory = '/locks'): TitledLock {
  return { name, cluster, directory };
}

describe('the titles of open panels', () => {
  it.each<[string, TitledLock[], string[][]]>([
    ['name the lock', [lock('payment', 'eu'), lock('orders', 'us')], [['payment'], ['orders']]],
    [
      'name the cluster where two locks have one name, and only there',
      [lock('payment', 'eu'), lock('orders', 'eu'), lock('payment', 'us')],
      [['payment', 'eu'], ['orders'], ['payment', 'us']],
    ],
    [
      'name the directory where two locks of one cluster have one name',
      [lock('payment', 'eu', '/a'), lock('payment', 'eu', '/b'), lock('payment', 'us', '/a')],
      [
        ['payment', 'eu', '/a'],
        ['payment', 'eu', '/b'],
        ['payment', 'us'],
      ],
    ],
  ])('%s', (_, open, expected) => {
    expect(titleParts(open)).toEqual(expected);
  });
});
