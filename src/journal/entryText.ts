import { mapOf } from '../locks/nodeData.ts';
import { sessionText, zxidText } from '../base/sessionText.ts';
import { isValidPath } from '../dataTree/znodePath.ts';
import { endCauses, type EndCause, type Moment } from '../history/hold.ts';
import type { JournalEntry, JournalNode, JournalSession } from './entry.ts';

// An entry is one JSON object. Zxids and session ids are texts, "0x" and up to 16 hexadecimal digits in lower case, unsigned; times are
// numbers, epoch ms; data are Base64. What is empty or says nothing new is absent:
//
//   begin, complete, alive, gap   zxid, time; `begin` may have "continues": true
//   node      zxid, time, path, czxid, ctime; mzxid and mtime where they differ from those; version where it is not 0; owner where there is one;
//             data where there are some; "isUnread": true
//   gone      zxid, time, path, czxid
//   cause     path, czxid, ended; endedBy
//   session   id; address, host, process, timeoutMs, how; ended as {zxid, time}

/** A parsed JSON object; names and values are foreign. */
type Fields = ReadonlyMap<string, unknown>;

/** Characters. ZooKeeper refuses requests of more than 1 MB. */
const longestPath = 1_048_576;
/** Bytes, as `keptData` keeps at most. */
const longestData = 65_536;
/** Characters of what an address book says. */
const longestText = 1_024;
const id64 = /^0x[0-9a-f]{1,16}$/;

const knownCauses: ReadonlySet<unknown> = new Set(endCauses);

/** One JSON object, without a line end. `parseEntry` reads it. */
export function formatEntry(entry: JournalEntry): string {
  return JSON.stringify(fieldsOf(entry));
}

function fieldsOf(entry: JournalEntry): object {
  const { type } = entry;
  if (type === 'cause') return { type, ...causeFields(entry) };
  if (type === 'session') return { type, ...sessionFields(entry.session) };
  const at = momentFields(entry.at);
  switch (type) {
    case 'node':
      return { type, ...at, ...nodeFields(entry.node) };
    case 'gone':
      return { type, ...at, path: entry.path, czxid: zxidText(entry.czxid) };
    case 'begin':
      return { type, ...at, ...(entry.continues === true && { continues: true }) };
    case 'complete':
    case 'alive':
    case 'gap':
      return { type, ...at };
  }
}

function causeFields({ path, czxid, ended, endedBy }: JournalEntry & { type: 'cause' }): object {
  return { path, czxid: zxidText(czxid), ended, ...(endedBy !== undefined && { endedBy: sessionText(endedBy) }) };
}

function momentFields({ zxid, time }: Moment): { zxid: string; time: number } {
  return { zxid: zxidText(zxid), time };
}

