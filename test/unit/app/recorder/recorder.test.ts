import fileSystem, { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalFolder, type FileSystem } from '../../../../src/app/recorder/journalFolder.ts';
import type { RecorderState } from '../../../../src/app/clusters/clusterRecorder.ts';
import { Recorder } from '../../../../src/app/recorder/recorder.ts';
import { RecorderError } from '../../../../src/app/recorder/recorderError.ts';
import type { Observation, Sink } from '../../../../src/app/recorder/recordingRun.ts';
import { monotonicNow } from '../../../../src/base/deadline.ts';
import { callLater } from '../../../../src/base/timer.ts';
import { collectingLogger } from '../../../support/collectingLogger.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { dayMs, Play, readBack, useFolder, writerId, writerOn } from './journalFixtures.ts';

const folderOf = useFolder();
/** So many times faster than in a window. */
const speed = 10;

/** A window that records a play. */
class Window {
  readonly states: RecorderState['kind'][] = [];
  readonly sinks: Sink[] = [];
  readonly log = collectingLogger();
  /** What the next observation does instead. */
  observe: (() => Promise<Observation>) | undefined;
  observations = 0;
  readonly recorder: Recorder;

  constructor(play: Play, id = writerId, fs: FileSystem = fileSystem) {
    this.recorder = new Recorder({
      id,
      folder: () => new JournalFolder(folderOf.path, fs),
      observe: (_, sink) => {
        if (this.observe !== undefined) return this.observe();
        this.sinks.push(sink);
        this.observations++;
        sink.onEntries(play.begin());
        return Promise.resolve({ watches: 2, requestsPerMinute: 30, dispose: () => (this.observations -= 1) });
      },
      limits: () => ({ bytes: 50_000_000, ageMs: 7 * dayMs }),
      isWanted: () => true,
      onUnwanted: () => undefined,
      onChange: () => {
        if (this.states.at(-1) !== this.recorder.state.kind) this.states.push(this.recorder.state.kind);
      },
      schedule: (callback, ms) => callLater(callback, ms / speed),
      now: () => monotonicNow() * speed,
      wallNow: () => Date.now(),
      logger: this.log.logger,
    });
    windows.push(this);
  }

  get sink(): Sink {
    return this.sinks.at(-1)!;
  }

  async until(kind: RecorderState['kind']): Promise<void> {
    await eventually(() => expect(this.recorder.state.kind).toBe(kind));
  }
}

const windows: Window[] = [];
let play: Play;
let client: FakeClient;
beforeEach(() => {
  play = new Play();
  client = new FakeClient();
});
afterEach(async () => {
  await Promise.all(windows.splice(0).map(({ recorder }) => recorder.close()));
});

const holdsOf = ({ recorder }: Window): (string | undefined)[] =>
  (recorder.past?.holds() ?? []).map(({ name, ended }) => `${name.slice(-1)} ${ended ?? 'holds'}`);

