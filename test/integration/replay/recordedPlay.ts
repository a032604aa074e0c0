import { openAcl, readOnlyAcl, type AclEntry } from '../../../src/dataTree/acl.ts';
import type { Change } from '../../../src/dataTree/transaction.ts';
import { containerOwner, ttlOwner } from '../../../src/dataTree/znode.ts';
import { ErrorCode } from '../../../src/zookeeper/wire/errorCodes.ts';
import type { JuteWriter } from '../../../src/zookeeper/wire/jute.ts';
import { Op, writeAclBits } from '../../../src/zookeeper/wire/records.ts';
import { parentPath } from '../../../src/base/paths.ts';
import { WireClient } from '../../support/wireClient.ts';

type Session = Awaited<ReturnType<typeof WireClient.withSession>>;
type Write = (writer: JuteWriter) => unknown;

/** What a log has to say of one request. */
export interface Done {
  sessionId: bigint;
  /** 0: the server did it by itself. */
  cxid: number;
  /** As the server answered; absent where there is no answer. */
  zxid?: bigint;
  change: Change;
}

/** Flags of a create (CreateMode.java). */
const flagsOf = {
  persistent: 0,
  ephemeral: 1,
  sequential: 2,
  'ephemeral sequential': 3,
  container: 4,
  ttl: 5,
} as const;

export type Mode = keyof typeof flagsOf;

/** What a multi has to do. */
export interface MultiPart {
  op: number;
  write: Write;
  change: Change;
}

/** Clients of one server, which note what they do as its log has to say it. */
export class RecordedPlay {
  readonly done: Done[] = [];
  private readonly port: number;
  private readonly created = new Map<string, number>();
  private readonly open: Session[] = [];

  constructor(port: number) {
    this.port = port;
  }

  /** Opens a session. */
  async session(timeoutMs: number): Promise<Session> {
    const client = await WireClient.withSession(this.port, { timeoutMs });
    this.open.push(client);
    const { session } = client;
    this.note({
      sessionId: session.sessionId,
      cxid: 0,
      change: { type: 'createSession', timeoutMs: session.timeoutMs },
    });
    return client;
  }

  /** Creates a node by the request `op`. @returns its path */
  async create(
    client: Session,
    path: string,
    mode: Mode,
    options: { op?: number; data?: string; acl?: AclEntry[] } = {},
  ): Promise<string> {
    const { op = Op.create, data = 'data', acl = [...openAcl] } = options;
    const reply = await this.request(client, op, writer => {
      writeAclBits(writer.string(path).bytes(Buffer.from(data)), acl);
      writer.int(flagsOf[mode]);
      if (mode === 'ttl') writer.long(BigInt(ttlMs));
    });
    const created = reply.body.string();
    this.noteRequest(client, reply.zxid, this.createChange(client, created, mode, data, acl));
    return created;
  }

  /** A create that is refused: the node is there. */
  async createAgain(client: Session, path: string): Promise<void> {
    const reply = await client.create(path);
    expectCode(reply.error, ErrorCode.NODE_EXISTS);
    this.noteRequest(client, reply.zxid, { type: 'error', code: ErrorCode.NODE_EXISTS });
  }

  async delete(client: Session, path: string): Promise<void> {
    const reply = await this.request(client, Op.delete, writer => writer.string(path).int(-1));
    this.noteRequest(client, reply.zxid, { type: 'delete', path });
  }

  /** @param version of the data afterwards */
  async setData(client: Session, path: string, data: string | undefined, version: number): Promise<void> {
    const bytes = data === undefined ? undefined : bytesOf(data);
    const reply = await this.request(client, Op.setData, writer => writer.string(path).optionalBytes(bytes).int(-1));
    this.noteRequest(client, reply.zxid, { type: 'setData', path, data: bytes, version });
  }

  /** @param version of the ACL afterwards */
  async setAcl(client: Session, path: string, version: number): Promise<void> {
    const reply = await this.request(client, Op.setAcl, writer => {
      writeAclBits(writer.string(path), readOnlyAcl);
      writer.int(-1);
    });
    this.noteRequest(client, reply.zxid, { type: 'setAcl', path, acl: readOnlyAcl, version });
  }

