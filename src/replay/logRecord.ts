import type { Change, Transaction } from '../dataTree/transaction.ts';
import { containerOwner, largestTtl, ttlOwner } from '../dataTree/znode.ts';
import { isRooted } from '../dataTree/znodePath.ts';
import { JuteReader, MalformedReplyError } from '../zookeeper/wire/jute.ts';
import { Op } from '../zookeeper/wire/records.ts';
import { AclReader } from './aclReader.ts';
import { copiedBytes, inlineLimit, ownedInlineLimit, type StoredData } from './storedData.ts';

/** Type of the record that opens a session: it is the only one that no request has (ZooDefs.OpCode). */
const createSession = -10;

type StoredChange = Change<StoredData>;

/**
 * Reads the records of one transaction log (SerializeUtils.deserializeTxn, zookeeper.jute `org.apache.zookeeper.txn`). It knows the
 * records of all releases: what is younger stands at the end of a record or has a type of its own.
 */
export class LogRecordReader {
  private readonly file: string;
  private readonly acls: AclReader;
  private reader = new JuteReader(Buffer.alloc(0));
  /** What a position in the buffer is in the file. */
  private shift = 0;

  /**
   * @param file path of the log: where long data are read when they are asked for
   * @param acls makes equal lists one, of several logs too
   */
  constructor(file: string, acls = new AclReader()) {
    this.file = file;
    this.acls = acls;
  }

  /**
   * Reads one record: TxnHeader, the transaction, and what later releases put behind it (TxnDigest), which is not looked at.
   *
   * @param start where the record begins in `buffer`, which may be used for other records afterwards
   * @param end behind its last byte
   * @param offset of its first byte in the file
   * @throws MalformedReplyError for what is no record
   */
  read(buffer: Buffer, start: number, end: number, offset: number): Transaction<StoredData> {
    if (this.reader.buffer !== buffer) this.reader = new JuteReader(buffer);
    const { reader } = this;
    reader.moveTo(start, end);
    this.shift = offset - start;
    const sessionId = reader.long();
    const cxid = reader.int();
    const zxid = reader.long();
    const time = reader.time();
    const type = reader.int();
    return { sessionId, cxid, zxid, time, change: this.change(type, sessionId, end) };
  }

  private change(type: number, sessionId: bigint, end: number): StoredChange {
    switch (type) {
      case createSession:
        return { type: 'createSession', timeoutMs: this.reader.int() };
      case Op.closeSession:
        return this.closeSession(this.reader.position, end);
      case Op.multi:
        return this.multi(sessionId, end);
      default:
        return this.single(type, sessionId);
    }
  }

  /** What may also be a part of a multi. */
  private single(type: number, sessionId: bigint): StoredChange {
    switch (type) {
      case Op.create:
      case Op.create2:
      case Op.createContainer:
      case Op.createTtl:
        return this.create(type, sessionId);
      case Op.delete:
      case Op.deleteContainer:
        return { type: 'delete', path: this.childPath() };
      case Op.setData:
      case Op.reconfig:
        return this.setData();
      default:
        return this.small(type);
    }
  }

  private small(type: number): StoredChange {
    const { reader } = this;
    switch (type) {
      case Op.setAcl:
        return { type: 'setAcl', path: this.path(), acl: this.acls.read(reader), version: reader.int() };
      case Op.check:
        return { type: 'check', path: this.path(), version: reader.int() };
      case Op.error:
        return { type: 'error', code: reader.int() };
      default:
        throw new MalformedReplyError(`a record of type ${type}`);
    }
  }

  private create(type: number, sessionId: bigint): StoredChange {
    const { reader } = this;
    const path = this.childPath();
    // The owner stands behind the data, and decides whether they are kept.
    const length = reader.int();
    const at = reader.position;
    if (length !== -1) reader.skip(length);
    const acl = this.acls.read(reader);
    let owner = 0n;
    if (type === Op.createContainer) owner = containerOwner;
    else if (type !== Op.createTtl && reader.bool()) owner = sessionId;
    // Logs of 3.3 end here (CreateTxnV0).
    const parentChildrenCreated = type === Op.create && reader.isAtEnd ? -1 : reader.int();
    if (type === Op.createTtl) owner = this.ttlOwner();
    const data = this.data(at, length, owner === 0n ? inlineLimit : ownedInlineLimit);
    return { type: 'create', path, data, acl, owner, parentChildrenCreated };
  }

  private ttlOwner(): bigint {
    const ttlMs = this.reader.long();
    if (ttlMs <= 0n || ttlMs > largestTtl) throw new MalformedReplyError(`a TTL of ${ttlMs} ms`);
    return ttlOwner(ttlMs);
  }

  private setData(): StoredChange {
    const { reader } = this;
    const path = this.path();
    const length = reader.int();
    const at = reader.position;
    if (length !== -1) reader.skip(length);
    return { type: 'setData', path, data: this.data(at, length, inlineLimit), version: reader.int() };
  }

  /** @param length of the data that stand at `at`; -1 is null */
  private data(at: number, length: number, limit: number): StoredData | undefined {
    if (length === -1) return undefined;
    if (length <= limit) return copiedBytes(this.reader.buffer, at, length);
    return { file: this.file, offset: at + this.shift, length };
  }

  private multi(sessionId: bigint, end: number): StoredChange {
    const { reader } = this;
    const count = reader.count(8);
    const parts: StoredChange[] = [];
    for (let index = 0; index < count; index++) {
      const type = reader.int();
      const length = reader.int();
      const start = reader.position;
      reader.skip(length);
      // A part must not read what belongs to the next one.
      reader.moveTo(start, start + length);
      parts.push(this.single(type, sessionId));
      reader.moveTo(start + length, end);
    }
    return { type: 'multi', parts };
  }

  /**
   * Releases before 3.6 have nothing here, nor have later ones with `zookeeper.closeSessionTxn.enabled=false`, but these have a digest
   * of 12 bytes behind it, which looks like a list of two strings.
   */
  private closeSession(start: number, end: number): StoredChange {
    if (start === end) return { type: 'closeSession' };
    try {
      const paths = this.reader.strings();
      if (paths.every(isRooted)) return { type: 'closeSession', paths };
    } catch (error) {
      if (!(error instanceof MalformedReplyError) || end - start !== digestBytes) throw error;
    }
    if (end - start === digestBytes) return { type: 'closeSession' };
    throw new MalformedReplyError('a closed session with a node that has no path');
  }

  private path(): string {
    const path = this.reader.string();
    if (!isRooted(path)) throw new MalformedReplyError('no path');
    return path;
  }

  /** The path of a node that may come and go: not the root. */
  private childPath(): string {
    const path = this.path();
    if (path.length === 1) throw new MalformedReplyError('the root comes or goes');
    return path;
  }
}

/** TxnDigest: int version, long digest. */
const digestBytes = 12;
