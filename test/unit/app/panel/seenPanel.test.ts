import { beforeEach, describe, expect, it } from 'vitest';
import { contender, now, queueOf } from '../../extension/fixtures.ts';
import { contenderName, FakePast, FakeRecorders, recordingState } from '../clusters/fakeRecorders.ts';
import { PanelUnderTest, wholeView } from './panelUnderTest.ts';

/** Second 0 of what was recorded. */
const start = now - 100_000;
const [first, second, third] = [contenderName(1, 0), contenderName(2, 1), contenderName(3, 2)];

let recorders: FakeRecorders;
let past: FakePast;
let test: PanelUnderTest;
let czxid: bigint;

beforeEach(async () => {
  recorders = new FakeRecorders();
  past = new FakePast(start);
  const gone = past.come(first, 10);
  czxid = past.come(second, 20, 0x200n);
  past.go(first, gone, 50);
  test = new PanelUnderTest(undefined, undefined, recorders);
  await test.open(queueOf([contender(second, { role: 'holder', czxid, createdAt: start + 20_000 })]));
});

describe('the panel of a live lock', () => {
  it('begins with what the recorder has seen, waits included', async () => {
    expect(test.last.history.shown).toBeUndefined();
    recorders.change('orders', recordingState, past.state);
    await test.shows({ history: { whole: { from: start } } });
    expect(test.last.time).toBeUndefined();
    expect(test.last.history).toMatchObject({
      shown: { from: start },
      holds: [
        { name: first, from: start + 10_000, until: start + 50_000, ended: 'unknown' },
        { name: second, from: start + 50_000, recorded: { session: '0x200' } },
      ],
      waits: [{ name: second, from: start + 20_000, until: start + 50_000, ended: 'held' }],
      figures: { hold: { samples: 1, max: 40_000 }, wait: { samples: 1, max: 30_000 } },
    });
    expect(test.last.history.holds[0]?.isEndUnseen).toBeUndefined();
    expect(test.last.history.whole?.to).toBe(test.last.takenAt);
  });

  it('shows soon what comes, though the recorder learns of it later than the panel', async () => {
    recorders.change('orders', recordingState, past.state);
    await test.shows({ history: { holds: [{}, {}] } });
    test.report(queueOf([]));
    await test.pass(100);
    past.go(second, czxid, 90);
    past.apply({ type: 'cause', path: `/locks/a/${second}`, czxid, ended: 'session expired' });
    await test.pass(600);
    expect(test.last.history.holds[1]).toMatchObject({ until: start + 90_000, ended: 'session expired' });
  });

  it('shows the part of the time that the page asks for', async () => {
    recorders.change('orders', recordingState, past.state);
    await test.shows({ history: { holds: [{}, {}] } });
    const timeline = { from: start + 60_000, to: start + 70_000 };
    test.page.say({ type: 'view', view: { ...wholeView, timeline } });
    await test.shows({ history: { shown: timeline, holds: [{ name: second }], waits: [] } });
  });

  it('goes on to show what happens now, if the part that is asked for reaches up to now', async () => {
    recorders.change('orders', recordingState, past.state);
    await test.shows({ history: { holds: [{}, {}] } });
    for (const isWhole of [false, true]) {
      const before = test.last.history.whole!;
      const timeline = isWhole ? before : { from: before.to - 20_000, to: before.to };
      test.page.say({ type: 'view', view: { ...wholeView, timeline } });
      await test.pass(30_000);
      const { shown, whole: grown } = test.last.history;
      expect(shown?.to).toBe(grown?.to);
      expect(shown!.to).toBeGreaterThan(timeline.to);
      expect(shown?.from).toBe(isWhole ? before.from : shown!.to - 20_000);
    }
  });

  it('says what it does not know since nothing was recorded then', async () => {
    past.apply({ type: 'gap', at: past.at(60) });
    recorders.change('orders', recordingState, past.state);
    await test.shows({ history: { unwatched: [{ from: start + 60_000 }] } });
    expect(test.last.history.holds[1]).toMatchObject({ until: start + 60_000, isEndUnseen: true });
    expect(test.last.history.unwatched[0]?.until).toBe(test.last.history.whole?.to);
  });

  it('saves all of it', async () => {
    recorders.change('orders', recordingState, past.state);
    await test.ask({ kind: 'saveHistory', format: 'json' });
    const [, , , text] = test.asked.find(([name]) => name === 'save')!;
    expect(JSON.parse(text as string)).toMatchObject({
      recording: 'orders',
      holds: [{ node: first }, { node: second }],
    });
  });

  it('goes on with what it has seen itself when recording stops', async () => {
    recorders.change('orders', recordingState, past.state);
    await test.shows({ history: { whole: { from: start } } });
    recorders.change('orders', { kind: 'off' }, undefined);
    recorders.known = undefined;
    test.report(queueOf([contender(third, { role: 'holder' })]));
    await test.pass(600);
    expect(test.last.history.shown).toBeUndefined();
    expect(test.last.history.holds.map(({ name }) => name)).toEqual([second, third]);
  });

  it('leaves no listener and no timer behind', async () => {
    recorders.change('orders', recordingState, past.state);
    await test.pass(100);
    test.panel.dispose();
    const { length } = test.page.snapshots;
    past.go(second, czxid, 90);
    recorders.change('orders');
    await test.pass(1_000);
    expect(test.page.snapshots).toHaveLength(length);
  });
});