describe('a recorder', () => {
  it('records while there is a session, and says what it does', async () => {
    const window = new Window(play);
    expect(window.recorder.state).toEqual({ kind: 'waiting' });
    window.recorder.setClient(client);
    expect(window.recorder.past).toBeUndefined();
    await window.until('recording');
    window.sink.onEntries([play.join(1)]);
    await eventually(() =>
      expect(window.recorder.state).toMatchObject({
        kind: 'recording',
        watches: 2,
        locks: 1,
        entries: 3,
        requestsPerMinute: 30,
      }),
    );
    await eventually(async () => {
      const { state } = window.recorder;
      expect(state.kind === 'recording' && state.bytes).toBe(await new JournalFolder(folderOf.path).bytes());
    });
    expect(holdsOf(window)).toEqual(['1 holds']);
    expect(window.states).toEqual(['starting', 'recording']);
    await window.recorder.close();
    expect([window.recorder.state, window.recorder.past, window.observations]).toEqual([{ kind: 'off' }, undefined, 0]);
    expect(await readBack(new JournalFolder(folderOf.path))).toEqual(play.all);
  });

  it('waits while there is no session, and keeps what it knew', async () => {
    const window = new Window(play);
    window.recorder.setClient(client);
    await window.until('recording');
    const joined = play.join(1);
    window.sink.onEntries([joined, play.leave(joined)]);
    window.sink.onEntries([play.join(2)]);
    window.recorder.setClient(undefined);
    expect(window.recorder.state).toEqual({ kind: 'waiting' });
    window.recorder.setClient(new FakeClient());
    await window.until('recording');
    expect(holdsOf(window)).toEqual(['1 unknown', '2 unknown']);
    expect(window.recorder.past?.gaps).toMatchObject([{ why: 'not recorded' }]);
    expect(window.sinks).toHaveLength(2);
    expect(window.sinks[0]?.state).toBe(window.sinks[1]?.state);
    expect(window.observations).toBe(1);
  });

  it('starts with the history of former windows', async () => {
    const former = new Window(play);
    former.recorder.setClient(client);
    await former.until('recording');
    const joined = play.join(1);
    former.sink.onEntries([joined, play.leave(joined), play.join(2)]);
    await former.recorder.close();
    const window = new Window(play, 'aaaaaaaaaaaa');
    window.observe = () => new Promise(() => undefined);
    window.recorder.setClient(client);
    await window.until('starting');
    window.recorder.setClient(undefined);
    window.observe = undefined;
    window.recorder.setClient(client);
    await window.until('recording');
    expect(holdsOf(window)).toEqual(['1 unknown', '2 unknown']);
    expect(window.recorder.past?.gaps).toHaveLength(1);
  });

  it('reads the files again when another window has written since', async () => {
    const [one, other] = [new Window(play), new Window(play, 'aaaaaaaaaaaa')];
    one.recorder.setClient(client);
    await one.until('recording');
    one.recorder.setClient(undefined);
    other.recorder.setClient(client);
    await other.until('recording');
    other.sink.onEntries([play.join(3)]);
    await other.recorder.close();
    one.recorder.setClient(client);
    await one.until('recording');
    expect(one.sinks[0]?.state).not.toBe(one.sinks[1]?.state);
    expect(holdsOf(one)).toEqual(['3 unknown']);
  });

  it('reads the files again when another window took the turn while it wrote', async () => {
    const window = new Window(play);
    window.recorder.setClient(client);
    await window.until('recording');
    window.sink.onEntries([play.join(1)]);
    const folder = new JournalFolder(folderOf.path);
    await eventually(async () => expect(await folder.files()).toHaveLength(1));
    const other = writerOn(folderOf.path, play, { id: 'aaaaaaaaaaaa' });
    for (const entry of play.begin()) other.writer.write(entry);
    await other.writer.flush();
    await writeFile(join(folderOf.path, 'writer'), 'aaaaaaaaaaaa');
    await window.until('standby');
    other.writer.write(play.join(3));
    await other.writer.close();
    await rm(join(folderOf.path, 'writer'));
    await window.until('recording');
    expect(holdsOf(window)).toContain('3 unknown');
  });

  it('begins though a former file is damaged', async () => {
    const former = new Window(play);
    former.recorder.setClient(client);
    await former.until('recording');
    former.sink.onEntries([play.join(1)]);
    await former.recorder.close();
    const [file] = await new JournalFolder(folderOf.path).files();
    const bytes = await readFile(file!.path);
    bytes.fill(0x20, Math.floor(bytes.length / 2));
    await writeFile(file!.path, bytes);
    const window = new Window(play, 'aaaaaaaaaaaa');
    window.recorder.setClient(client);
    await window.until('recording');
  });

  it('stands by while another window records, and takes over when that one closes', async () => {
    const [one, other] = [new Window(play), new Window(play, 'aaaaaaaaaaaa')];
    one.recorder.setClient(client);
    await one.until('recording');
    other.recorder.setClient(client);
    await other.until('standby');
    expect([other.observations, other.recorder.past]).toEqual([0, undefined]);
    await one.recorder.close();
    await other.until('recording');
    expect(other.states).toEqual(['starting', 'standby', 'starting', 'recording']);
  });

  it('deletes its files and goes on in a new one', async () => {
    const window = new Window(play);
    window.recorder.setClient(client);
    await window.until('recording');
    const folder = new JournalFolder(folderOf.path);
    const joined = play.join(1);
    window.sink.onEntries([joined, play.leave(joined), play.join(4)]);
    await eventually(async () => expect(await folder.files()).toHaveLength(1));
    const [former] = await folder.files();
    expect(holdsOf(window)).toEqual(['1 unknown', '4 holds']);
    await window.recorder.deleteFiles();
    expect(holdsOf(window)).toEqual(['4 holds']);
    expect(window.sink.state).toBe(window.recorder.past);
    window.sink.onEntries([play.join(2)]);
    await eventually(async () => {
      const files = await folder.files();
      expect(files).toHaveLength(1);
      expect(files[0]?.name).not.toBe(former?.name);
      const nodes = (await readBack(folder)).filter(({ type }) => type === 'node');
      expect(nodes).toHaveLength(2);
    });
    expect(window.recorder.state.kind).toBe('recording');
  });
});

