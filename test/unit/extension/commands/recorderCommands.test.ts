import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../src/base/logger.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import type { RecorderState } from '../../../../src/app/clusters/clusterRecorder.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import { recorderCommands } from '../../../../src/extension/commands/recorderCommands.ts';
import type { RecorderCommandParts } from '../../../../src/extension/commands/registerRecorder.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { recordingCostText } from '../../../../src/extension/words/recordingCostText.ts';
import { eventually } from '../../../support/eventually.ts';
import { contenderName, FakePast, recordingState } from '../../app/clusters/fakeRecorders.ts';
import { emptyFolder, writeJournal } from '../../journal/journalFolder.ts';
import { realInspector } from '../../app/panel/realInspector.ts';
import { workspace } from '../fakeVscode.ts';
import { browserParts, now, profileNamed } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const states = new Map<string, RecorderState>();
let asked: string[][];
let informed: string[];
let done: string[];
let isSure: boolean;
let bytes: number;
let folder: string;
let recordings: OpenRecordings;
let registry: ClusterRegistry;
let parts: RecorderCommandParts;

const cost = {
  watches: 1, nodes: 1_200 as number | undefined, maxNodes: 50_000, questionsPerMinute: 600, bytes: 50_000_000, days: 7, folder: '/storage/recordings/1',
}; // prettier-ignore

const live = () => registry.get('orders')!;
const recorded = () => registry.all.find(({ node }) => node.time !== undefined);

beforeEach(async () => {
  states.clear();
  [asked, informed, done, isSure, bytes] = [[], [], [], true, 3_400_000];
  folder = await emptyFolder();
  recordings = new OpenRecordings(nullLogger);
  const source = { profiles: [profileNamed('orders')], onChange: new Emitter<undefined>(nullLogger).event };
  registry = new ClusterRegistry(
    [source, recordings],
    browserParts({
      openSession: profile => {
        const opened = recordings.get(profile.id);
        return opened === undefined ? Promise.reject(new Error('no server')) : Promise.resolve(opened.openSession());
      },
      recorded: ({ id }) => recordings.get(id),
      loadInspector: () => Promise.resolve(realInspector),
    }),
  );
  const view = { selected: undefined, revealCluster: () => Promise.resolve(void done.push('revealed')) };
  const reporter = {
    inform: (text: string) => void informed.push(text),
    confirm: (...texts: string[]) => Promise.resolve((asked.push(texts), isSure)),
  };
  const recorders = {
    state: (id: string): RecorderState => states.get(id) ?? { kind: 'off' },
    cost: () => cost,
    folder: () => folder,
    bytes: () => Promise.resolve(bytes),
    start: (id: string) => Promise.resolve(void done.push(`started ${id}`)),
    stop: (id: string) => Promise.resolve(void done.push(`stopped ${id}`)),
    delete: (id: string) => Promise.resolve(void done.push(`deleted ${id}`)),
  };
  const made = { registry, recordings, recorders, view, reporter, logger: nullLogger };
  parts = made as unknown as RecorderCommandParts;
  parts.targets = new Targets(registry, parts.view, parts.reporter);
});

afterEach(async () => {
  workspace.isTrusted = true;
  await registry.close();
  await recordings.closeAll();
});

async function writeSome(): Promise<void> {
  const past = new FakePast(now);
  const entries = [...past.state.state()];
  const czxid = 20n;
  const moment = { zxid: czxid, time: now + 1_000 };
  const times = { czxid, mzxid: czxid, ctime: moment.time, mtime: moment.time, version: 0 };
  const node = { path: `/locks/a/${contenderName(1, 0)}`, ...times, owner: 0x100n, data: new Uint8Array(0) };
  const session = { id: 0x100n, address: '10.0.0.7:51234', host: 'web-1' };
  await writeJournal(folder, 1, [...entries, { type: 'session', session }, { type: 'node', at: moment, node }]);
}

describe('Record Locks', () => {
  it('shows what it costs, records, and connects', async () => {
    await expect(recorderCommands.recordLocks(parts, live().node)).rejects.toThrow('no server');
    const [question, detail, button] = asked[0]!;
    expect(question).toBe('Record the locks of "orders"?');
    for (const text of [
      '1 watch',
      '1,200',
      '600',
      '7 days, 50 MB at most',
      '/storage/recordings/1',
      'all of a short text',
    ]) {
      expect(detail).toContain(text);
    }
    expect(button).toBe('Record');
    expect(done).toEqual(['started orders']);
    expect(live().connection.state.kind).toBe('failed');
  });

  it('does nothing when it costs too much', async () => {
    isSure = false;
    await recorderCommands.recordLocks(parts, undefined);
    expect(done).toEqual([]);
    expect(live().connection.state.kind).toBe('disconnected');
  });

  it('asks nothing where it records already, and tries again after a failure', async () => {
    states.set('orders', recordingState);
    await expect(recorderCommands.recordLocks(parts, live().node)).rejects.toThrow('recorded already');
    await expect(recorderCommands.recordLocks(parts, undefined)).rejects.toThrow('of every cluster');
    expect(asked).toEqual([]);
    states.set('orders', { kind: 'failed', error: new Error('x') });
    await expect(recorderCommands.recordLocks(parts, undefined)).rejects.toThrow('no server');
    expect(done).toEqual(['started orders']);
  });

  it('asks for trust first', async () => {
    workspace.isTrusted = false;
    await expect(recorderCommands.recordLocks(parts, live().node)).rejects.toThrow();
    expect([asked, done]).toEqual([[], []]);
    expect(informed).toHaveLength(1);
  });
});

