import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable, type Disposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { MovingTime } from '../../../../src/app/recordings/movingTime.ts';
import { RecordedSightings } from '../../../../src/app/recordings/recordedSightings.ts';
import { at, FakeRecording, holdOf, waitOf } from '../recordings/fakeRecording.ts';
import { PanelUnderTest, wholeView } from './panelUnderTest.ts';
import { realInspector } from './realInspector.ts';

/** The first one holds from 10 s to 60 s, when another session deletes it; the second one waits from 20 s on. */
const first = '_c_11111111-1111-1111-1111-111111111111-lock-0000000000';
const second = '_c_22222222-2222-2222-2222-222222222222-lock-0000000001';
const changes = [{ at: 0 }, { at: 10, put: first }, { at: 20, put: second, owner: 0x200n }, { at: 60, drop: first }];

let recording: FakeRecording;
let time: MovingTime;
let test: PanelUnderTest;
let frames: { callback: () => void }[];
let clock: number;

const every = (callback: () => void): Disposable => {
  const frame = { callback };
  frames.push(frame);
  return toDisposable(() => (frames = frames.filter(other => other !== frame)));
};

beforeEach(() => {
  frames = [];
  clock = 0;
  recording = new FakeRecording(changes);
  recording.allHolds = [
    holdOf(first, at(4n, 10), at(6n, 60), { ended: 'deleted by another session', endedBy: 0xbeefn }),
    holdOf(second, at(6n, 60), undefined, { queued: at(5n, 20), czxid: 5n, ownerSession: 0x200n }),
  ];
  recording.allWaits = [waitOf('gone', at(4n, 12), at(5n, 18), { ended: 'session expired' })];
  time = new MovingTime(recording, '/logs', { every, now: () => clock, logger: nullLogger });
  const sightings = new RecordedSightings(time, () => test.clock);
  test = new PanelUnderTest(realInspector, { time, sightings });
});

const holders = (): string[] => test.last.answer.holders.map(({ name }) => name);

