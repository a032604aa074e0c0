import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../src/base/logger.ts';
import { textReport } from '../../../../src/base/textReport.ts';
import type { Report } from '../../../../src/base/report.ts';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import { recordingCommands } from '../../../../src/extension/commands/recordingCommands.ts';
import type { RecordingParts } from '../../../../src/extension/commands/registerRecordings.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { readScenario } from '../../../../src/scenario/readScenario.ts';
import { runScenario } from '../../../../src/scenario/runScenario.ts';
import { onSandbox } from '../../../../src/scenario/scenarioCluster.ts';
import { at, FakeRecording, holdOf, waitOf } from '../../app/recordings/fakeRecording.ts';
import { realInspector } from '../../app/panel/realInspector.ts';
import { shown, window, workspace } from '../fakeVscode.ts';
import { playInputs } from '../dialogs/scriptedInput.ts';
import { browserParts } from '../fixtures.ts';

const opened = vi.hoisted(() => ({ openLogs: vi.fn() }));
vi.mock('../../../../src/replay/openLogs.ts', () => opened);
vi.mock('vscode', () => import('../fakeVscode.ts'));

const m = (second: number) => at(BigInt(second), second);

let recording: FakeRecording;
let recordings: OpenRecordings;
let registry: ClusterRegistry;
let parts: RecordingParts;
let revealed: string[];
let reports: Report[];
let selected: unknown;

const cluster = (): ClusterNode => registry.all[0]!.node;
const run = (name: keyof typeof recordingCommands, argument?: unknown) => recordingCommands[name](parts, argument);
const open = (folder = '/logs/version-2') => run('openLogs', { scheme: 'file', fsPath: folder });

beforeEach(() => {
  recording = new FakeRecording(Array.from({ length: 98 }, (_, index) => ({ at: index + 3 })));
  recording.allHolds = [
    holdOf('a', m(5), m(30), { ownerSession: 0xan, ended: 'session expired' }),
    holdOf('b', m(40), undefined, { ownerSession: 0xbn, queued: m(10) }),
    holdOf('c', m(70), undefined, { path: '/locks/other' }),
  ];
  recording.allWaits = [waitOf('w', m(20), m(25), { path: '/locks/other' })];
  recording.allSessions.set(0xan, { ended: m(30), how: 'expired' });
  opened.openLogs.mockReset().mockImplementation(() => Promise.resolve(recording));
  [revealed, reports, selected] = [[], [], undefined];
  recordings = new OpenRecordings(nullLogger);
  registry = new ClusterRegistry(
    [recordings],
    browserParts({
      openSession: profile => Promise.resolve(recordings.get(profile.id)!.openSession()),
      recorded: ({ id }) => recordings.get(id),
      loadInspector: () => Promise.resolve(realInspector),
    }),
  );
  const view = {
    get selected() {
      return selected;
    },
    revealCluster: () => Promise.resolve(void revealed.push('cluster')),
    revealLock: (_: unknown, lock: { path: string }) => Promise.resolve(void revealed.push(lock.path)),
  } as unknown as RecordingParts['view'];
  const reporter = { inform: () => undefined } as unknown as RecordingParts['reporter'];
  const targets = new Targets(registry, view, reporter);
  const texts = {
    showReport: (_: string, report: Report) => Promise.resolve(void reports.push(report)),
  } as unknown as RecordingParts['texts'];
  const recorders = {} as unknown as RecordingParts['recorders'];
  parts = { registry, recordings, recorders, targets, view, reporter, texts, logger: nullLogger };
});

afterEach(async () => {
  await registry.close();
  await recordings.closeAll();
});

describe('Open Transaction Logs', () => {
  it('adds a row, connected and revealed', async () => {
    await open();
    expect(cluster()).toMatchObject({ connection: { kind: 'connected' }, profile: { isRecording: true } });
    expect(cluster().profile.name).toContain('version-2');
    expect(revealed).toEqual(['cluster']);
  });

  it('reveals the row of a folder that is open', async () => {
    await open('/logs/version-2');
    await open('/logs/../logs/version-2/');
    expect([registry.all.length, revealed.length, opened.openLogs.mock.calls.length]).toEqual([1, 2, 1]);
  });

  it('asks for the folder where none was given', async () => {
    playInputs([], ['/logs/picked']);
    await run('openLogs');
    expect(cluster().profile.name).toContain('picked');
    playInputs([], [undefined]);
    await expect(run('openLogs')).rejects.toMatchObject({ name: 'CancelledError' });
  });

  it('reads no folder that is not on the disk', async () => {
    await expect(run('openLogs', { scheme: 'vscode-vfs', fsPath: '/x' })).rejects.toThrow();
    expect(opened.openLogs).not.toHaveBeenCalled();
  });

  it('adds nothing when reading fails', async () => {
    opened.openLogs.mockRejectedValue(new Error('no permission'));
    await expect(open()).rejects.toThrow('no permission');
    expect(registry.all).toEqual([]);
  });
});

it('Close Recording takes the row away and closes the files', async () => {
  await open();
  await run('closeRecording');
  expect([registry.all, recording.isClosed]).toEqual([[], true]);
});