describe('a recorder that fails', () => {
  const tooMany = new RecorderError('too-many-nodes', '/', { limit: 50_000 });

  it('says why, does nothing by itself, and tries again when asked', async () => {
    const window = new Window(play);
    window.observe = () => Promise.reject(tooMany);
    window.recorder.setClient(client);
    await window.until('failed');
    expect(window.recorder.state).toEqual({ kind: 'failed', error: tooMany });
    window.observe = undefined;
    window.recorder.setClient(new FakeClient());
    expect(window.recorder.state).toEqual({ kind: 'failed', error: tooMany });
    window.recorder.retry();
    await window.until('recording');
  });

  it('lets another window write', async () => {
    const [one, other] = [new Window(play), new Window(play, 'aaaaaaaaaaaa')];
    one.recorder.setClient(client);
    await one.until('recording');
    other.recorder.setClient(client);
    await other.until('standby');
    one.sink.onFailure(tooMany);
    await other.until('recording');
    expect(one.recorder.state.kind).toBe('failed');
  });

  it.each(['EROFS', 'EACCES'])('where the storage refuses: %s', async code => {
    const refuse = (): Promise<never> => Promise.reject(Object.assign(new Error(code), { code, syscall: 'mkdir' }));
    const window = new Window(play, writerId, { ...fileSystem, mkdir: refuse });
    window.recorder.setClient(client);
    await window.until('failed');
    expect(window.recorder.state).toMatchObject({ error: { kind: 'read-only', path: folderOf.path } });
  });

  it('when the folder is deleted while it records, and records again when asked', async () => {
    const window = new Window(play);
    window.recorder.setClient(client);
    await window.until('recording');
    await eventually(async () => expect(await new JournalFolder(folderOf.path).files()).toHaveLength(1));
    await rm(folderOf.path, { recursive: true });
    await eventually(() => {
      if (window.recorder.state.kind === 'recording') window.sink.onEntries([play.join(1)]);
      expect(window.recorder.state).toMatchObject({
        kind: 'failed',
        error: { kind: 'folder-gone', path: folderOf.path },
      });
    });
    window.recorder.retry();
    await window.until('recording');
  });

  it('not for good when only the connection is uncertain', async () => {
    const window = new Window(play);
    window.recorder.setClient(client);
    await window.until('recording');
    client.disconnect();
    window.sink.onFailure(new Error('no reply'));
    expect(window.recorder.state.kind).toBe('waiting');
    client.recover();
    await window.until('recording');
    expect(window.recorder.past?.gaps).toHaveLength(1);
  });
});