  /** A multi that is done; or refused, where a part of it is an error. */
  async multi(client: Session, parts: readonly MultiPart[]): Promise<void> {
    const reply = await client.request(Op.multi, writer => {
      for (const { op, write } of parts) write(writer.int(op).bool(false).int(-1));
      writer.int(-1).bool(true).int(-1);
    });
    this.noteRequest(client, reply.zxid, { type: 'multi', parts: parts.map(({ change }) => change) });
  }

  createPart(client: Session, path: string, mode: Mode): MultiPart {
    const write: Write = writer => {
      writeAclBits(writer.string(path).bytes(bytesOf('in a multi')), openAcl);
      writer.int(flagsOf[mode]);
    };
    return { op: Op.create, write, change: this.createChange(client, path, mode, 'in a multi', openAcl) };
  }

  /** A create of a multi that is refused later: the log has it, and it does not happen. */
  undonePart(client: Session, path: string, mode: Mode): MultiPart {
    const part = this.createPart(client, path, mode);
    this.created.set(parentPath(path), (this.created.get(parentPath(path)) ?? 0) - 1);
    return part;
  }

  /** What a part becomes in the log that is refused, or stands behind one. */
  refusedPart(part: MultiPart, code: number): MultiPart {
    return { ...part, change: { type: 'error', code } };
  }

  deletePart(path: string): MultiPart {
    return { op: Op.delete, write: writer => writer.string(path).int(-1), change: { type: 'delete', path } };
  }

  setDataPart(path: string, data: string, version: number): MultiPart {
    const bytes = bytesOf(data);
    const write: Write = writer => writer.string(path).bytes(bytes).int(-1);
    return { op: Op.setData, write, change: { type: 'setData', path, data: bytes, version } };
  }

  /** The log has the version that a write would have made. */
  checkPart(path: string, version: number): MultiPart {
    const change: Change = { type: 'check', path, version: version + 1 };
    return { op: Op.check, write: writer => writer.string(path).int(version), change };
  }

  /** The client ends its session. @param paths what goes with it; `undefined`: the server does not write it */
  async closeSession(client: Session, paths: readonly string[] | undefined): Promise<void> {
    const reply = await this.request(client, Op.closeSession, () => undefined);
    this.noteRequest(client, reply.zxid, { type: 'closeSession', ...(paths && { paths }) });
    client.close();
  }

  note(done: Done): void {
    this.done.push(done);
  }

  /** Breaks all connections; sessions stay. */
  leave(): void {
    for (const client of this.open) client.close();
  }

  private async request(client: Session, op: number, write: Write): ReturnType<Session['request']> {
    const reply = await client.request(op, write);
    expectCode(reply.error, ErrorCode.OK);
    return reply;
  }

  /** The request before was this; xids are counted from 1. */
  private noteRequest(client: Session, zxid: bigint, change: Change): void {
    this.note({ sessionId: client.session.sessionId, cxid: client.lastXid, zxid, change });
  }

  private createChange(client: Session, path: string, mode: Mode, data: string, acl: readonly AclEntry[]): Change {
    const parent = parentPath(path);
    const parentChildrenCreated = (this.created.get(parent) ?? 0) + 1;
    this.created.set(parent, parentChildrenCreated);
    const owner = mode.startsWith('ephemeral') ? client.session.sessionId : ownerOf(mode);
    return { type: 'create', path, data: bytesOf(data), acl, owner, parentChildrenCreated };
  }
}

/** Of the TTL nodes of a play. */
const ttlMs = 3;

function ownerOf(mode: Mode): bigint {
  if (mode === 'container') return containerOwner;
  return mode === 'ttl' ? ttlOwner(BigInt(ttlMs)) : 0n;
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}

function expectCode(code: number, wanted: number): void {
  if (code !== wanted) throw new Error(`The server answered ${code} instead of ${wanted}.`);
}
