import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RowGone } from '../../../../src/app/clusters/clusterErrors.ts';
import { ClusterRegistry, type ClusterSource } from '../../../../src/app/clusters/clusterRegistry.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { Recorder } from '../../../../src/app/recorder/recorder.ts';
import { Recorders, type ObservePlan, type RecorderSettings } from '../../../../src/app/recorder/recorders.ts';
import { RecorderError } from '../../../../src/app/recorder/recorderError.ts';
import { monotonicNow } from '../../../../src/base/deadline.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { callLater } from '../../../../src/base/timer.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { browserParts, profileNamed } from '../../extension/fixtures.ts';
import { Play, useFolder } from './journalFixtures.ts';

const folderOf = useFolder();
const speed = 20;

let profiles: ClusterProfile[];
let settings: RecorderSettings;
/** What all windows keep. */
let kept: Map<string, unknown>;
const windows: Window[] = [];

beforeEach(() => {
  profiles = ['a', 'b', 'c'].map(id => profileNamed(id, { connectString: `${id}:1` }));
  settings = { whileConnected: false, days: 7, megabytes: 50, questionsPerMinute: 600, nodeData: false, maxNodes: 9 };
  kept = new Map();
});
afterEach(async () => {
  await Promise.all(windows.splice(0).map(window => window.close()));
});

/** A window with its clusters; their locks are a play. */
class Window {
  readonly listed = new Emitter<undefined>(nullLogger);
  readonly clients: FakeClient[] = [];
  readonly observed: string[] = [];
  readonly plans: ObservePlan[] = [];
  failure: Error | undefined;
  loads = 0;
  readonly registry: ClusterRegistry;
  readonly recorders: Recorders;

  constructor() {
    const source: ClusterSource = {
      get profiles() {
        return profiles;
      },
      onChange: this.listed.event,
    };
    const openSession = (): Promise<FakeClient> => {
      const client = new FakeClient();
      this.clients.push(client);
      return Promise.resolve(client);
    };
    const schedule = (callback: () => void, ms: number) => callLater(callback, ms / speed);
    const now = (): number => monotonicNow() * speed;
    this.registry = new ClusterRegistry([source], browserParts({ openSession, schedule, now }));
    this.recorders = new Recorders({
      registry: this.registry,
      folder: folderOf.path,
      memory: {
        get: key => kept.get(key),
        update: (key, value) => Promise.resolve(void kept.set(key, structuredClone(value))),
      },
      settings: () => settings,
      ownerQuery: () => ({ adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } }),
      load: () => {
        this.loads++;
        return Promise.resolve({
          Recorder,
          observe: (_, plan, sink) => {
            this.plans.push(plan);
            this.observed.push(plan.profile.id);
            if (this.failure !== undefined) return Promise.reject(this.failure);
            sink.onEntries(new Play().begin());
            return Promise.resolve({ watches: 1, requestsPerMinute: 0, dispose: () => undefined });
          },
        });
      },
      schedule,
      now,
      wallNow: () => Date.now(),
      logger: nullLogger,
    });
    windows.push(this);
  }

  connect(id: string): Promise<void> {
    return this.registry.get(id)!.connect();
  }

  async until(id: string, kind: string): Promise<void> {
    await eventually(() => expect(this.recorders.state(id).kind).toBe(kind));
  }

  async close(): Promise<void> {
    await this.recorders.close();
    await this.registry.close();
  }
}

