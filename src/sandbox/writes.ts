import { isTtl, type SingleWrite } from '../dataTree/prepare.ts';
import type { Applied } from '../dataTree/dataTree.ts';
import { MalformedReplyError, type JuteReader, type JuteWriter } from '../zookeeper/wire/jute.ts';
import { Op, readAclBits, writeStat } from '../zookeeper/wire/records.ts';
import { limits } from './limits.ts';

function writePath(writer: JuteWriter, { path = '' }: Applied): void {
  writer.string(path);
}

function writeAppliedStat(writer: JuteWriter, { stat }: Applied): void {
  if (stat !== undefined) writeStat(writer, stat);
}

function writePathAndStat(writer: JuteWriter, applied: Applied): void {
  writePath(writer, applied);
  writeAppliedStat(writer, applied);
}

const noBytes = new Uint8Array(0);

/** Data of a request; kept, so not a view into the frame. */
function ownBytes(reader: JuteReader): Uint8Array | undefined {
  const bytes = reader.optionalBytes();
  return bytes?.length === 0 ? noBytes : bytes && new Uint8Array(bytes);
}

/** The real server stumbles over null where it needs a text or a list. @throws MalformedReplyError */
export function refuseNull(reader: JuteReader): void {
  if (reader.isAtNull) throw new MalformedReplyError('null');
}

export function readPath(reader: JuteReader): string {
  refuseNull(reader);
  return reader.string();
}

function readCreate(reader: JuteReader, kind: 'plain' | 'container' | 'ttl'): SingleWrite {
  const path = reader.string();
  const data = ownBytes(reader);
  const acl = readAclBits(reader);
  const flags = reader.int();
  return { op: 'create', path, data, acl, flags, kind, ttl: kind === 'ttl' ? reader.long() : -1n };
}

interface Write {
  read: (reader: JuteReader) => SingleWrite;
  /** Writes the body of the reply. */
  write: (writer: JuteWriter, applied: Applied) => void;
}

const nothing = (): void => undefined;

/** The writes, by their number in requests and in the parts of a multi. */
export const writes: ReadonlyMap<number, Write> = new Map<number, Write>([
  [Op.create, { read: reader => readCreate(reader, 'plain'), write: writePath }],
  [Op.create2, { read: reader => readCreate(reader, 'plain'), write: writePathAndStat }],
  [Op.createContainer, { read: reader => readCreate(reader, 'container'), write: writePathAndStat }],
  [Op.createTtl, { read: reader => readCreate(reader, 'ttl'), write: writePathAndStat }],
  [Op.delete, { read: reader => ({ op: 'delete', path: reader.string(), version: reader.int() }), write: nothing }],
  [Op.deleteContainer, { read: reader => ({ op: 'deleteContainer', path: readPath(reader) }), write: nothing }],
  [
    Op.setData,
    {
      read: reader => ({ op: 'setData', path: reader.string(), data: ownBytes(reader), version: reader.int() }),
      write: writeAppliedStat,
    },
  ],
  [
    Op.setAcl,
    {
      read: reader => ({ op: 'setAcl', path: reader.string(), acl: readAclBits(reader), version: reader.int() }),
      write: writeAppliedStat,
    },
  ],
  [Op.check, { read: reader => ({ op: 'check', path: reader.string(), version: reader.int() }), write: nothing }],
]);

/** What a multi may hold. */
const multiParts: ReadonlySet<number> = new Set([
  Op.create,
  Op.create2,
  Op.createContainer,
  Op.createTtl,
  Op.delete,
  Op.setData,
  Op.check,
]);

/** Reads the parts of a multi or multiRead: each a header {type, done, error} and a record. @throws MalformedReplyError */
export function* readParts(reader: JuteReader): Generator<number> {
  for (let count = 0; ; count++) {
    if (count > limits.parts) throw new MalformedReplyError(`a multi of more than ${limits.parts} parts`);
    const type = reader.int();
    const isDone = reader.bool();
    reader.int();
    if (isDone) return;
    yield type;
  }
}

/** One write of a multi. */
export interface Part {
  /** Of the request that it is, which need not be the one that was sent. */
  type: number;
  request: SingleWrite;
}

/**
 * In a multi the mode decides what a create makes, where alone the request does; a wrong mode makes the multi unreadable as a whole
 * (MultiOperationRecord.java, Op.java).
 */
function partOf(type: number, request: SingleWrite): Part | undefined {
  if (request.op !== 'create') return { type, request };
  const { flags, kind } = request;
  if (kind !== 'ttl' && (flags < 0 || flags > 4)) return undefined;
  if (flags === 4) return { type: Op.createContainer, request: { ...request, kind: 'container' } };
  return kind === 'ttl' && !isTtl(flags)
    ? { type: Op.create, request: { ...request, kind: 'plain' } }
    : { type, request };
}

/** @throws MalformedReplyError */
export function readMulti(reader: JuteReader): Part[] {
  const parts: Part[] = [];
  for (const type of readParts(reader)) {
    if (multiParts.has(type)) refuseNull(reader);
    const request = multiParts.has(type) ? writes.get(type)?.read(reader) : undefined;
    const part = request && partOf(type, request);
    if (part === undefined) throw new MalformedReplyError(`a part of type ${type} in a multi`);
    parts.push(part);
  }
  return parts;
}
