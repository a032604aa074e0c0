import { describe, expect, it } from 'vitest';
import { applyQueues, ensureLock } from '../../../../src/app/clusters/lockCatalogue.ts';
import { labelOf, labelsOf } from '../../../../src/app/clusters/lockLabels.ts';
import { clusterNode, lockNode, queueWith } from '../../extension/fixtures.ts';

/** The names of locks at these paths, which may have a name within it after a colon. */
function namesOf(...paths: string[]): string[] {
  const cluster = clusterNode();
  for (const path of paths) {
    const [directory = '', lockName] = path.split(':');
    ensureLock(cluster, directory, lockName, 'curator');
  }
  return [...cluster.locks.values()].map(lock => labelOf(lock).name);
}

describe('the label of a lock', () => {
  it.each([
    [
      ['/platform/eu/payment', '/platform/eu/orders'],
      ['payment', 'orders'],
    ],
    [
      ['/platform/eu/payment/lock', '/platform/eu/orders/lock'],
      ['payment/lock', 'orders/lock'],
    ],
    [['/platform/eu/payment/lock'], ['payment/lock']],
    [['/payment/locks/Lock'], ['payment/locks/Lock']],
    [
      ['/eu/payment', '/us/payment', '/us/orders'],
      ['eu/payment', 'us/payment', 'orders'],
    ],
    [
      ['/pay', '/eu/pay'],
      ['pay', 'eu/pay'],
    ],
    [['/locks'], ['locks']],
    [
      ['/locks:invoice', '/locks:orders', '/old:orders'],
      ['invoice', 'locks/orders', 'old/orders'],
    ],
    [['/semaphore:leases'], ['semaphore/leases']],
    [['/'], ['/']],
  ])('%j has as many segments as it needs: %j', (paths, names) => {
    expect(namesOf(...paths)).toEqual(names);
  });

  it('leaves over the directory that it is below', () => {
    const directories = ['/a/b/lock', '/c', '/'].map(
      path => labelOf(lockNode(undefined, clusterNode(), path)).directory,
    );
    expect(directories).toEqual(['/a', '/', '/']);
  });

  it('changes when another lock comes or goes, and is worked out once until then', () => {
    const cluster = clusterNode();
    const lock = lockNode(undefined, cluster, '/eu/pay');
    const alone = labelOf(lock);
    expect(labelOf(lock)).toBe(alone);
    ensureLock(cluster, '/us/pay', undefined, 'curator');
    expect(labelOf(lock).name).toBe('eu/pay');
    applyQueues(cluster, '/us/pay', [{ ...queueWith(0), lockName: 'a' }]);
    expect(labelOf(lock).name).toBe('pay');
  });

  it('is different for 10,000 locks that differ in the middle of their paths only', () => {
    const cluster = clusterNode();
    for (let index = 0; index < 10_000; index++) {
      ensureLock(cluster, `/platform/region-${String(index)}/service/lock`, undefined, 'curator');
    }
    const names = [...labelsOf(cluster.locks.values()).values()].map(({ name }) => name);
    expect(new Set(names).size).toBe(10_000);
    expect(names[7]).toBe('region-7/service/lock');
  });
});
