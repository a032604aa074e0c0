import { expect, it } from 'vitest';
import { LockTable } from '../../../../src/app/clusters/lockTable.ts';
import { seededRandom } from '../../../support/seededRandom.ts';

interface Lock {
  readonly path: string;
  readonly place: number;
}

const paths = ['/a', '/b', '/c', '/d'];
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

it.each([1, 2, 3])('finds the locks of a path as a walk over all does, whatever came and went (seed %i)', seed => {
  const random = seededRandom(seed);
  const table = new LockTable<Lock>();
  const known: Lock[] = [];
  for (let place = 0; place < 2_000; place++) {
    const key = random.pick(keys);
    // Some under another key or path than before.
    const lock = known.length > 0 && random.below(3) === 0 ? random.pick(known) : { path: random.pick(paths), place };
    known.push(lock);
    const choice = random.below(100);
    if (choice === 0) table.clear();
    else if (choice < 40) table.delete(key);
    else table.set(key, lock);
    for (const path of paths) expect(table.at(path)).toEqual([...table.values()].filter(each => each.path === path));
  }
});

it('keeps the place of a key that gets another lock of its path, as a map does', () => {
  const table = new LockTable<Lock>();
  table.set('1', { path: '/a', place: 1 }).set('2', { path: '/a', place: 2 }).set('1', { path: '/a', place: 3 });
  expect(table.at('/a').map(({ place }) => place)).toEqual([3, 2]);
});

it('gives a list that stays as it is', () => {
  const table = new LockTable<Lock>();
  table.set('1', { path: '/a', place: 1 });
  const before = table.at('/a');
  table.set('2', { path: '/a', place: 2 });
  expect(before).toHaveLength(1);
});
