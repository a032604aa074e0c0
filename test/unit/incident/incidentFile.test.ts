import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { linesOf, writeIncident } from '../../../src/incident/writeIncident.ts';
import { headerLine, readHeader } from '../../../src/incident/headerLine.ts';
import { longestHeader } from '../../../src/incident/incidentLimits.ts';
import { openIncident } from '../../../src/incident/openIncident.ts';
import { IncidentError } from '../../../src/incident/incidentError.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { CancelledError } from '../../../src/zookeeper/errors.ts';
import { draft, facts, header, moment, readings, useFolder } from './incidentUnderTest.ts';

const folder = useFolder();

async function saved(name = 'a.zkincident'): Promise<string> {
  const path = join(folder.path, name);
  await writeIncident(path, draft());
  return path;
}

async function lines(): Promise<string[]> {
  const all: string[] = [];
  for await (const line of linesOf('x', draft())) all.push(line);
  return all;
}

async function opened(text: string | Buffer) {
  const path = join(folder.path, 'given.zkincident');
  await writeFile(path, typeof text === 'string' ? gzipSync(text) : text);
  return openIncident(path);
}

function textOf(all: readonly string[]): string {
  return all.map(line => `${line}\n`).join('');
}

describe('an incident file', () => {
  it('gives back what was saved', async () => {
    const incident = await openIncident(await saved());
    expect(incident.problems).toEqual([]);
    expect(incident.header).toEqual({ ...header, version: '1.0' });
    expect(incident.facts).toEqual(facts);
  });

  it('says what is redacted and what is not in it, however much that is', () => {
    const few = { ...header, redacted: true, redaction: 'names', notSearched: ['/a'], notRead: ['/b'] } as const;
    expect(readHeader(JSON.parse(headerLine(few)))).toEqual({ ...few, version: '1.0' });
    const many = Array.from({ length: 200 }, (_, at) => `/${String(at)}${'\u3042'.repeat(190)}`);
    const scope = { kind: 'cluster', paths: many } as const;
    const line = headerLine({ ...header, scope, notSearched: many, notRead: many, changing: many });
    expect(Buffer.byteLength(line)).toBeLessThan(longestHeader);
    expect(readHeader(JSON.parse(line))).toMatchObject({ isSearchCut: true });
  });

  it('is a recording that shows the same queues at its moment', async () => {
    const { recording } = await openIncident(await saved());
    expect(recording.to).toEqual(moment);
    expect(recording.sureFrom).toEqual(moment);
    expect(recording.gaps).toEqual([]);
    const client = recording.at({ zxid: moment.zxid });
    for (const { directory } of readings) {
      const expected = facts.queues.filter(({ queue }) => queue.path === directory.path).map(({ queue }) => queue);
      expect(withoutSince(await readQueues(client, directory.path))).toEqual(withoutSince(expected));
    }
    expect(recording.session(0x1001n)).toMatchObject({ address: '10.0.0.7:4711', host: 'app1.example' });
  });

  it('is gzipped JSON Lines with a header first and an end last', async () => {
    const all = gunzipSync(await readFile(await saved()))
      .toString('utf8')
      .trimEnd()
      .split('\n');
    expect(all).toEqual(await lines());
    expect(JSON.parse(all[0] ?? '')).toMatchObject({ format: 'zkincident', version: '1.0', redacted: false });
    expect(JSON.parse(all.at(-1) ?? '')).toEqual({ type: 'end', lines: all.length - 1 });
  });

  it('may be unpacked', async () => {
    const incident = await opened(Buffer.from(textOf(await lines())));
    expect(incident.problems).toEqual([]);
    expect(incident.facts).toEqual(facts);
  });

  it('may have lines of types, fields and a minor version that are not known', async () => {
    const [first = '', ...rest] = await lines();
    const newer = first.replace('"1.0"', '"1.7"').replace('{', '{"mood":"bad",');
    const end = JSON.stringify({ type: 'end', lines: rest.length + 1 });
    const incident = await opened(textOf([newer, '{"type":"weather","rain":true}', ...rest.slice(0, -1), end]));
    expect(incident.problems).toEqual([]);
    expect(incident.header.version).toBe('1.7');
    expect(incident.facts).toEqual(facts);
  });

  it('replaces a file of its name as a whole, and leaves none beside it', async () => {
    const path = await saved();
    await writeIncident(path, draft());
    expect(await readdir(folder.path)).toEqual(['a.zkincident']);
  });

  it('stays as it was where saving is cancelled or fails', async () => {
    const path = await saved();
    const before = await readFile(path);
    const abort = new AbortController();
    abort.abort();
    await expect(writeIncident(path, draft(), { signal: abort.signal })).rejects.toBeInstanceOf(CancelledError);
    const broken = { ...draft(), entries: failing };
    await expect(writeIncident(path, broken)).rejects.toThrow('gone');
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(folder.path)).toEqual(['a.zkincident']);
    await expect(writeIncident(join(path, 'b'), draft())).rejects.toBeInstanceOf(IncidentError);
  });
});

