import { timeAt, type JuteReader, type JuteWriter } from './jute.ts';

/** Request types (ZooDefs.OpCode), with the first release of those that are younger than 3.4. */
export const Op = {
  error: -1,
  create: 1,
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  getAcl: 6,
  setAcl: 7,
  getChildren: 8,
  sync: 9,
  ping: 11,
  getChildren2: 12,
  check: 13,
  multi: 14,
  create2: 15, // 3.5.0
  reconfig: 16, // 3.5.0
  checkWatches: 17, // 3.5.0
  removeWatches: 18, // 3.5.0
  createContainer: 19, // 3.5.1
  deleteContainer: 20, // 3.5.1
  createTtl: 21, // 3.5.3
  multiRead: 22, // 3.6.0
  auth: 100,
  setWatches: 101,
  sasl: 102,
  getEphemerals: 103, // 3.6.0
  getAllChildrenNumber: 104, // 3.6.0
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

/** What a Stat takes, bytes. */
export const statBytes = 68;

/**
 * A Stat that stays in its reply: a field is read when it is asked for. Of 10,000 contenders most fields are never looked at, and each
 * id would take an object of its own. It has no fields to be copied by `...`.
 */
export class StatInReply implements Stat {
  private readonly view: DataView;
  private readonly at: number;

  /** @param at where it begins in `view`, bytes; all of it must be there */
  constructor(view: DataView, at: number) {
    this.view = view;
    this.at = at;
  }

  get czxid(): bigint {
    return this.view.getBigInt64(this.at);
  }

  get mzxid(): bigint {
    return this.view.getBigInt64(this.at + 8);
  }

  get ctime(): number {
    return timeAt(this.view, this.at + 16);
  }

  get mtime(): number {
    return timeAt(this.view, this.at + 24);
  }

  get version(): number {
    return this.view.getInt32(this.at + 32);
  }

  get cversion(): number {
    return this.view.getInt32(this.at + 36);
  }

  get aversion(): number {
    return this.view.getInt32(this.at + 40);
  }

  get ephemeralOwner(): bigint {
    return this.view.getBigInt64(this.at + 44);
  }

  get dataLength(): number {
    return this.view.getInt32(this.at + 52);
  }

  get numChildren(): number {
    return this.view.getInt32(this.at + 56);
  }

  get pzxid(): bigint {
    return this.view.getBigInt64(this.at + 60);
  }
}

/** Writes a Stat. */
export function writeStat(writer: JuteWriter, stat: Stat): void {
  writer.long(stat.czxid).long(stat.mzxid).time(stat.ctime).time(stat.mtime);
  writer.int(stat.version).int(stat.cversion).int(stat.aversion).long(stat.ephemeralOwner);
  writer.int(stat.dataLength).int(stat.numChildren).long(stat.pzxid);
}

// ZooDefs.Perms, in the order in which the field writes them.
const permissionBits: readonly (readonly [string, number])[] = [
  ['c', 4],
  ['d', 8],
  ['r', 1],
  ['w', 2],
  ['a', 16],
];

/** An entry of an ACL as the wire has it: rights are bits. */
export interface AclBits {
  scheme: string;
  id: string;
  permissions: number;
}

/** Reads an ACL list. */
export function readAclBits(reader: JuteReader): AclBits[] {
  const count = reader.count(12);
  const acl: AclBits[] = [];
  for (let index = 0; index < count; index++) {
    const permissions = reader.int();
    acl.push({ permissions, scheme: reader.string(), id: reader.string() });
  }
  return acl;
}

/** Writes an ACL list. */
export function writeAclBits(writer: JuteWriter, acl: readonly AclBits[]): void {
  writer.int(acl.length);
  for (const { permissions, scheme, id } of acl) writer.int(permissions).string(scheme).string(id);
}

/** Reads an ACL list; rights become `cdrwa` letters. */
export function readAcl(reader: JuteReader): Acl[] {
  return inLetters(readAclBits(reader));
}

/** An ACL list with rights as `cdrwa` letters. */
export function inLetters(acl: readonly AclBits[]): Acl[] {
  return acl.map(({ permissions: bits, scheme, id }) => {
    const permissions = permissionBits.map(([letter, bit]) => ((bits & bit) === 0 ? '' : letter)).join('');
    return { permissions, scheme, id };
  });
}

/** Reads the answer of whoAmI: a list of ClientInfo (zookeeper.jute). */
export function readIdentities(reader: JuteReader): Identity[] {
  const count = reader.count(8);
  const identities: Identity[] = [];
  for (let index = 0; index < count; index++) identities.push({ scheme: reader.string(), user: reader.string() });
  return identities;
}

/** Writes an ACL list whose rights are `cdrwa` letters. */
export function writeAcl(writer: JuteWriter, acl: readonly Acl[]): void {
  const bitsOf = (letters: string): number =>
    permissionBits.reduce((sum, [letter, bit]) => (letters.includes(letter) ? sum | bit : sum), 0);
  writeAclBits(
    writer,
    acl.map(({ permissions, scheme, id }) => ({ permissions: bitsOf(permissions), scheme, id })),
  );
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
  /** Of the change, from the header of the reply; absent for servers before 3.9 (ZOOKEEPER-4655). */
  zxid?: bigint;
}

/** Numbers of the events that concern a node (Watcher.Event.EventType). */
const eventNumbers: Readonly<Record<ServerEvent['type'], number>> = {
  created: 1,
  deleted: 2,
  dataChanged: 3,
  childrenChanged: 4,
};

const eventTypes = new Map(
  Object.entries(eventNumbers).map(([type, number]) => [number, type as ServerEvent['type']] as const),
);

/** KeeperState.SyncConnected: the state that every event of a node has. */
const syncConnected = 3;

/** Writes a WatcherEvent. */
export function writeEvent(writer: JuteWriter, { type, path }: ServerEvent): void {
  writer.int(eventNumbers[type]).int(syncConnected).string(path);
}

/** Reads a WatcherEvent; `undefined` for types that concern no node (removed watches, session events, unknown ones). */
export function readEvent(reader: JuteReader): ServerEvent | undefined {
  const type = eventTypes.get(reader.int());
  reader.int();
  const path = reader.string();
  return type === undefined || !path.startsWith('/') ? undefined : { type, path };
}
