import { expect, it } from 'vitest';
import { lockPast } from '../../../../src/app/recordings/lockPast.ts';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { at, FakeRecording, holdOf, waitOf } from './fakeRecording.ts';

const changes = Array.from({ length: 98 }, (_, index) => ({ at: index + 3 }));
const m = (second: number) => at(BigInt(second), second);

/** `a` holds until its session expires at 30 s; `b` gets it at 40 s; `c` waits all the time, `d` for another lock of the directory. */
function recorded(): FakeRecording {
  const recording = new FakeRecording(changes);
  recording.allHolds = [
    holdOf('a', m(5), m(30), { ownerSession: 0xan, ended: 'session expired' }),
    holdOf('b', m(40), undefined, { ownerSession: 0xbn, queued: m(10) }),
    holdOf('d', m(5), undefined, { ownerSession: 0xdn, lockName: 'other' }),
  ];
  recording.allWaits = [waitOf('c', m(20), undefined, { ownerSession: 0xcn })];
  recording.allSessions.set(0xan, { ended: m(30), how: 'expired' });
  recording.allSessions.set(0xbn, { ended: m(90), how: 'closed' });
  recording.allSessions.set(0xdn, { ended: m(31), how: 'expired' });
  return recording;
}

const lock = { path: '/locks/a' };

it('is what happened to one lock, in one span', () => {
  const past = atOnce(lockPast(recorded(), lock, { from: m(25), to: m(50) }));
  expect(past.holds.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(past.waits.map(({ name }) => name)).toEqual(['c']);
  expect(past.longest.map(({ contender }) => contender.name)).toEqual(['c', 'b']);
  expect(past.unheld).toEqual([{ from: m(30), to: m(40) }]);
  expect(past.expired.map(({ id }) => id)).toEqual([0xan]);
});

it('has the waits of the span whose contender got the lock after it', () => {
  const past = atOnce(lockPast(recorded(), lock, { from: m(12), to: m(25) }));
  expect(past.longest.map(({ contender, gotIt }) => [contender.name, gotIt])).toEqual([
    ['c', false],
    ['b', true],
  ]);
  expect(
    atOnce(lockPast(recorded(), lock, { from: m(50), to: m(60) })).longest.map(({ contender }) => contender.name),
  ).toEqual(['c']);
});

it('names only the sessions that expired in the span', () => {
  expect(atOnce(lockPast(recorded(), lock, { from: m(31), to: m(50) })).expired).toEqual([]);
});

it.each([
  ['in a gap', (recording: FakeRecording) => (recording.gaps = [{ from: m(29), to: m(41), why: 'missing' }])],
  ['before the picture is sure', (recording: FakeRecording) => (recording.sureFrom = m(45))],
])('claims no span without a holder %s', (_, doubt) => {
  const recording = recorded();
  doubt(recording);
  expect(atOnce(lockPast(recording, lock, { from: m(3), to: m(100) })).unheld).toEqual([]);
});
