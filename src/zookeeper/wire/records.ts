import type { JuteReader, JuteWriter } from './jute.ts';

/** Request types (ZooDefs.OpCode), with the first release of those that are younger than 3.4. */
export const Op = {
  error: -1,
  create: 1,
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  getAcl: 6,
  getChildren: 8,
  sync: 9,
  ping: 11,
  getChildren2: 12,
  check: 13,
  multi: 14,
  create2: 15, // 3.5.0
  removeWatches: 18, // 3.5.0
  createContainer: 19, // 3.5.1
  multiRead: 22, // 3.6.0
  auth: 100,
  setWatches: 101,
  sasl: 102,
  setWatches2: 105, // 3.6.0
  addWatch: 106, // 3.6.0
  whoAmI: 107, // 3.7.0
  closeSession: -11,
} as const;

/** A znode's stat. Ids are bigint (64-bit, signed), times epoch milliseconds of the server's clock, sizes bytes. */
export interface Stat {
  czxid: bigint;
  mzxid: bigint;
  ctime: number;
  mtime: number;
  version: number;
  cversion: number;
  aversion: number;
  /** Session that owns an ephemeral node; 0n for every other node. May be negative. */
  ephemeralOwner: bigint;
  dataLength: number;
  numChildren: number;
  pzxid: bigint;
}

export type CreateMode =
  | 'persistent'
  | 'persistent_sequential'
  | 'ephemeral'
  | 'ephemeral_sequential'
  /** Removed by the server once it is empty again (3.5.1+); falls back to `persistent` on older servers. */
  | 'container';

/** Rights are `cdrwa` letters. */
export interface Acl {
  scheme: string;
  id: string;
  permissions: string;
}

/** Our identity on a server: `ip` and the address, `digest` and `user:hash` or the user, `sasl` and the user, ... */
export interface Identity {
  scheme: string;
  user: string;
}

/** Reads a Stat (zookeeper.jute), 68 bytes. */
export function readStat(reader: JuteReader): Stat {
  return {
    czxid: reader.long(),
    mzxid: reader.long(),
    ctime: reader.time(),
    mtime: reader.time(),
    version: reader.int(),
    cversion: reader.int(),
    aversion: reader.int(),
    ephemeralOwner: reader.long(),
    dataLength: reader.int(),
    numChildren: reader.int(),
    pzxid: reader.long(),
  };
}

// ZooDefs.Perms, in the order in which the field writes them.
const permissionBits: readonly (readonly [string, number])[] = [
  ['c', 4],
  ['d', 8],
  ['r', 1],
  ['w', 2],
  ['a', 16],
];

/** Reads an ACL list; rights become `cdrwa` letters. */
export function readAcl(reader: JuteReader): Acl[] {
  const count = reader.int();
  const acl: Acl[] = [];
  for (let index = 0; index < count; index++) {
    const bits = reader.int();
    const permissions = permissionBits.map(([letter, bit]) => ((bits & bit) === 0 ? '' : letter)).join('');
    acl.push({ permissions, scheme: reader.string(), id: reader.string() });
  }
  return acl;
}

/** Reads the answer of whoAmI: a list of ClientInfo (zookeeper.jute). */
export function readIdentities(reader: JuteReader): Identity[] {
  const count = reader.int();
  const identities: Identity[] = [];
  for (let index = 0; index < count; index++) identities.push({ scheme: reader.string(), user: reader.string() });
  return identities;
}

/** Writes an ACL list. */
export function writeAcl(writer: JuteWriter, acl: readonly Acl[]): void {
  writer.int(acl.length);
  for (const entry of acl) {
    const bits = permissionBits.reduce(
      (sum, [letter, bit]) => (entry.permissions.includes(letter) ? sum | bit : sum),
      0,
    );
    writer.int(bits).string(entry.scheme).string(entry.id);
  }
}

/** Flags of the create requests (CreateMode.java). */
export const createFlags: Readonly<Record<CreateMode, number>> = {
  persistent: 0,
  ephemeral: 1,
  persistent_sequential: 2,
  ephemeral_sequential: 3,
  container: 4,
};

export interface ServerEvent {
  type: 'created' | 'deleted' | 'dataChanged' | 'childrenChanged';
  path: string;
}

const eventTypes = new Map<number, ServerEvent['type']>([
  [1, 'created'],
  [2, 'deleted'],
  [3, 'dataChanged'],
  [4, 'childrenChanged'],
]);

/** Reads a WatcherEvent; `undefined` for types that concern no node (removed watches, session events, unknown ones). */
export function readEvent(reader: JuteReader): ServerEvent | undefined {
  const type = eventTypes.get(reader.int());
  reader.int();
  const path = reader.string();
  return type === undefined || !path.startsWith('/') ? undefined : { type, path };
}
