import type { Acl, CreateMode, Identity, Stat } from '../client.ts';
import type { JuteReader } from './juteReader.ts';
import type { JuteWriter } from './juteWriter.ts';

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
