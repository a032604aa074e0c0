import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { lockOf, openAgain, readSavedLock, type SavedLock } from '../../../../src/app/panel/savedLock.ts';
import { LogFolderError } from '../../../../src/app/recordings/logFolderError.ts';
import { openRecording } from '../../../../src/app/recordings/openRecording.ts';
import type { OpenedRecording } from '../../../../src/app/recordings/openRecordings.ts';
import { at, FakeRecording, holdOf } from '../recordings/fakeRecording.ts';
import { PanelUnderTest, wholeView } from './panelUnderTest.ts';
import { realInspector } from './realInspector.ts';

const first = '_c_11111111-1111-1111-1111-111111111111-lock-0000000000';
const second = '_c_22222222-2222-2222-2222-222222222222-lock-0000000001';
const changes = [{ at: 0 }, { at: 10, put: first }, { at: 20, put: second, owner: 0x200n }, { at: 60, drop: first }];

let opened: OpenedRecording;
let panel: PanelUnderTest;

beforeEach(() => {
  const recording = new FakeRecording(changes);
  recording.allHolds = [holdOf(first, at(4n, 10), at(6n, 60))];
  opened = openRecording(recording, '/logs/version-2', {
    nameOf: () => 'night',
    every: () => toDisposable(() => undefined),
    now: () => 0,
    wallNow: () => 0,
    logger: nullLogger,
  });
  panel = new PanelUnderTest(realInspector, opened);
});

/** What the page has been given to keep last. */
function kept(): SavedLock {
  const last = panel.page.sent.findLast(message => message.type === 'texts' || message.type === 'keep');
  const saved = readSavedLock(last?.lock);
  if (saved === undefined) throw new Error('Nothing was kept.');
  return saved;
}

async function show(): Promise<void> {
  panel.page.say({ type: 'ready', view: wholeView });
  await panel.pass(200);
}

/** The window is loaded again: the recording is in no list. */
async function comeBack(saved: SavedLock): Promise<void> {
  panel.isListed = false;
  panel.openOn(lockOf({ get: () => undefined }, saved), saved.recording);
  await show();
}

const finish = (): Promise<OpenedRecording> => {
  panel.isListed = true;
  return Promise.resolve(opened);
};

describe('the panel of a recording', () => {
  it('keeps which files it is of, and the moment: the newest, and none that only passes by', async () => {
    await show();
    opened.time.moveTo({ time: 25_000 });
    await panel.pass(200);
    const recording = { kind: 'logs', path: '/logs/version-2', at: { zxid: '0x5', time: 25_000 } };
    expect(kept()).toMatchObject({ path: '/locks/a', recording });
    opened.time.play(10);
    await panel.pass(200);
    expect(kept().recording).toEqual(recording);
    opened.time.follow(true);
    await panel.pass(200);
    expect(kept().recording).toEqual({ kind: 'logs', path: '/logs/version-2' });
  });

  it('reads its files again after a reload, says how far it is, and shows the same lock at the same moment', async () => {
    await show();
    opened.time.moveTo({ time: 25_000 });
    await panel.pass(200);
    const saved = kept();
    opened.time.moveTo({ zxid: 6n });
    let go: (read: OpenedRecording) => void = () => undefined;
    panel.reading = () => new Promise(resolve => (go = resolve));
    await comeBack(saved);
    expect(panel.last).toMatchObject({
      status: { state: 'loading', text: 'Reading /logs/version-2: 25 %' },
      lock: { isReadOnly: true },
    });
    expect(kept()).toEqual(saved);
    go(await finish());
    await panel.shows({ status: { state: 'recorded' }, takenAt: 25_000, totals: { holders: 1, waiters: 1 } });
    expect(panel.last).toMatchObject({ time: { at: 25_000, zxid: '0x5' }, lock: { isRemoved: false } });
    expect(panel.asked.filter(([what]) => what === 'read')).toEqual([
      ['read', { kind: 'logs', path: '/logs/version-2' }],
    ]);
    expect(panel.clients).toEqual([]);
  });

  it('says that its files are gone and what to do, and tries again when asked', async () => {
    await show();
    panel.reading = () => Promise.reject(new LogFolderError('/logs/version-2', 'missing'));
    await comeBack(kept());
    expect(panel.last.status).toMatchObject({
      state: 'unconnected',
      text: expect.stringMatching(/no folder "\/logs\/version-2".*Choose the folder/u) as string,
      canOpen: true,
    });
    panel.reading = finish;
    await panel.ask({ kind: 'reconnect' });
    await panel.shows({ status: { state: 'recorded' } });
  });

  it('reads nothing before the workspace is trusted', async () => {
    await show();
    panel.isTrusted = false;
    panel.reading = finish;
    await comeBack(kept());
    expect(panel.asked).toEqual([]);
    expect(panel.last.status).toMatchObject({
      state: 'unconnected',
      text: expect.stringContaining('restricted mode') as string,
    });
    panel.isTrusted = true;
    panel.reopenings.trust();
    await panel.shows({ status: { state: 'recorded' } });
  });

  it('does not open by itself what the person has closed', async () => {
    await show();
    panel.isListed = false;
    panel.registryChanged.fire(undefined);
    await panel.shows({ status: { state: 'failed', text: 'This recording is no longer in the list.', canOpen: true } });
    expect(kept().recording).toMatchObject({ isClosed: true });
    await comeBack(kept());
    expect(panel.last.status).toMatchObject({ state: 'unconnected', canOpen: true });
    expect(panel.asked).toEqual([]);
    panel.reading = finish;
    await panel.ask({ kind: 'reconnect' });
    await panel.shows({ status: { state: 'recorded' } });
  });

  it('follows the recording when that is opened again by a command', async () => {
    await show();
    const saved = kept();
    panel.reading = () => new Promise(() => undefined);
    await comeBack(saved);
    await finish();
    panel.registryChanged.fire(undefined);
    await panel.shows({ status: { state: 'recorded' } });
    const { listeners } = panel;
    panel.panel.dispose();
    expect(panel.listeners).toBeLessThan(listeners);
  });
});

describe('what is kept of a recording', () => {
  const saved = { cluster: 'recording-1', clusterName: 'night', path: '/locks/a', dialect: 'kazoo' };

  it.each([
    { kind: 'logs', path: '/logs' },
    { kind: 'incident', path: '/a.zkincident', at: { zxid: '0xffffffffffffffff', time: 1.5 }, isClosed: true },
  ])('is read as it was written: %j', recording => {
    expect(readSavedLock(JSON.parse(JSON.stringify({ ...saved, recording })))).toEqual({ ...saved, recording });
  });

  it.each([7, {}, { kind: 'log', path: '/a' }, { kind: 'logs', path: 'a' }, { kind: 'logs', path: '' }])(
    'is no lock with %j',
    recording => {
      expect(readSavedLock({ ...saved, recording })).toBeUndefined();
    },
  );

  it.each([{ zxid: '5', time: 1 }, { zxid: '0x5' }, { zxid: '0x11112222333344445', time: 1 }, 'now'])(
    'has no moment with %j',
    moment => {
      const recording = { kind: 'logs', path: '/logs', at: moment };
      expect(readSavedLock({ ...saved, recording })?.recording).toEqual({ kind: 'logs', path: '/logs' });
    },
  );

  it('keeps a zxid of 64 bits with its sign', () => {
    const open = vi.fn();
    openAgain({ open }, { kind: 'logs', path: '/a', at: { zxid: '0xffffffffffffffff', time: 1 } });
    expect(open).toHaveBeenCalledWith({ kind: 'logs', path: '/a' }, { zxid: -1n, time: 1 });
  });
});