/** What names and nodes do not say alone: the recording knows when the directory changed last. */
function withoutSince(queues: LockQueue[]): object[] {
  return queues.map(queue => ({
    ...queue,
    contenders: queue.contenders.map(contender => ({ ...contender, heldSince: undefined })),
  }));
}

const failing: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('gone')) }),
};

async function refusal(contents: string | Buffer): Promise<IncidentError> {
  try {
    const incident = await opened(contents);
    await incident.recording.close();
  } catch (error) {
    if (error instanceof IncidentError) return error;
    throw error;
  }
  throw new Error('It was opened.');
}

describe('what is refused', () => {
  it('a newer major version, by its name', async () => {
    const [first = '', ...rest] = await lines();
    const error = await refusal(textOf([first.replace('"1.0"', '"2.0"'), ...rest]));
    expect(error).toMatchObject({ fault: 'newer', version: '2.0' });
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['an empty packed file', ''],
    ['JSON of another kind', '{"format":"other","version":"1.0"}\n'],
    ['a version that is none', '{"format":"zkincident","version":1}\n'],
    ['text', 'Dear reader,\nthis is a letter.\n'],
    ['a header without a span', '{"format":"zkincident","version":"1.0","cluster":{"name":"a"}}\n'],
    ['a packed file that is torn in its header', gzipSync('x'.repeat(1_000)).subarray(0, 15)],
  ])('%s', async (_, contents) => {
    expect((await refusal(contents)).fault).toBe('foreign');
  });

  it('a file without a state of the locks', async () => {
    const [first = '', ...rest] = await lines();
    expect((await refusal(textOf([first, ...rest.filter(line => !line.includes('"complete"'))]))).fault).toBe('empty');
  });

  it('a line that is too long', async () => {
    const [first = ''] = await lines();
    expect((await refusal(`${first}\n{"type":"x","y":"${'z'.repeat(3_000_000)}"}\n`)).fault).toBe('too-large');
  });

  it('what is no file, and what is not there', async () => {
    await expect(openIncident(folder.path)).rejects.toMatchObject({ fault: 'no-file' });
    await expect(openIncident(join(folder.path, 'none'))).rejects.toMatchObject({ fault: 'missing' });
  });

  it('to go on when it is cancelled', async () => {
    const path = await saved();
    const abort = new AbortController();
    abort.abort();
    await expect(openIncident(path, { signal: abort.signal })).rejects.toBeInstanceOf(CancelledError);
  });
});

describe('damage', () => {
  it('is named, and what stands before and after it counts', async () => {
    const all = await lines();
    const at = all.findIndex(line => line.startsWith('{"type":"owner"'));
    const damaged = all.with(at, all[at]?.replace('"type"', 'type') ?? '');
    const incident = await opened(textOf(damaged));
    expect(incident.facts.queues).toEqual(facts.queues);
    expect(incident.facts.explanations).toEqual(facts.explanations);
    expect(incident.facts.owners.size).toBe(1);
    const offset = textOf(all.slice(0, at)).length;
    expect(incident.problems).toMatchObject([{ file: 'given.zkincident', what: 'bad record' }]);
    expect(incident.problems[0]?.offset).toBeGreaterThanOrEqual(offset);
  });

  it('of a file that is cut off is named', async () => {
    const all = await lines();
    const incident = await opened(textOf(all.slice(0, -3)));
    expect(incident.problems).toMatchObject([{ what: 'torn tail' }]);
    expect(incident.facts.queues).toEqual(facts.queues);
    const packed = gzipSync(textOf(all));
    const torn = await opened(packed.subarray(0, packed.length - 20));
    expect(torn.problems.map(({ what }) => what)).toEqual(['torn tail']);
  });

  it('of the checksum is named', async () => {
    const packed = gzipSync(textOf(await lines()));
    packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 1;
    expect((await opened(packed)).problems.map(({ what }) => what)).toEqual(['wrong checksum']);
  });
});