describe('the cost', () => {
  it('says what is not known, and what is not done', () => {
    const text = recordingCostText({ ...cost, watches: 3, nodes: undefined, questionsPerMinute: 0 }, true);
    expect(text).toContain('3 watches');
    expect(text).toContain('50,000 at most');
    expect(text).toContain('no questions to the servers');
    expect(text).toContain('and the data of the nodes of locks');
  });
});

describe('Stop Recording', () => {
  it('ends what is recorded or waits for it', async () => {
    await expect(recorderCommands.stopRecording(parts, undefined)).rejects.toThrow('of no cluster');
    await expect(recorderCommands.stopRecording(parts, live().node)).rejects.toThrow('are not recorded');
    states.set('orders', { kind: 'waiting' });
    await recorderCommands.stopRecording(parts, undefined);
    expect(done).toEqual(['stopped orders']);
    expect(informed[0]).toContain('Open Recording');
  });
});

describe('Open Recording', () => {
  it('adds a row for the past, without a connection, and no second one', async () => {
    await writeSome();
    await recorderCommands.openRecording(parts, live().node);
    expect(live().connection.state.kind).toBe('disconnected');
    expect(recorded()?.node.profile).toMatchObject({ name: 'orders (recorded)', isRecording: true, readOnly: true });
    expect(recorded()?.node.time).toMatchObject({ kind: 'journal', folder });
    await eventually(() => expect([...(recorded()?.node.locks.keys() ?? [])]).toEqual(['/locks/a']));
    await recorderCommands.openRecording(parts, undefined);
    expect(registry.all).toHaveLength(2);
    expect(done).toEqual(['revealed', 'revealed']);
    await expect(recorderCommands.recordLocks(parts, recorded()?.node)).rejects.toThrow('record of the past');
  });

  it('is about the cluster also while the panel of its recording is in front', async () => {
    await writeSome();
    await recorderCommands.openRecording(parts, live().node);
    const lock = { type: 'lock', cluster: recorded()!.node } as LockNode;
    parts.targets.look(() => lock);
    await recorderCommands.openRecording(parts, undefined);
    expect(done).toEqual(['revealed', 'revealed']);
    await expect(recorderCommands.stopRecording(parts, undefined)).rejects.toThrow('of no cluster');
  });

  it('shows what was recorded since it was opened', async () => {
    await writeSome();
    await recorderCommands.openRecording(parts, live().node);
    const { time } = recorded()!.node;
    const end = time!.moment.zxid;
    await writeJournal(folder, 2, [{ type: 'alive', at: { zxid: 40n, time: now + 9_000 } }]);
    await recorderCommands.openRecording(parts, live().node);
    expect(time!.moment.zxid).toBeGreaterThan(end);
  });

  it('keeps the name and the use of its cluster, for an incident file', async () => {
    await writeSome();
    await recorderCommands.openRecording(parts, live().node);
    const { name, environment } = live().node.profile;
    expect(recorded()?.node.profile.recorded).toEqual({ name, environment });
  });

  it('says what to do where nothing is recorded', async () => {
    bytes = 0;
    await expect(recorderCommands.openRecording(parts, live().node)).rejects.toThrow('Record Locks begins it');
  });

  it('says so where the files are gone', async () => {
    await expect(recorderCommands.openRecording(parts, live().node)).rejects.toMatchObject({
      fault: 'nothing recorded',
    });
    folder = `${folder}/gone`;
    await expect(recorderCommands.openRecording(parts, live().node)).rejects.toMatchObject({
      fault: 'nothing recorded',
    });
  });
});

describe('Delete Recordings', () => {
  it('says how much and where, closes what is open, and deletes', async () => {
    await writeSome();
    await recorderCommands.openRecording(parts, live().node);
    states.set('orders', recordingState);
    await recorderCommands.deleteRecordings(parts, live().node);
    expect(asked[0]?.[0]).toBe('Delete the recordings of "orders"?');
    for (const text of ['3.4 MB', folder, 'Recording goes on, in a new file.']) expect(asked[0]?.[1]).toContain(text);
    expect(recorded()).toBeUndefined();
    expect(done).toEqual(['revealed', 'deleted orders']);
  });

  it('deletes nothing unless the person says so, and nothing where there is nothing', async () => {
    isSure = false;
    await recorderCommands.deleteRecordings(parts, undefined);
    expect(asked[0]?.[1]).not.toContain('goes on');
    bytes = 0;
    await expect(recorderCommands.deleteRecordings(parts, undefined)).rejects.toThrow('no recordings of "orders"');
    expect(done).toEqual([]);
  });
});