function nodeFields({ path, czxid, mzxid, ctime, mtime, version, owner, data, isUnread }: JournalNode): object {
  return {
    path,
    czxid: zxidText(czxid),
    ctime,
    ...(mzxid !== czxid && { mzxid: zxidText(mzxid) }),
    ...(mtime !== ctime && { mtime }),
    ...(version !== 0 && { version }),
    ...(owner !== 0n && { owner: sessionText(owner) }),
    ...(data.length > 0 && { data: Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64') }),
    ...(isUnread === true && { isUnread }),
  };
}

function sessionFields({ id, address, host, process, timeoutMs, ended, how }: JournalSession): object {
  return {
    id: sessionText(id),
    address: address?.slice(0, longestText),
    host: host?.slice(0, longestText),
    process: process?.slice(0, longestText),
    timeoutMs,
    ...(ended && { ended: momentFields(ended) }),
    how,
  };
}

/**
 * Reads an entry. Total: foreign input of any form gives an answer.
 *
 * @param value parsed JSON
 * @returns `undefined` for what is no entry, or of a type that is not known
 */
export function parseEntry(value: unknown): JournalEntry | undefined {
  const fields = mapOf(value);
  return fields && entryOf(fields);
}

function entryOf(fields: Fields): JournalEntry | undefined {
  const type = fields.get('type');
  if (type === 'cause') return causeOf(fields);
  if (type === 'session') {
    const session = sessionOf(fields);
    return session && { type, session };
  }
  if (!isSeenType(type)) return undefined;
  const at = momentOf(fields);
  return at && seenAt(type, at, fields);
}

type SeenType = Exclude<JournalEntry['type'], 'cause' | 'session'>;
const seenTypes: ReadonlySet<unknown> = new Set<SeenType>(['node', 'gone', 'begin', 'complete', 'alive', 'gap']);

function isSeenType(type: unknown): type is SeenType {
  return seenTypes.has(type);
}

function seenAt(type: SeenType, at: Moment, fields: Fields): JournalEntry | undefined {
  if (type === 'begin') return fields.get('continues') === true ? { type, at, continues: true } : { type, at };
  if (type === 'node') {
    const node = nodeOf(fields);
    return node && { type, at, node };
  }
  if (type !== 'gone') return { type, at };
  const path = pathOf(fields);
  const czxid = zxidOf(fields, 'czxid');
  return path === undefined || czxid === undefined ? undefined : { type, at, path, czxid };
}

function causeOf(fields: Fields): JournalEntry | undefined {
  const path = pathOf(fields);
  const czxid = zxidOf(fields, 'czxid');
  const ended = fields.get('ended');
  const endedBy = idOf(fields, 'endedBy');
  if (path === undefined || czxid === undefined || !isEndCause(ended)) return undefined;
  if (endedBy === undefined) return fields.has('endedBy') ? undefined : { type: 'cause', path, czxid, ended };
  return { type: 'cause', path, czxid, ended, endedBy };
}

function isEndCause(value: unknown): value is EndCause {
  return knownCauses.has(value);
}

function nodeOf(fields: Fields): JournalNode | undefined {
  const path = pathOf(fields);
  const czxid = zxidOf(fields, 'czxid');
  const ctime = timeOf(fields, 'ctime');
  if (path === undefined || czxid === undefined || ctime === undefined) return undefined;
  const written = writtenOf(fields, { mzxid: czxid, mtime: ctime });
  const owner = fields.has('owner') ? idOf(fields, 'owner') : 0n;
  const data = fields.has('data') ? dataOf(fields.get('data')) : noData();
  if (written === undefined || owner === undefined || data === undefined) return undefined;
  const node: JournalNode = { path, czxid, ctime, ...written, owner, data };
  if (fields.get('isUnread') === true) node.isUnread = true;
  return node;
}

/** @param created what holds for a node that was not written since it was created */
function writtenOf(
  fields: Fields,
  created: Pick<JournalNode, 'mzxid' | 'mtime'>,
): Pick<JournalNode, 'mzxid' | 'mtime' | 'version'> | undefined {
  const mzxid = fields.has('mzxid') ? zxidOf(fields, 'mzxid') : created.mzxid;
  const mtime = fields.has('mtime') ? timeOf(fields, 'mtime') : created.mtime;
  const version = fields.has('version') ? int32Of(fields, 'version') : 0;
  return mzxid === undefined || mtime === undefined || version === undefined ? undefined : { mzxid, mtime, version };
}

function sessionOf(fields: Fields): JournalSession | undefined {
  const id = idOf(fields, 'id');
  if (id === undefined) return undefined;
  const session: JournalSession = { id };
  for (const name of ['address', 'host', 'process'] as const) {
    const text = fields.get(name);
    if (typeof text === 'string' && text.length <= longestText) session[name] = text;
  }
  const timeoutMs = int32Of(fields, 'timeoutMs');
  if (timeoutMs !== undefined) session.timeoutMs = timeoutMs;
  const ended = mapOf(fields.get('ended'));
  const moment = ended && momentOf(ended);
  if (moment !== undefined) session.ended = moment;
  const how = fields.get('how');
  if (how === 'closed' || how === 'expired') session.how = how;
  return session;
}

function momentOf(fields: Fields): Moment | undefined {
  const zxid = zxidOf(fields, 'zxid');
  const time = timeOf(fields, 'time');
  return zxid === undefined || time === undefined ? undefined : { zxid, time };
}

function pathOf(fields: Fields): string | undefined {
  const path = fields.get('path');
  return typeof path === 'string' && path.length <= longestPath && isValidPath(path) ? path : undefined;
}

function idOf(fields: Fields, name: string): bigint | undefined {
  const text = fields.get(name);
  return typeof text === 'string' && id64.test(text) ? BigInt.asIntN(64, BigInt(text)) : undefined;
}

/** Zxids only grow from 0. */
function zxidOf(fields: Fields, name: string): bigint | undefined {
  const zxid = idOf(fields, name);
  return zxid === undefined || zxid < 0n ? undefined : zxid;
}

function timeOf(fields: Fields, name: string): number | undefined {
  const time = fields.get(name);
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

function int32Of(fields: Fields, name: string): number | undefined {
  const value = fields.get(name);
  return typeof value === 'number' && (value | 0) === value ? value : undefined;
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function dataOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length > longestData * 1.5 || !base64.test(value)) return undefined;
  // A copy: small buffers are parts of a large one, which each of them would keep.
  const data = new Uint8Array(Buffer.from(value, 'base64'));
  return data.length > longestData ? undefined : data;
}

function noData(): Uint8Array {
  return new Uint8Array(0);
}
