import fileSystem, {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/journal/entry.ts';
import { JournalFolder } from '../../../../src/app/recorder/journalFolder.ts';
import { RecorderError } from '../../../../src/app/recorder/recorderError.ts';
import { eventually } from '../../../support/eventually.ts';
import { Play, readBack, useFolder, writerId, writerOn } from './journalFixtures.ts';

const folderOf = useFolder();

/** Contenders that come and go until so many bytes are estimated to have been written. */
function write(writer: { write(entry: JournalEntry): void }, play: Play, times: number, padding = 2_000): void {
  for (let number = 0; number < times; number++) {
    const joined = play.join(number, padding);
    writer.write(joined);
    writer.write(play.leave(joined));
  }
}

/** Each once, however often a file begins with it. */
const changes = (entries: readonly JournalEntry[]): string[] => [
  ...new Set(
    entries.flatMap(entry => {
      if (entry.type === 'node') return `node ${entry.node.czxid}`;
      return entry.type === 'gone' ? `gone ${entry.czxid}` : [];
    }),
  ),
];

describe('a journal on disk', () => {
  it('holds what was written, readable for its owner only', async () => {
    const play = new Play();
    const { writer, folder, ends } = writerOn(folderOf.path, play);
    for (const entry of play.begin()) writer.write(entry);
    write(writer, play, 10);
    await writer.close();
    expect(await readBack(folder)).toEqual(play.all);
    const [file] = await folder.files();
    expect(file?.name).toMatch(/^journal-\d{8}T\d{9}Z-0123456789ab\.zkjournal$/);
    expect((await stat(file!.path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
    expect(writer.bytes).toBe(file?.bytes);
    expect(ends).toEqual([]);
  });

  it('has an entry on disk within a second', async () => {
    const play = new Play();
    const { writer, folder } = writerOn(folderOf.path, play);
    const begun = performance.now();
    for (const entry of play.begin()) writer.write(entry);
    await eventually(async () => expect(await readBack(folder)).toEqual(play.all), 1_000);
    expect(performance.now() - begun).toBeLessThan(1_000);
    await writer.close();
  });

  it('is made to stay every five seconds, and at the end', async () => {
    const play = new Play();
    let syncs = 0;
    let now = 0;
    const open: typeof fileSystem.open = async (...args) => {
      const handle = await fileSystem.open(...args);
      const sync = handle.datasync.bind(handle);
      handle.datasync = () => {
        syncs++;
        return sync();
      };
      return handle;
    };
    const { writer } = writerOn(folderOf.path, play, { fs: { ...fileSystem, open }, now: () => now });
    const seen: number[] = [];
    for (const at of [0, 1_000, 4_999, 5_000]) {
      now = at;
      writer.write(play.join(at));
      await writer.flush();
      seen.push(syncs);
    }
    await writer.close();
    expect([...seen, syncs]).toEqual([1, 1, 1, 2, 3]);
  });

  it('goes on in a new file that can be read by itself, and compresses the former one', async () => {
    const play = new Play();
    const { writer, folder, ends } = writerOn(folderOf.path, play, {
      limits: () => ({ bytes: 4_000_000, ageMs: Infinity }),
    });
    for (const entry of play.begin()) writer.write(entry);
    const stays = play.join(1_000_000);
    writer.write(stays);
    for (let round = 0; round < 6; round++) {
      write(writer, play, 100);
      await writer.flush();
    }
    await eventually(async () => {
      const files = await folder.files();
      expect(files.length).toBeGreaterThan(1);
      expect(files.map(({ isPacked }) => isPacked)).toEqual(files.map((_, at) => at < files.length - 1));
    });
    await writer.close();
    expect(ends).toEqual([]);
    const files = await folder.files();
    expect((await readFile(files[0]!.path)).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    // Nothing is missing, and each file after the first begins with what was there.
    const read = await readBack(folder);
    expect(changes(read)).toEqual(changes(play.all));
    const last = await readBack(new OneFile(folder.path, files.at(-1)!.name));
    expect(last[0]).toMatchObject({ type: 'begin', continues: true });
    expect(changes(last)).toContain(changes([stays])[0]);
  });

  it('never takes more room than it may, and removes the oldest file first', async () => {
    const play = new Play();
    const bytes = 2_000_000;
    const { writer, folder } = writerOn(folderOf.path, play, { limits: () => ({ bytes, ageMs: Infinity }) });
    for (const entry of play.begin()) writer.write(entry);
    let most = 0;
    let oldest = '';
    for (let round = 0; round < 16; round++) {
      write(writer, play, 100, 1_000 + round);
      await writer.flush();
      most = Math.max(most, await folder.bytes());
      const first = (await folder.files())[0]!.name.slice(0, 26);
      expect(first >= oldest).toBe(true);
      oldest = first;
    }
    expect(most).toBeLessThanOrEqual(bytes);
    expect(most).toBeGreaterThan(bytes / 4);
    await writer.close();
    // The state is whole whatever was removed.
    expect((await readBack(folder))[0]).toMatchObject({ type: 'begin' });
  });

  it('says so when what every file begins with leaves no room', async () => {
    const play = new Play();
    const { writer, ends } = writerOn(folderOf.path, play, { limits: () => ({ bytes: 200_000, ageMs: Infinity }) });
    for (const entry of play.begin()) writer.write(entry);
    for (let number = 0; number < 100; number++) writer.write(play.join(number, 1_000));
    await eventually(() => expect(ends).toMatchObject([{ kind: 'no-room', path: folderOf.path, limit: 200_000 }]));
  });

  it('clears up after a window that ended in the middle', async () => {
    const play = new Play();
    const former = writerOn(folderOf.path, play);
    for (const entry of play.begin()) former.writer.write(entry);
    await former.writer.close();
    const [left] = await former.folder.files();
    // Its last line is torn, a half of a compressed file is there, and one file has its compressed form already.
    await appendFile(left!.path, '12345678 {"type":"al');
    await writeFile(`${left!.path}.gz.tmp`, 'half');
    const whole = join(folderOf.path, `journal-20200101T000000000Z-${writerId}.zkjournal`);
    await writeFile(whole, 'x');
    await writeFile(`${whole}.gz`, 'x');
    const longAgo = Date.now() / 1000 - 3_600;
    for (const path of [left!.path, whole, `${whole}.gz`]) await utimes(path, longAgo, longAgo);
    const { writer, folder } = writerOn(folderOf.path, play, { id: 'ffffffffffff' });
    writer.write(play.join(1));
    await writer.flush();
    await eventually(async () => {
      const names = (await readdir(folder.path)).map(name => name.replace(/^.*-/, ''));
      expect(names.sort()).toEqual([`${writerId}.zkjournal.gz`, `${writerId}.zkjournal.gz`, 'ffffffffffff.zkjournal']);
    });
    await writer.close();
  });
});

describe('a file that another window may still write to', () => {
  it('is not compressed', async () => {
    const play = new Play();
    const other = writerOn(folderOf.path, play, { id: 'aaaaaaaaaaaa' });
    for (const entry of play.begin()) other.writer.write(entry);
    await other.writer.flush();
    const { writer, folder } = writerOn(folderOf.path, play);
    writer.write(play.join(1));
    await writer.flush();
    other.writer.write(play.join(2));
    await other.writer.close();
    await writer.close();
    const files = await folder.files();
    expect(files.map(({ isPacked }) => isPacked)).toEqual([false, false]);
    expect(changes(await readBack(folder))).toHaveLength(2);
  });

  it('stays as it is when it is written to while it is compressed', async () => {
    const play = new Play();
    const { writer, folder } = writerOn(folderOf.path, play);
    for (const entry of play.begin()) writer.write(entry);
    await writer.close();
    const [file] = await folder.files();
    await appendFile(file!.path, 'more');
    await folder.pack(file!, new AbortController().signal);
    expect(await readdir(folder.path)).toEqual([file!.name]);
  });

  it('counts, where it was written to after it was compressed', async () => {
    const play = new Play();
    const { writer, folder } = writerOn(folderOf.path, play);
    for (const entry of play.begin()) writer.write(entry);
    await writer.close();
    const [file] = await folder.files();
    await writeFile(`${file!.path}.gz`, 'older');
    const before = Date.now() / 1000 - 60;
    await utimes(`${file!.path}.gz`, before, before);
    expect(await folder.leftOver(undefined)).toHaveLength(1);
    expect(await readdir(folder.path)).toEqual([file!.name]);
  });
});

describe('a disk that fails', () => {
  /** Writes that fail from the given one on, after half of what is written. */
  function failing(code: string, from: number): typeof fileSystem {
    const open: typeof fileSystem.open = async (...args) => {
      const handle = await fileSystem.open(...args);
      let writes = 0;
      const append = handle.appendFile.bind(handle);
      handle.appendFile = async bytes => {
        if (++writes < from) return append(bytes);
        await append((bytes as Buffer).subarray(0, (bytes as Buffer).length / 2));
        throw Object.assign(new Error(code), { code, syscall: 'write' });
      };
      return handle;
    };
    return { ...fileSystem, open };
  }

  it.each([
    ['ENOSPC', 'disk-full'],
    ['EDQUOT', 'disk-full'],
    ['EROFS', 'read-only'],
    ['EIO', 'unwritable'],
  ])('%s ends recording with a fact, and what was there stays whole', async (code, kind) => {
    const play = new Play();
    const { writer, folder, ends } = writerOn(folderOf.path, play, { fs: failing(code, 3) });
    for (const entry of play.begin()) writer.write(entry);
    await writer.flush();
    const intact = [...play.all];
    write(writer, play, 10);
    await writer.flush();
    expect(ends).toEqual([expect.any(RecorderError)]);
    expect(ends).toMatchObject([{ kind }]);
    expect((ends[0] as RecorderError).path).toContain(folder.path);
    expect(await readBack(folder)).toEqual(intact);
    const [file] = await folder.files();
    expect((await readFile(file!.path, 'utf8')).endsWith('\n')).toBe(true);
    write(writer, play, 10);
    await writer.close();
    expect(ends).toHaveLength(1);
  });

  it('ends recording when it is so slow that memory would fill', async () => {
    const play = new Play();
    const stuck: typeof fileSystem = { ...fileSystem, mkdir: () => new Promise<never>(() => undefined) };
    const { writer, ends } = writerOn(folderOf.path, play, { fs: stuck });
    for (const entry of play.begin()) writer.write(entry);
    void writer.flush();
    const joined = play.join(0, 50_000);
    for (let each = 0; each < 1_000; each++) writer.write(joined);
    await eventually(() => expect(ends).toMatchObject([{ kind: 'too-slow', path: folderOf.path }]));
  });

  it('ends recording when the folder is deleted', async () => {
    const play = new Play();
    const { writer, ends } = writerOn(folderOf.path, play);
    for (const entry of play.begin()) writer.write(entry);
    await writer.flush();
    await rm(folderOf.path, { recursive: true });
    write(writer, play, 10);
    await writer.flush();
    expect(ends).toMatchObject([{ kind: 'folder-gone', path: folderOf.path }]);
  });

  it('goes on in a new file when only its file is deleted', async () => {
    const play = new Play();
    const { writer, folder, ends } = writerOn(folderOf.path, play);
    for (const entry of play.begin()) writer.write(entry);
    const stays = play.join(1);
    writer.write(stays);
    await writer.flush();
    await rm((await folder.files())[0]!.path);
    writer.write(play.join(2));
    await writer.flush();
    writer.write(play.join(3));
    await writer.close();
    expect(ends).toEqual([]);
    const read = await readBack(folder);
    // What was lost with the file lies between an older file and this one.
    expect(read[0]).toMatchObject({ type: 'begin' });
    expect(read[0]).not.toHaveProperty('continues');
    expect(changes(read)).toHaveLength(3);
  });

  it('waits for the whole state where its file is deleted while nodes are listed', async () => {
    const play = new Play();
    const { writer, folder } = writerOn(folderOf.path, play);
    const [begin, complete] = play.begin();
    writer.write(begin!);
    await writer.flush();
    await rm((await folder.files())[0]!.path);
    writer.write(play.join(1));
    await writer.flush();
    writer.write(complete!);
    await writer.close();
    const read = await readBack(folder);
    expect(read.map(({ type }) => type)).toEqual(['begin', 'node', 'complete']);
  });
});

describe('another window', () => {
  it('that writes ends this writer without an error', async () => {
    const play = new Play();
    let isOurs = true;
    const { writer, folder, ends } = writerOn(folderOf.path, play, { mayWrite: () => Promise.resolve(isOurs) });
    for (const entry of play.begin()) writer.write(entry);
    await writer.flush();
    const intact = await readBack(folder);
    isOurs = false;
    write(writer, play, 3);
    await writer.flush();
    expect(ends).toEqual([undefined]);
    expect(await readBack(folder)).toEqual(intact);
  });
});

describe('deleting', () => {
  it('removes our files only, follows no link, and goes on in a new file', async () => {
    const elsewhere = join(dirname(folderOf.path), 'elsewhere');
    await mkdir(elsewhere);
    const outside = join(elsewhere, `journal-20200101T000000000Z-${writerId}.zkjournal`);
    await writeFile(outside, 'kept');
    const play = new Play();
    const { writer, folder } = writerOn(folderOf.path, play);
    for (const entry of play.begin()) writer.write(entry);
    writer.write(play.join(1));
    await writer.flush();
    const foreign = ['notes.txt', 'writer', 'journal-x.zkjournal'];
    for (const name of foreign) await writeFile(join(folder.path, name), 'kept');
    const link = `journal-20200202T000000000Z-${writerId}.zkjournal`;
    await symlink(outside, join(folder.path, link));
    await writer.deleteFiles();
    expect((await readdir(folder.path)).sort()).toEqual([link, ...foreign].sort());
    writer.write(play.join(2));
    await writer.close();
    expect(changes(await readBack(folder))).toHaveLength(2);
    expect(await readFile(outside, 'utf8')).toBe('kept');
  });

  it('leaves a folder alone that is a link', async () => {
    const play = new Play();
    const { writer, folder } = writerOn(folderOf.path, play);
    for (const entry of play.begin()) writer.write(entry);
    await writer.close();
    const link = join(dirname(folderOf.path), 'link');
    await symlink(folder.path, link);
    await new JournalFolder(link).delete();
    expect(await new JournalFolder(link).bytes()).toBe(0);
    expect(await folder.files()).toHaveLength(1);
  });
});

/** Of a folder only one file. */
class OneFile extends JournalFolder {
  private readonly only: string;

  constructor(path: string, only: string) {
    super(path);
    this.only = only;
  }

  override async files(): ReturnType<JournalFolder['files']> {
    return (await super.files()).filter(({ name }) => name === this.only);
  }
}
