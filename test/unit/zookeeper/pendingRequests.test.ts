import { expect, it } from 'vitest';
import { PendingRequests, type PendingRequest } from '../../../src/zookeeper/pendingRequests.ts';

function entry(xid: number, sentAt = xid): PendingRequest {
  return {
    request: { opcode: 4, operation: 'getData', path: '/', isWrite: false, write: () => undefined },
    xid,
    sentAt,
    settled: false,
    resolve: () => undefined,
    reject: () => undefined,
  };
}

it('gives back what was put in, in order, however many there are', () => {
  const queue = new PendingRequests();
  let next = 1;
  for (let round = 0; round < 50; round++) {
    for (let added = 0; added < 100; added++) queue.push(entry(round * 100 + added + 1));
    for (let taken = 0; taken < 97; taken++) expect(queue.shift()?.xid).toBe(next++);
  }
  expect(queue.size).toBe(150);
  expect(queue.takeAll().map(each => each.xid)).toEqual(Array.from({ length: 150 }, (_, index) => next + index));
  expect(queue.size).toBe(0);
  expect(queue.shift()).toBeUndefined();
});

it('names the overdue that are not settled and lets them keep their place', () => {
  const queue = new PendingRequests();
  const entries = [1, 2, 3, 4].map(xid => entry(xid, xid * 10));
  for (const each of entries) queue.push(each);
  entries[1]!.settled = true;
  expect(queue.overdue(10)).toEqual([]);
  expect(queue.overdue(31).map(each => each.xid)).toEqual([1, 3]);
  expect(queue.size).toBe(4);
  expect(queue.shift()?.xid).toBe(1);
});
