import { openAcl, readOnlyAcl } from '../../../src/dataTree/acl.ts';
import { DataTree } from '../../../src/dataTree/dataTree.ts';
import { prepare, type SingleWrite } from '../../../src/dataTree/prepare.ts';
import type { Change, Transaction } from '../../../src/dataTree/transaction.ts';
import { ownerKind, ttlOf } from '../../../src/dataTree/znode.ts';
import { JuteWriter } from '../../../src/zookeeper/wire/jute.ts';
import { writeAclBits } from '../../../src/zookeeper/wire/records.ts';
import { type LogWriter, type Part, RecordType } from '../../support/logWriter.ts';
import type { SeededRandom } from '../../support/seededRandom.ts';

const names = ['a', 'b', 'c'];

/** Requests of some sessions that come as they like, and the tree that a server has after each of them. */
export class RandomHistory {
  readonly transactions: Transaction[] = [];
  readonly tree = new DataTree();
  private readonly random: SeededRandom;
  private readonly sessions: bigint[] = [];
  private nextSession = 0x100n;
  private zxid: bigint;
  private time = 1_700_000_000_000;

  constructor(random: SeededRandom, firstZxid = 1n) {
    this.random = random;
    this.zxid = firstZxid - 1n;
  }

  /** Adds one transaction. */
  step(): Transaction {
    const { random } = this;
    if (this.sessions.length < 3) return this.openSession();
    const roll = random.below(20);
    if (roll === 0) return this.closeSession();
    const session = random.pick(this.sessions);
    const isMulti = roll < 4;
    const change = isMulti ? this.multi(session) : prepare(this.tree, who(session), this.write());
    return this.add(session, 1 + random.below(1000), change);
  }

  /** A later epoch begins. */
  electLeader(): void {
    this.zxid = ((this.zxid >> 32n) + 1n) << 32n;
  }

  private openSession(): Transaction {
    const session = this.nextSession++;
    this.sessions.push(session);
    return this.add(session, 0, { type: 'createSession', timeoutMs: 1_000 + this.random.below(1_000) });
  }

  private closeSession(): Transaction {
    const [session = 0n] = this.sessions.splice(this.random.below(this.sessions.length), 1);
    const paths = [...this.tree.ephemeralsOf(session)];
    return this.add(session, this.random.below(2), { type: 'closeSession', paths });
  }

  private multi(session: bigint): Change {
    const parts = Array.from({ length: 1 + this.random.below(4) }, () => this.write()).filter(
      ({ op }) => op !== 'setAcl' && op !== 'deleteContainer',
    );
    return prepare(this.tree, who(session), { op: 'multi', parts });
  }

  private write(): SingleWrite {
    const { random } = this;
    const path = this.path();
    const data = random.below(9) === 0 ? undefined : random.bytes(random.below(4) === 0 ? 600 : random.below(90));
    const acl = random.below(4) === 0 ? readOnlyAcl : openAcl;
    const roll = random.below(12);
    if (roll < 6) return this.create(path, data);
    if (roll < 8) return { op: 'setData', path, data, version: -1 };
    if (roll < 10) return { op: 'delete', path, version: -1 };
    return roll === 10 ? { op: 'setAcl', path, acl, version: -1 } : { op: 'deleteContainer', path };
  }

  private create(path: string, data: Uint8Array | undefined): SingleWrite {
    const kind = this.random.pick(['plain', 'plain', 'plain', 'container', 'ttl'] as const);
    const flags = kind === 'ttl' ? 5 : kind === 'container' ? 4 : this.random.below(4);
    return { op: 'create', path, data, acl: openAcl, flags, kind, ttl: kind === 'ttl' ? 1_000n : -1n };
  }

  /** Mostly of a node that is there, or below one. */
  private path(): string {
    let path = '';
    do {
      const children = [...this.tree.childrenOf(path || '/')].filter(name => name !== 'zookeeper');
      const isNew = children.length === 0 || this.random.below(3) === 0;
      path += `/${isNew ? this.random.pick(names) : this.random.pick(children)}`;
    } while (this.random.below(3) > 0);
    return path;
  }

  private add(sessionId: bigint, cxid: number, change: Change): Transaction {
    this.zxid++;
    this.time += this.random.below(300);
    const transaction = { sessionId, cxid, zxid: this.zxid, time: this.time, change };
    this.tree.apply(transaction);
    this.transactions.push(transaction);
    return transaction;
  }
}

function who(sessionId: bigint): { sessionId: bigint; identities: [] } {
  return { sessionId, identities: [] };
}

/** Adds the record of a transaction. @param isModern with the nodes that go with a session, as from 3.6 on */
export function writeTransaction(writer: LogWriter, transaction: Transaction, isModern = true): void {
  const { sessionId, cxid, zxid, time, change } = transaction;
  writer.zxid = zxid;
  writer.time = time;
  const { type, write } = partOf(change, isModern);
  writer.record(sessionId, cxid, type, write);
}

function partOf(change: Change, isModern: boolean): Part {
  switch (change.type) {
    case 'create':
      return createPart(change);
    case 'delete':
      return { type: RecordType.delete, write: writer => writer.string(change.path) };
    case 'setData':
      return {
        type: RecordType.setData,
        write: writer => writer.string(change.path).optionalBytes(change.data).int(change.version),
      };
    case 'setAcl':
      return {
        type: RecordType.setAcl,
        write: writer => {
          writeAclBits(writer.string(change.path), change.acl);
          writer.int(change.version);
        },
      };
    case 'check':
      return { type: RecordType.check, write: writer => writer.string(change.path).int(change.version) };
    case 'createSession':
      return { type: RecordType.createSession, write: writer => writer.int(change.timeoutMs) };
    case 'closeSession':
      return {
        type: RecordType.closeSession,
        write: writer => {
          if (isModern) writer.strings([...(change.paths ?? [])]);
        },
      };
    case 'error':
      return { type: RecordType.error, write: writer => writer.int(change.code) };
    case 'multi':
      return {
        type: RecordType.multi,
        write: writer => {
          writer.int(change.parts.length);
          for (const part of change.parts) {
            const { type, write } = partOf(part, isModern);
            const nested = new JuteWriter();
            write(nested);
            writer.int(type).bytes(nested.toFrame().subarray(4));
          }
        },
      };
  }
}

function createPart({ path, data, acl, owner, parentChildrenCreated }: Change & { type: 'create' }): Part {
  const kind = ownerKind(owner);
  const types = {
    none: RecordType.create,
    session: RecordType.create,
    container: RecordType.createContainer,
    ttl: RecordType.createTtl,
  };
  return {
    type: types[kind],
    write: writer => {
      writeAclBits(writer.string(path).optionalBytes(data), acl);
      if (kind === 'none' || kind === 'session') writer.bool(kind === 'session');
      writer.int(parentChildrenCreated);
      if (kind === 'ttl') writer.long(BigInt(ttlOf(owner)));
    },
  };
}