describe('the panel of a recording', () => {
  it('shows the moment, and the whole life of the lock', async () => {
    await test.open();
    await test.shows({ status: { state: 'recorded' } });
    expect(test.last).toMatchObject({
      takenAt: 60_000,
      time: { from: 0, to: 60_000, at: 60_000, zxid: '0x6', speed: 0, isFollowing: false, isSure: true, gaps: [] },
      history: {
        shown: { from: 0, to: 60_000 },
        holds: [
          { name: first, from: 10_000, until: 60_000, ended: 'deleted by another session', recorded: { zxid: '0x4' } },
          { name: second, from: 60_000 },
        ],
        waits: [
          { name: 'gone', from: 12_000, until: 18_000, ended: 'session expired' },
          { name: second, from: 20_000, until: 60_000, ended: 'held' },
        ],
      },
    });
    expect(test.last.history.holds[0]?.endedBy).toContain('0xbeef');
    expect(holders()).toEqual([second]);
  });

  it('goes to a time, a transaction, a hand-over and a session end', async () => {
    recording.allSessions.set(0x200n, { ended: at(5n, 20), how: 'closed' });
    await test.open();
    await test.ask({ kind: 'moveTo', to: { time: 15_000 } });
    await test.shows({ time: { at: 15_000, zxid: '0x4' }, totals: { contenders: 1 } });
    expect(test.last.answer.holders).toMatchObject([{ name: first, heldSince: { earliest: 10_000, latest: 10_000 } }]);
    await test.ask({ kind: 'moveTo', to: { zxid: '0x5' } });
    await test.shows({ time: { at: 20_000, zxid: '0x5' }, totals: { contenders: 2 } });
    await test.ask({ kind: 'step', what: 'hand-over', direction: 1 });
    await test.shows({ time: { at: 60_000 }, totals: { contenders: 1 } });
    expect(holders()).toEqual([second]);
    await test.ask({ kind: 'step', what: 'hand-over', direction: -1 });
    await test.shows({ time: { at: 10_000 } });
    expect(await test.ask({ kind: 'step', what: 'hand-over', direction: -1 })).toMatchObject({ outcome: 'failed' });
    expect(test.last.time?.at).toBe(10_000);
  });

  it('plays, and stops at the end', async () => {
    await test.open();
    await test.ask({ kind: 'play', speed: 10 });
    await test.shows({ time: { speed: 10, at: 0 }, status: { state: 'empty' } });
    clock = 1_500;
    for (const { callback } of [...frames]) callback();
    await test.shows({ time: { speed: 10, at: 15_000 }, status: { state: 'recorded' } });
    await test.ask({ kind: 'pause' });
    await test.shows({ time: { speed: 0, at: 15_000 } });
    await test.ask({ kind: 'follow', isWanted: true });
    await test.shows({ time: { isFollowing: true, at: 60_000 } });
  });

  it('never shows the queue of one moment with the time of another', async () => {
    await test.open();
    await test.shows({ status: { state: 'recorded' } });
    const before = test.page.snapshots.length;
    for (const moment of [5_000, 15_000, 25_000, 60_000, 12_000, 21_000]) {
      time.moveTo({ time: moment });
      await test.pass(30);
    }
    await test.shows({ time: { at: 21_000 } });
    for (const { time: bar, totals } of test.page.snapshots.slice(before)) {
      expect(totals.contenders).toBe({ '0x3': 0, '0x4': 1, '0x5': 2, '0x6': 1 }[bar?.zxid ?? '']);
    }
  });

  it('stays at a moment that it is back at before another one was read', async () => {
    await test.open();
    time.moveTo({ time: 15_000 });
    await test.shows({ time: { at: 15_000 } });
    const read = recording.at.bind(recording);
    let release = (): void => undefined;
    const isReleased = new Promise<void>(resolve => (release = resolve));
    recording.at = instant => Object.assign(read(instant), { beforeReply: () => isReleased });
    time.moveTo({ time: 25_000 });
    await test.pass(200);
    time.moveTo({ time: 15_000 });
    release();
    // Until everything that was asked for is answered.
    for (let turn = 0; turn < 20; turn++) await test.pass(200);
    expect(test.last).toMatchObject({ time: { at: 15_000, zxid: '0x4' }, totals: { contenders: 1 } });
    expect(holders()).toEqual([first]);
  });

  it('has its marks, even where its row is behind, which is read no more', async () => {
    recording.coming = [{ at: 9_000 }];
    await test.open();
    test.lock.isBehind = true;
    await test.ask({ kind: 'follow', isWanted: true });
    await test.shows({ time: { at: 9_000_000 } });
    expect(test.last.table.rows.map(({ marks }) => marks)).toEqual([['longHeld']]);
  });

  it('says that there was no lock, where there was none', async () => {
    await test.open();
    await test.ask({ kind: 'moveTo', to: { time: 1_000 } });
    await test.shows({ status: { state: 'empty' }, time: { at: 1_000 } });
  });

  it('says where a moment is not sure, and why', async () => {
    recording.gaps = [{ from: at(4n, 10), to: at(5n, 20), why: 'missing' }];
    await test.open();
    await test.ask({ kind: 'moveTo', to: { time: 15_000 } });
    await test.shows({ time: { at: 15_000, isSure: false, gaps: [{ from: 10_000, to: 20_000 }] } });
    expect(test.last.time?.gaps[0]?.why).not.toBe('');
    expect(test.last.history.unwatched).toEqual([{ from: 10_000, until: 20_000 }]);
  });

  it('has the gaps of the part of the time that is shown, however many there were before', async () => {
    const early = Array.from({ length: 150 }, () => ({ from: at(3n, 0), to: at(4n, 10), why: 'missing' }) as const);
    recording.gaps = [...early, { from: at(5n, 20), to: at(6n, 60), why: 'damaged' }];
    await test.open();
    test.page.say({ type: 'view', view: { ...wholeView, timeline: { from: 15_000, to: 30_000 } } });
    await test.shows({ history: { shown: { from: 15_000, to: 30_000 } } });
    expect(test.last.history.unwatched).toEqual([{ from: 20_000, until: 60_000 }]);
  });

  it('shows the part of the time that the page asks for', async () => {
    await test.open();
    test.page.say({ type: 'view', view: { ...wholeView, timeline: { from: 15_000, to: 30_000 } } });
    await test.shows({ history: { shown: { from: 15_000, to: 30_000 } } });
    expect(test.last.history.holds.map(({ name }) => name)).toEqual([first]);
  });

  it('saves what is recorded of the lock', async () => {
    await test.open();
    await test.ask({ kind: 'saveHistory', format: 'json' });
    const [, , , text] = test.asked.find(([name]) => name === 'save') as string[];
    const file = JSON.parse(text ?? '') as { holds: { ended?: string }[]; waits: unknown[] };
    expect(file.holds.map(({ ended }) => ended)).toEqual(['deleted by another session', undefined]);
    expect(file.waits).toHaveLength(1);
  });

  it('shows what a running server adds', async () => {
    await test.open();
    recording.coming = [{ at: 90, drop: second }];
    recording.allHolds = [
      recording.allHolds[0]!,
      { ...recording.allHolds[1]!, to: at(7n, 90), ended: 'session expired' },
    ];
    await test.ask({ kind: 'follow', isWanted: true });
    await test.shows({ time: { to: 90_000, at: 90_000 }, history: { shown: { to: 90_000 } } });
    expect(test.last.history.holds[1]).toMatchObject({ until: 90_000, ended: 'session expired' });
    expect(test.last.status.state).toBe('empty');
  });

  it('keeps the last picture when the recording is closed, and says so', async () => {
    await test.open();
    await test.shows({ status: { state: 'recorded' } });
    test.isListed = false;
    test.registryChanged.fire(undefined);
    await test.shows({ status: { state: 'failed' }, lock: { isRemoved: true } });
    expect(holders()).toEqual([second]);
    for (const intent of [
      { kind: 'moveTo', to: { time: 15_000 } },
      { kind: 'step', what: 'hand-over', direction: -1 },
      { kind: 'play', speed: 10 },
      { kind: 'follow', isWanted: true },
    ] as const) {
      expect(await test.ask(intent)).toMatchObject({ outcome: 'failed' });
    }
    expect([time.moment.time, time.speed, time.isFollowing]).toEqual([60_000, 0, false]);
  });

  it('follows nothing while its page is hidden, and shows the moment when it is back', async () => {
    await test.open();
    test.page.show(false);
    await test.pass(1_000);
    const sent = test.page.sent.length;
    time.moveTo({ time: 15_000 });
    await test.pass(1_000);
    expect(test.page.sent.length).toBe(sent);
    test.page.show(true);
    test.page.say({ type: 'ready', view: wholeView });
    await test.shows({ time: { at: 15_000 } });
    expect(holders()).toEqual([first]);
  });

  it('says what failed, and shows the next moment that can be read', async () => {
    await test.open();
    const read = recording.at.bind(recording);
    recording.at = () => {
      throw new Error('closed');
    };
    await test.ask({ kind: 'moveTo', to: { time: 15_000 } });
    await test.shows({ status: { state: 'failed' } });
    recording.at = read;
    await test.ask({ kind: 'moveTo', to: { time: 25_000 } });
    await test.shows({ status: { state: 'recorded' }, time: { at: 25_000 } });
  });
});