describe('the moment', () => {
  it.each([
    ['previousHandOver', m(70), 'c gets /locks/other'],
    ['previousSessionEnd', m(30), 'session 0xa expires'],
  ] as const)('%s goes there, and says what happens then', async (command, moment, news) => {
    await open();
    await run(command);
    expect(cluster().time?.moment).toEqual(moment);
    expect(shown.at(-1)).toContain(news);
  });

  it('steps by the lock whose menu was used, but not by the one that is selected', async () => {
    await open();
    const lock = await registry.all[0]!.open('/locks/a');
    await run('previousHandOver', lock);
    expect(cluster().time?.moment).toEqual(m(40));
    selected = lock;
    await run('nextHandOver');
    expect(cluster().time?.moment).toEqual(m(70));
  });

  it('says where there is no further step', async () => {
    await open();
    await expect(run('nextHandOver')).rejects.toThrow('No lock is handed over after this moment.');
  });

  it('goes to what was typed, and refuses what is no instant', async () => {
    await open();
    const seen = playInputs([{ type: '0x2a' }]);
    await run('goToMoment');
    expect(cluster().time?.moment).toEqual(m(42));
    expect(seen[0]?.value).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
  });

  it('plays at the speed that is picked, until it is paused', async () => {
    await open();
    playInputs([{ pick: '100×' }]);
    await run('playRecording');
    expect(cluster().time?.speed).toBe(100);
    await run('pauseRecording');
    expect(cluster().time?.speed).toBe(0);
  });

  it('follows the files, and not any more', async () => {
    await open();
    await run('followRecording');
    expect(cluster().time?.isFollowing).toBe(true);
    await run('followRecording');
    expect(cluster().time?.isFollowing).toBe(false);
  });

  it('needs a recording', async () => {
    await expect(run('nextHandOver')).rejects.toMatchObject({ name: 'NoClusterError' });
  });
});

describe('lists over all locks', () => {
  it('show the longest waits first, and go to the last moment of the one that is chosen', async () => {
    await open();
    const seen = playInputs(['enter']);
    await run('longestWaits');
    expect(seen[0]?.labels.slice(1)).toEqual(['30 s', '5 s']);
    expect(cluster().time?.moment).toEqual(m(39));
    expect(revealed.at(-1)).toBe('/locks/a');
  });

  it('show what expired sessions ended, or all of it as a report', async () => {
    await open();
    playInputs([{ pick: 'Show all' }]);
    await run('endedByExpiry');
    expect(textReport(reports[0]!)).toContain('0xa');
    playInputs(['enter']);
    await run('endedByExpiry');
    expect(cluster().time?.moment).toEqual(m(30));
  });

  it('say that there is nothing', async () => {
    recording.allHolds = [];
    await open();
    await expect(run('endedByExpiry')).rejects.toThrow();
  });
});

describe('reports', () => {
  it('say what happened to a lock in a span', async () => {
    await open();
    const lock = await registry.all[0]!.open('/locks/a');
    playInputs([{ pick: 'The whole' }]);
    await run('explainWhatHappened', lock);
    const text = textReport(reports[0]!);
    for (const fact of ['/locks/a', '2 held it', 'its session expired', 'held for 25 s', '10 s: from', 'Session 0xa'])
      expect(text).toContain(fact);
    playInputs([{ pick: 'From a moment' }, { type: '50' }, { type: '60' }]);
    await run('explainWhatHappened', lock);
    expect(textReport(reports[1]!)).not.toContain('expired');
  });

  it('say what was read, and what was not', async () => {
    recording.problems = [{ file: 'log.1\u202e', offset: 17, what: 'wrong checksum' }];
    recording.gaps = [{ from: m(50), to: m(60), why: 'missing' }];
    await open();
    await run('describeRecording');
    const text = textReport(reports[0]!);
    expect(text).toContain('byte 17');
    expect(text).toContain('0x32');
    expect(text).not.toContain('\u202e');
  });
});

describe('Save Play as Scenario', () => {
  let texts: string[];

  beforeEach(() => {
    texts = [];
    const openTextDocument = ({ content }: { content: string }) => Promise.resolve(void texts.push(content));
    Object.assign(workspace, { openTextDocument });
    Object.assign(window, { showTextDocument: () => Promise.resolve() });
  });

  it('opens what happened to a lock in a span of time as a text that runs', async () => {
    await open();
    const lock = await registry.all[0]!.open('/locks/a');
    playInputs([{ pick: 'The whole' }]);
    await run('savePlayAsScenario', lock);
    const [text = ''] = texts;
    expect(text).toMatch(/^# As \S.* was from .* to .*\ncluster: sandbox\npath: \/locks\/a\n\nA: acquire mutex\n/u);
    expect(text).toContain('expect: holders A, waiters B\nexpire A\n');
    const read = readScenario(text);
    expect(read.problems).toEqual([]);
    const { failure } = await onSandbox(cluster => runScenario(read.scenario, read.paths, cluster));
    expect(failure).toBeUndefined();
  });

  it('asks for locks where none is meant, and opens nothing where nothing happened', async () => {
    await open();
    const shown = playInputs(['enter', { pick: 'The whole' }]);
    await expect(run('savePlayAsScenario')).rejects.toThrow(/no contender was seen/u);
    expect(shown[0]?.labels).toEqual(['/locks/a']);
    expect(texts).toEqual([]);
  });
});
