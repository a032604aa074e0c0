import { JuteReader } from '../../src/zookeeper/wire/jute.ts';
import { Op, readIdentities, readStat, type Identity, type Stat } from '../../src/zookeeper/wire/records.ts';
import type { AclEntry, Request } from './requests.ts';

/** What the body of a reply holds; which fields there are depends on the request. */
export interface ReplyBody {
  path?: string;
  stat?: Stat;
  /** `null` is a length of -1. */
  data?: string | null;
  children?: string[];
  acl?: AclEntry[];
  identities?: Identity[];
  number?: number;
  parts?: { type: number; err: number; body: ReplyBody }[];
  /** Hexadecimal: bytes that nothing explains. */
  rest?: string;
}

export interface Reply {
  kind: 'reply';
  op: Request['op'];
  xid: number;
  zxid: bigint;
  err: number;
  body: ReplyBody;
}

export interface WatchEvent {
  kind: 'event';
  zxid: bigint;
  type: number;
  state: number;
  path: string;
}

type Decoder = (reader: JuteReader) => ReplyBody;

const none: Decoder = () => ({});
const path: Decoder = reader => ({ path: reader.string() });
const stat: Decoder = reader => ({ stat: readStat(reader) });
const pathAndStat: Decoder = reader => ({ path: reader.string(), stat: readStat(reader) });
const number: Decoder = reader => ({ number: reader.int() });
const children: Decoder = reader => ({ children: reader.strings() });
const dataAndStat: Decoder = reader => ({ data: nullableText(reader), stat: readStat(reader) });

/** Null and empty data are two things for a client. */
function nullableText(reader: JuteReader): string | null {
  const bytes = reader.optionalBytes();
  return bytes === undefined ? null : Buffer.from(bytes).toString('utf8');
}

function readAclEntries(reader: JuteReader): AclEntry[] {
  const count = reader.int();
  return Array.from({ length: count }, () => ({ perms: reader.int(), scheme: reader.string(), id: reader.string() }));
}

const decoders: Record<Exclude<Request['op'], 'raw'>, Decoder> = {
  create: path,
  create2: pathAndStat,
  createContainer: pathAndStat,
  createTtl: pathAndStat,
  delete: none,
  check: none,
  exists: stat,
  getData: dataAndStat,
  setData: stat,
  getAcl: reader => ({ acl: readAclEntries(reader), stat: readStat(reader) }),
  setAcl: stat,
  getChildren: children,
  getChildren2: reader => ({ children: reader.strings(), stat: readStat(reader) }),
  sync: path,
  ping: none,
  multi: readParts,
  multiRead: readParts,
  checkWatches: none,
  removeWatches: none,
  auth: none,
  setWatches: none,
  setWatches2: none,
  getEphemerals: children,
  getAllChildrenNumber: number,
  addWatch: number,
  whoAmI: reader => ({ identities: readIdentities(reader) }),
  closeSession: none,
};

/** Names of the requests that a program may contain. */
export const operations: readonly string[] = Object.keys(decoders);

/** By the type in the header of a part. */
const partDecoders = new Map<number, Decoder>([
  [Op.error, number],
  [Op.create, path],
  [Op.delete, none],
  [Op.getData, dataAndStat],
  [Op.setData, stat],
  [Op.getChildren, children],
  [Op.check, none],
  [Op.create2, pathAndStat],
]);

function readParts(reader: JuteReader): ReplyBody {
  const parts: NonNullable<ReplyBody['parts']> = [];
  for (;;) {
    const type = reader.int();
    const done = reader.bool();
    const err = reader.int();
    if (done) return { parts };
    const decode = partDecoders.get(type);
    if (decode === undefined) throw new Error(`A part of a multi has the type ${type}.`);
    parts.push({ type, err, body: decode(reader) });
  }
}

/**
 * Decodes what follows the header of a reply, also beside an error: a `multiRead` that is refused brings some parts all the same.
 *
 * @param payload the frame without its length
 */
export function decodeBody(op: Request['op'], payload: Buffer): ReplyBody {
  const body = payload.subarray(16);
  if (body.length === 0) return {};
  if (op === 'raw') return { rest: body.toString('hex') };
  const reader = new JuteReader(body);
  try {
    const decoded = decoders[op](reader);
    return reader.isAtEnd ? decoded : { ...decoded, rest: 'more bytes than the reply has' };
  } catch (error) {
    return { rest: `${body.toString('hex')}: ${String(error)}` };
  }
}

/** @param payload a frame without its length, whose xid is -1 */
export function decodeEvent(payload: Buffer): WatchEvent {
  const reader = new JuteReader(payload);
  reader.int();
  const zxid = reader.long();
  reader.int();
  return { kind: 'event', zxid, type: reader.int(), state: reader.int(), path: reader.string() };
}
