import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../src/base/logger.ts';
import { findLocks } from '../../../../src/inspector/findLocks.ts';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import { recordingCommands } from '../../../../src/extension/commands/recordingCommands.ts';
import type { RecordingParts } from '../../../../src/extension/commands/registerRecordings.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { eventually } from '../../../support/eventually.ts';
import { LogWriter } from '../../../support/logWriter.ts';
import { realInspector } from '../../app/panel/realInspector.ts';
import { browserParts } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const contenderPath = (digit: string): string => `/app/lock/_c_${digit.repeat(8)}-1111-1111-1111-111111111111-lock-`;

let folder: string;
let recordings: OpenRecordings;
let registry: ClusterRegistry;

const open = (path: string): Promise<void> => {
  const view = { selected: undefined, revealCluster: () => Promise.resolve() } as unknown as RecordingParts['view'];
  const reporter = { inform: () => undefined } as unknown as RecordingParts['reporter'];
  const targets = new Targets(registry, view, reporter);
  const texts = {} as unknown as RecordingParts['texts'];
  const recorders = {} as unknown as RecordingParts['recorders'];
  const parts = { registry, recordings, recorders, targets, view, reporter, texts, logger: nullLogger };
  return recordingCommands.openLogs(parts, { scheme: 'file', fsPath: path });
};

const queueOf = ({ locks }: ClusterNode) =>
  locks.get('/app/lock')?.queue?.contenders.map(({ path, role }) => [path, role]);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logs-'));
  recordings = new OpenRecordings(nullLogger);
  registry = new ClusterRegistry(
    [recordings],
    browserParts({
      openSession: profile => Promise.resolve(recordings.get(profile.id)!.openSession()),
      recorded: ({ id }) => recordings.get(id),
      loadInspector: () => Promise.resolve({ ...realInspector, findLocks }),
    }),
  );
});

afterEach(async () => {
  await registry.close();
  await recordings.closeAll();
  await rm(folder, { recursive: true, force: true });
});

describe('a folder of transaction logs', () => {
  it('is a row whose locks can be seen at every moment', async () => {
    const log = new LogWriter();
    const [one, two] = [log.createSession(), log.createSession()];
    log.create(one, '/app');
    log.create(one, '/app/lock');
    const first = log.create(one, contenderPath('1'), { ephemeral: true, sequential: true });
    const second = log.create(two, contenderPath('2'), { ephemeral: true, sequential: true });
    const bothThere = log.zxid - 1n;
    log.closeSession(one, 'expired');
    await log.save(folder);
    await open(folder);
    const browser = registry.all[0]!;
    browser.setAttention({ expanded: true, visible: true, paused: false });
    await eventually(() => expect(queueOf(browser.node)).toEqual([[second, 'holder']]));
    browser.node.time?.moveTo({ zxid: bothThere });
    await eventually(() => expect(queueOf(browser.node)).toEqual([[first, 'holder'], [second, 'waiter']])); // prettier-ignore
    expect(browser.node.time?.recording.problems).toEqual([]);
  });

  it('shows since when each holder holds, steps from hand-over to hand-over, and has one row for each lock', async () => {
    const log = new LogWriter({ time: 1_700_000_000_000 });
    const [one, two] = [log.createSession(), log.createSession()];
    for (const path of ['/app', '/app/lock', '/sem', '/sem/leases', '/sem/locks']) log.create(one, path);
    log.create(one, '/sem/leases/_c_33333333-1111-1111-1111-111111111111-lease-', {
      ephemeral: true,
      sequential: true,
    });
    const first = log.create(one, contenderPath('1'), { ephemeral: true, sequential: true });
    log.create(two, contenderPath('2'), { ephemeral: true, sequential: true });
    log.delete(one, first);
    const handedOver = { zxid: log.zxid - 1n, time: log.time - 1 };
    log.time += 60_000;
    log.setData(one, '/app', 'x', 0);
    await log.save(folder);
    await open(folder);
    const { node } = registry.all[0]!;
    registry.all[0]!.setAttention({ expanded: true, visible: true, paused: false });
    await eventually(() => expect(queueOf(node)).toHaveLength(1));
    const since = handedOver.time;
    expect(node.locks.get('/app/lock')?.queue?.contenders[0]?.heldSince).toEqual({ earliest: since, latest: since });
    await eventually(() => expect(node.search.kind).toBe('done'));
    expect([...node.locks.keys()].sort()).toEqual(['/app/lock', '/sem']);
    expect(await node.time?.step('hand-over', -1)).toBe(true);
    expect(node.time?.moment).toEqual(handedOver);
  });

  it.each([
    ['that is missing', 'none', 'missing'],
    ['that is a file', 'file', 'no-folder'],
    ['without logs', '', 'nothing'],
  ])('%s is refused', async (_, name, fault) => {
    await writeFile(join(folder, 'file'), 'x');
    await expect(open(join(folder, name))).rejects.toMatchObject({ name: 'LogFolderError', fault });
    expect(registry.all).toEqual([]);
  });
});
