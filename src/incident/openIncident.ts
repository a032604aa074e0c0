import { basename } from 'node:path';
import { parseEntry } from '../journal/entryText.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { recordingOf } from '../journal/journalRecording.ts';
import type { Problem, ProblemKind } from '../replay/recording.ts';
import { FactReader } from './factReader.ts';
import { fileLines, type FileLine, type LineOptions } from './fileLines.ts';
import { readHeader } from './headerLine.ts';
import type { Incident, IncidentFacts, IncidentHeader } from './incident.ts';
import { IncidentError } from './incidentError.ts';
import { mostBadLines, mostEntries, mostKeptBytes, mostProblems } from './incidentLimits.ts';
import { objectOf, wholeField } from './lineFields.ts';

/**
 * Opens an incident file: reads all of it, and nothing else. What stands intact before damage counts; the rest is named in `problems`.
 *
 * @throws IncidentError for a file that cannot be opened; CancelledError
 */
export async function openIncident(path: string, options: LineOptions = {}): Promise<Incident> {
  const contents = new Contents(path);
  const batches = contents.read(fileLines(path, options));
  // The header comes first: a foreign file is refused before anything is made of it.
  const first = await batches.next();
  const recording = await recordingOf(all(first, batches), options.signal && { signal: options.signal });
  const { header, facts, problems } = contents;
  if (header === undefined || !contents.hasState) {
    await recording.close();
    throw new IncidentError(path, header === undefined ? 'foreign' : 'empty');
  }
  return { header, recording, facts, problems: [...problems, ...recording.problems].slice(0, mostProblems) };
}

async function* all<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncGenerator<T> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

/** What has been read of one file. */
class Contents {
  header: IncidentHeader | undefined;
  readonly problems: Problem[] = [];
  /** Whether there is a moment of which everything is known. */
  hasState = false;
  private readonly path: string;
  private readonly reader = new FactReader();
  private lines = 0;
  private entries = 0;
  private keptBytes = 0;
  private badLines = 0;
  private factsLeftOut = 0;
  private hasEnd = false;

  constructor(path: string) {
    this.path = path;
  }

  get facts(): IncidentFacts {
    return this.reader.facts;
  }

  /** The entries, once the header is known; the facts are taken on the way. */
  async *read(lines: AsyncIterable<FileLine[]>): AsyncGenerator<JournalEntry[], void> {
    let offset = 0;
    for await (const batch of lines) {
      const entries: JournalEntry[] = [];
      for (const line of batch) {
        offset = line.offset;
        if (this.badLines <= mostBadLines) this.take(line, entries);
      }
      if (this.header !== undefined) yield entries;
      if (this.badLines > mostBadLines) break;
    }
    if (!this.hasEnd && this.problems.every(({ what }) => what !== 'torn tail')) this.note('torn tail', offset);
  }

  private take(line: FileLine, entries: JournalEntry[]): void {
    const { value, problem, offset, bytes } = line;
    if (this.header === undefined) {
      this.header = this.headerOf(value);
      this.lines++;
      return;
    }
    if (problem !== undefined) this.noteBad(problem, offset);
    else if (!this.takeEntry(value, entries, bytes)) this.takeOther(value, offset, bytes);
    this.lines++;
  }

  private headerOf(value: unknown): IncidentHeader {
    const header = readHeader(value);
    if (!('refused' in header)) return header;
    throw new IncidentError(this.path, header.refused, 'version' in header ? { version: header.version } : {});
  }

  private takeEntry(value: unknown, entries: JournalEntry[], bytes: number): boolean {
    const entry = parseEntry(value);
    if (entry === undefined) return false;
    this.keep(bytes);
    if (++this.entries > mostEntries) throw new IncidentError(this.path, 'too-large');
    if (entry.type === 'complete') this.hasState = true;
    entries.push(entry);
    return true;
  }

  private takeOther(value: unknown, offset: number, bytes: number): void {
    const type = objectOf(value)?.['type'];
    if (type === 'end') this.takeEnd(value, offset);
    else if (typeof type !== 'string' || entryTypes.has(type)) this.noteBad('bad record', offset);
    else {
      const reading = this.reader.take(value);
      if (reading === 'bad') this.noteBad('bad record', offset);
      if (reading === 'taken') this.keep(bytes);
      if (reading === 'full' && this.factsLeftOut++ === 0) this.note('bad record', offset);
    }
  }

  private takeEnd(value: unknown, offset: number): void {
    this.hasEnd = true;
    if (wholeField(objectOf(value)?.['lines']) !== this.lines) this.note('bad record', offset);
  }

  private keep(bytes: number): void {
    this.keptBytes += bytes;
    if (this.keptBytes > mostKeptBytes) throw new IncidentError(this.path, 'too-large');
  }

  private noteBad(what: ProblemKind, offset: number): void {
    this.badLines++;
    this.note(what, offset);
  }

  private note(what: ProblemKind, offset: number): void {
    if (this.problems.length < mostProblems) this.problems.push({ file: basename(this.path), offset, what });
  }
}

/** Lines of these types that are no entries are damaged. */
const entryTypes: ReadonlySet<string> = new Set<JournalEntry['type']>([
  'begin',
  'complete',
  'node',
  'gone',
  'cause',
  'session',
  'alive',
  'gap',
]);