describe('recorders', () => {
  it('load nothing and touch nothing while nothing is to be recorded', async () => {
    const window = new Window();
    await window.connect('a');
    expect([window.loads, window.recorders.state('a'), window.recorders.isWanted('a')]).toEqual([
      0,
      { kind: 'off' },
      false,
    ]);
    expect(existsSync(folderOf.path)).toBe(false);
    expect(await window.recorders.bytes('a')).toBe(0);
  });

  it('record a cluster that a person asked for, whenever it is connected, in later windows too', async () => {
    const window = new Window();
    const changes: string[] = [];
    window.recorders.onChange(id => changes.push(id));
    await window.recorders.start('a');
    expect([window.recorders.state('a'), window.loads]).toEqual([{ kind: 'waiting' }, 0]);
    await window.connect('a');
    await window.connect('b');
    await window.until('a', 'recording');
    expect([window.recorders.state('b').kind, window.observed]).toEqual(['off', ['a']]);
    expect(window.recorders.past('a')).toBeDefined();
    expect(new Set(changes)).toEqual(new Set(['a']));
    await window.close();
    const later = new Window();
    expect(later.recorders.state('a')).toEqual({ kind: 'waiting' });
    await later.connect('a');
    await later.until('a', 'recording');
  });

  it('end a recording for good, and begin it again when asked', async () => {
    const window = new Window();
    await window.recorders.start('a');
    await window.connect('a');
    await window.until('a', 'recording');
    await window.recorders.stop('a');
    expect([window.recorders.state('a'), window.recorders.past('a')]).toEqual([{ kind: 'off' }, undefined]);
    expect(new Window().recorders.isWanted('a')).toBe(false);
    await window.recorders.start('a');
    await window.until('a', 'recording');
  });

  it('follow the setting for every live cluster, but not against what a person said', async () => {
    const window = new Window();
    await window.connect('a');
    await window.connect('b');
    await window.recorders.stop('b');
    settings = { ...settings, whileConnected: true };
    window.recorders.follow();
    await window.until('a', 'recording');
    expect([window.recorders.state('b').kind, window.recorders.state('c').kind]).toEqual(['off', 'waiting']);
    settings = { ...settings, whileConnected: false };
    window.recorders.follow();
    expect(window.recorders.state('a').kind).toBe('off');
  });

  it('begin again when what is kept of nodes is set otherwise', async () => {
    settings = { ...settings, nodeData: true };
    const window = new Window();
    await window.recorders.start('a');
    await window.connect('a');
    await window.until('a', 'recording');
    window.recorders.follow();
    settings = { ...settings, days: 3 };
    window.recorders.follow();
    expect(window.plans).toHaveLength(1);
    settings = { ...settings, nodeData: false };
    window.recorders.follow();
    await eventually(() => expect(window.plans.map(plan => plan.settings.nodeData)).toEqual([true, false]));
    await window.until('a', 'recording');
  });

  it('end in all windows when one of them is asked to', async () => {
    const [one, other] = [new Window(), new Window()];
    await one.recorders.start('a');
    await one.connect('a');
    await one.until('a', 'recording');
    await other.connect('a');
    await other.until('a', 'standby');
    await one.recorders.stop('a');
    await other.until('a', 'off');
    await one.recorders.start('a');
    await one.until('a', 'recording');
    await other.recorders.stop('a');
    await one.until('a', 'off');
  });

  it('keep no session after a failure', async () => {
    const window = new Window();
    window.failure = new RecorderError('too-many-nodes', '/', { limit: 9 });
    await window.recorders.start('a');
    await window.connect('a');
    await window.until('a', 'failed');
    window.clients[0]?.lose();
    // Longer than the pause before a session that is wanted is replaced.
    await new Promise(resolve => setTimeout(resolve, 2_000 / speed));
    expect(window.clients).toHaveLength(1);
    window.failure = undefined;
    await window.recorders.start('a');
    await window.until('a', 'recording');
    expect(window.clients).toHaveLength(2);
  });

  it('do not record a record of the past', async () => {
    profiles.push(profileNamed('past', { isRecording: true }));
    settings = { ...settings, whileConnected: true };
    const window = new Window();
    await window.connect('past');
    expect([window.recorders.isWanted('past'), window.recorders.state('past').kind]).toEqual([false, 'off']);
  });

  it('have the session replaced when it is lost, though no row needs it', async () => {
    const window = new Window();
    await window.recorders.start('a');
    await window.connect('a');
    await window.until('a', 'recording');
    window.clients[0]?.lose();
    expect(window.recorders.state('a').kind).toBe('waiting');
    await window.until('a', 'recording');
    expect(window.clients).toHaveLength(2);
    await window.registry.get('a')?.disconnect();
    expect(window.recorders.state('a').kind).toBe('waiting');
  });

  it('keep each cluster in a folder of its own, by its id and its servers', () => {
    const window = new Window();
    const [a, b] = [window.recorders.folder('a'), window.recorders.folder('b')];
    expect(a).not.toBe(b);
    expect(a.startsWith(folderOf.path)).toBe(true);
    profiles = [profileNamed('a', { connectString: 'elsewhere:1' })];
    window.listed.fire(undefined);
    expect(window.recorders.folder('a')).not.toBe(a);
    expect(() => window.recorders.folder('b')).toThrow(RowGone);
  });

  it('delete the files of one cluster, and go on', async () => {
    const window = new Window();
    for (const id of ['a', 'b']) {
      await window.recorders.start(id);
      await window.connect(id);
      await window.until(id, 'recording');
      await eventually(async () => expect(await window.recorders.bytes(id)).toBeGreaterThan(0));
    }
    await window.recorders.stop('b');
    await window.recorders.delete('b');
    expect(await window.recorders.bytes('b')).toBe(0);
    expect(await window.recorders.bytes('a')).toBeGreaterThan(0);
    await window.recorders.delete('a');
    expect(window.recorders.state('a').kind).toBe('recording');
    await eventually(async () => expect(await window.recorders.bytes('a')).toBeGreaterThan(0));
  });

  it('leave nothing of a sandbox behind, neither in files nor in what is remembered', async () => {
    profiles.push(profileNamed('sandbox', { isSandbox: true }));
    const window = new Window();
    await window.recorders.start('sandbox');
    expect([...kept]).toEqual([]);
    await window.connect('sandbox');
    await window.until('sandbox', 'recording');
    await eventually(async () => expect(await window.recorders.bytes('sandbox')).toBeGreaterThan(0));
    profiles.pop();
    window.listed.fire(undefined);
    await eventually(async () => expect(await readdir(folderOf.path)).toEqual([]));
    profiles.push(profileNamed('other', { isSandbox: true }));
    window.listed.fire(undefined);
    await window.recorders.start('other');
    await window.connect('other');
    await window.until('other', 'recording');
    await window.close();
    expect(await readdir(folderOf.path)).toEqual([]);
  });

  it('say what recording would cost before it begins', async () => {
    const window = new Window();
    profiles[0]!.lockRoots = ['/locks', '/jobs'];
    const cost = { watches: 2, maxNodes: 9, questionsPerMinute: 600, bytes: 50_000_000, days: 7 };
    const folder = window.recorders.folder('a');
    expect(window.recorders.cost('a')).toEqual({ ...cost, nodes: undefined, folder });
    await window.connect('a');
    await eventually(() => expect(window.recorders.cost('a')).toEqual({ ...cost, nodes: 0, folder }));
    expect(window.loads).toBe(0);
  });

  it('leave a folder that is deleted meanwhile alone', async () => {
    const window = new Window();
    await window.recorders.start('a');
    await window.connect('a');
    await window.until('a', 'recording');
    await rm(folderOf.path, { recursive: true, force: true, maxRetries: 5 });
    await window.recorders.stop('a');
    expect(window.recorders.state('a').kind).toBe('off');
  });
});
