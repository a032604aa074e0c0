import { describe, expect, it } from 'vitest';
import { SessionTable } from '../../../src/dataTree/sessionTable.ts';

const tick = 100;

it('sessions get ids one after the other', () => {
  const table = new SessionTable(tick, 5n);
  expect([table.open(10, 0), table.open(10, 0)].map(({ sessionId }) => sessionId)).toEqual([5n, 6n]);
  expect(table.get(6n)?.timeoutMs).toBe(10);
  expect([table.size, [...table.all].length]).toEqual([2, 2]);
});

it.each([
  [0, 250, 300],
  [0, 300, 400],
  [99, 1, 200],
  [100, 99, 200],
])('opened at %i with a time-out of %i ms a session ends at %i', (now, timeoutMs, end) => {
  const table = new SessionTable(tick, 1n);
  const session = table.open(timeoutMs, now);
  expect([session.expiresAt, table.nextExpiry]).toEqual([end, end]);
  expect(table.overdue(end - 1)).toEqual([]);
  expect(table.overdue(end)).toEqual([session]);
  // It stays until it is closed.
  expect(table.overdue(end)).toEqual([session]);
});

it('a sign of life moves a session to a later tick, and its bucket goes with the last one', () => {
  const table = new SessionTable(tick, 1n);
  const [one, other] = [table.open(200, 0), table.open(200, 0)];
  table.touch(one, 50);
  expect(one.expiresAt).toBe(300);
  table.touch(one, 150);
  expect([one.expiresAt, other.expiresAt, table.nextExpiry]).toEqual([400, 300, 300]);
  table.close(other);
  expect([table.nextExpiry, table.overdue(399), table.overdue(400)]).toEqual([400, [], [one]]);
  table.close(one);
  expect([table.nextExpiry, table.size, table.get(1n)]).toEqual([undefined, 0, undefined]);
});

describe('a time-out that was negotiated once more', () => {
  it('counts from the next sign of life, in both directions', () => {
    const table = new SessionTable(tick, 1n);
    const session = table.open(1_000, 0);
    session.timeoutMs = 200;
    table.touch(session, 10);
    expect([session.expiresAt, table.nextExpiry]).toEqual([300, 300]);
  });
});
