import type { AclEntry } from '../dataTree/acl.ts';
import { Znode } from '../dataTree/znode.ts';
import { copiedBytes, KeptText, type StoredData } from './storedData.ts';

/** Versions in a block. */
export const blockLength = 4_096;
/** Bytes of a version, without its data. */
const versionBytes = 88;
/** Where its facts stand: four ids, two times, then 32-bit numbers. */
const Place = {
  czxid: 0,
  mzxid: 8,
  pzxid: 16,
  owner: 24,
  ctime: 32,
  mtime: 40,
  version: 48,
  aversion: 52,
  childrenCreated: 56,
  childCount: 60,
  checkpoint: 64,
  before: 68,
  acl: 72,
  dataStart: 76,
  dataLength: 80,
  room: 84,
} as const;

/** As `dataLength`: null, and data that are in a file. */
const noData = -1;
const inFile = -2;

/**
 * Some thousand versions of nodes. An object for each would take six times the memory, and the garbage collector through all of them.
 * A version is known by its index; nothing here says which node it is of.
 */
export class VersionBlock {
  private readonly facts = new DataView(new ArrayBuffer(blockLength * versionBytes));
  /** Data of the versions, one after the other. */
  private bytes = Buffer.allocUnsafeSlow(blockLength * 16);
  private used = 0;

  /** Bytes. */
  get size(): number {
    return this.facts.byteLength + this.bytes.length;
  }

  /** Number of the checkpoint that a version is of. */
  checkpoint(index: number): number {
    return this.number(index, Place.checkpoint);
  }

  /** The next older version of the same node, as the owner numbers them. */
  before(index: number): number {
    return this.number(index, Place.before);
  }

  link(index: number, checkpoint: number, before: number): void {
    this.setNumber(index, Place.checkpoint, checkpoint);
    this.setNumber(index, Place.before, before);
  }

  /** Number of the ACL list. */
  acl(index: number): number {
    return this.number(index, Place.acl);
  }

  setAcl(index: number, acl: number): void {
    this.setNumber(index, Place.acl, acl);
  }

  /** Whether the facts that change with every change of a node are those of another one. */
  isOf(index: number, { czxid, mzxid, pzxid, version, aversion, childCount }: Znode<StoredData>): boolean {
    const { facts } = this;
    const start = index * versionBytes;
    return (
      facts.getInt32(start + Place.version) === version &&
      facts.getInt32(start + Place.aversion) === aversion &&
      facts.getInt32(start + Place.childCount) === childCount &&
      facts.getBigInt64(start + Place.czxid) === czxid &&
      facts.getBigInt64(start + Place.mzxid) === mzxid &&
      facts.getBigInt64(start + Place.pzxid) === pzxid
    );
  }

  /** Writes the facts of a node, and its data unless they are in a file. */
  write(index: number, node: Znode<StoredData>): void {
    const { facts } = this;
    const start = index * versionBytes;
    facts.setBigInt64(start + Place.czxid, node.czxid);
    facts.setBigInt64(start + Place.mzxid, node.mzxid);
    facts.setBigInt64(start + Place.pzxid, node.pzxid);
    facts.setBigInt64(start + Place.owner, node.owner);
    facts.setFloat64(start + Place.ctime, node.ctime);
    facts.setFloat64(start + Place.mtime, node.mtime);
    facts.setInt32(start + Place.version, node.version);
    facts.setInt32(start + Place.aversion, node.aversion);
    facts.setInt32(start + Place.childrenCreated, node.childrenCreated);
    facts.setInt32(start + Place.childCount, node.childCount);
    this.writeData(index, node.data);
  }

  /** @param dataInFile where the data are if they are in a file */
  read(index: number, acl: readonly AclEntry[], dataInFile: StoredData | undefined): Znode<StoredData> {
    const { facts } = this;
    const start = index * versionBytes;
    const length = facts.getInt32(start + Place.dataLength);
    // A copy: the room may get other data.
    const data = length >= 0 ? copiedBytes(this.bytes, facts.getInt32(start + Place.dataStart), length) : dataInFile;
    const owner = facts.getBigInt64(start + Place.owner);
    const czxid = facts.getBigInt64(start + Place.czxid);
    const node = new Znode<StoredData>(data, acl, owner, czxid, facts.getFloat64(start + Place.ctime));
    node.mzxid = facts.getBigInt64(start + Place.mzxid);
    node.pzxid = facts.getBigInt64(start + Place.pzxid);
    node.mtime = facts.getFloat64(start + Place.mtime);
    node.version = facts.getInt32(start + Place.version);
    node.aversion = facts.getInt32(start + Place.aversion);
    node.childrenCreated = facts.getInt32(start + Place.childrenCreated);
    node.childCount = facts.getInt32(start + Place.childCount);
    return node;
  }

  private writeData(index: number, data: StoredData | undefined): void {
    if (!(data instanceof Uint8Array || data instanceof KeptText)) {
      this.setNumber(index, Place.dataLength, data === undefined ? noData : inFile);
      return;
    }
    // First, since it may put other bytes in the place of these.
    const start = this.makeRoom(index, data.length);
    if (data instanceof Uint8Array) this.bytes.set(data, start);
    else this.bytes.write(data.text, start, 'latin1');
  }

  /** Finds a place for the data of a version: the one that it had, if that is large enough. @returns where it begins */
  private makeRoom(index: number, length: number): number {
    this.setNumber(index, Place.dataLength, length);
    if (length <= this.number(index, Place.room)) return this.number(index, Place.dataStart);
    const start = this.used;
    this.used += length;
    if (this.used > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.used, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, start);
      this.bytes = larger;
    }
    this.setNumber(index, Place.dataStart, start);
    this.setNumber(index, Place.room, length);
    return start;
  }

  private number(index: number, place: number): number {
    return this.facts.getInt32(index * versionBytes + place);
  }

  private setNumber(index: number, place: number, value: number): void {
    this.facts.setInt32(index * versionBytes + place, value);
  }
}
