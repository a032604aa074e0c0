import type { Acl, CreateOptions, ReadRequest } from './client.ts';
import type { JuteWriter } from './wire/jute.ts';
import { createFlags, Op, writeAcl } from './wire/records.ts';
import { isZooKeeperError } from './errors.ts';

/** A request as the connection sends it. */
export interface WireRequest {
  opcode: number;
  /** For error texts: `create`, `getData`, ... */
  operation: string;
  /** The client's path, for error texts. */
  path: string;
  /** A write whose reply is lost has an unknown outcome. */
  isWrite: boolean;
  /** What it is likely to take, for one that is long: a buffer that grows is copied, and leaves twice its memory behind. */
  bytes?: number;
  write(writer: JuteWriter): void;
}

/** A request with the client's paths. */
export interface ClientRequest extends Omit<WireRequest, 'write'> {
  /** @param toServer turns the client's path into the server's */
  write(writer: JuteWriter, toServer: (path: string) => string): void;
}

/** Largest data that is sent, bytes: a request above `jute.maxbuffer` (1,048,575) makes the server close the connection (D24). */
export const largestData = 1_000_000;

const openAcl: readonly Acl[] = [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }];

const nothing = new Uint8Array(0);

/** A request whose record begins with its path; `rest` writes what follows. */
function request(
  opcode: number,
  operation: string,
  path: string,
  isWrite: boolean,
  rest: (writer: JuteWriter) => unknown = () => undefined,
): ClientRequest {
  return { opcode, operation, path, isWrite, write: (writer, toServer) => void rest(writer.string(toServer(path))) };
}

/** A create that answers with the stat (`create2`, 3.5+; `createContainer`, 3.5.1+). */
export function createRequest(path: string, options: CreateOptions): ClientRequest {
  return {
    ...oldCreateRequest(path, options),
    opcode: options.mode === 'container' ? Op.createContainer : Op.create2,
  };
}

/** A create that answers with the path alone (before 3.5). */
export function oldCreateRequest(path: string, options: CreateOptions): ClientRequest {
  const { data = nothing, mode = 'persistent', acl = openAcl } = options;
  return request(Op.create, 'create', path, true, writer => {
    writeAcl(writer.bytes(data), acl);
    writer.int(createFlags[mode]);
  });
}

/** A read of one node; `watch` sets a one-shot watch with it. */
export function readRequest(op: 'exists' | 'getData' | 'getChildren2', path: string, watch: boolean): ClientRequest {
  const operation = op === 'getChildren2' ? 'getChildren' : op;
  return request(Op[op], operation, path, false, writer => writer.bool(watch));
}

/** Reads the ACL of a node. */
export function getAclRequest(path: string): ClientRequest {
  return request(Op.getAcl, 'getAcl', path, false);
}

/** Writes data if the version is still `version`. */
export function setDataRequest(path: string, data: Uint8Array, version: number): ClientRequest {
  return request(Op.setData, 'setData', path, true, writer => writer.bytes(data).int(version));
}

/** Deletes a node if the version is still `version`. */
export function removeRequest(path: string, version: number): ClientRequest {
  return request(Op.delete, 'remove', path, true, writer => writer.int(version));
}

/** Lets the connected server catch up with the leader. */
export function syncRequest(path: string): ClientRequest {
  return request(Op.sync, 'sync', path, false);
}

/** Reads our identities on the server (3.7+); the request has no record. */
export function whoAmIRequest(): ClientRequest {
  return { opcode: Op.whoAmI, operation: 'whoAmI', path: '/', isWrite: false, write: () => undefined };
}

/**
 * A transaction that changes nothing: it checks that the root exists. The leader answers it only after a quorum has logged it; without
 * the right to read the root too, since the transaction then says that the check failed (PrepRequestProcessor.java).
 */
export function quorumRequest(): WireRequest {
  const write: WireRequest['write'] = writer => {
    writer.int(Op.check).bool(false).int(-1).string('/').int(-1);
    writer.int(-1).bool(true).int(-1);
  };
  return { opcode: Op.multi, operation: 'confirm', path: '/', isWrite: true, write };
}

/** Passes through the leader, which answers it without its quorum. */
export function leaderRequest(): WireRequest {
  return { opcode: Op.sync, operation: 'confirm', path: '/', isWrite: false, write: writer => void writer.string('/') };
}

/** Ends the session. */
export function closeRequest(): WireRequest {
  return { opcode: Op.closeSession, operation: 'close', path: '/', isWrite: true, write: () => undefined };
}

/** What a read of many takes besides its path, bytes. */
export const bytesBesidePath = 14;

/**
 * Many reads in one request (3.6+): multi framing, each read a header {type, done, error} and its record.
 *
 * @param bytes what it is likely to take
 */
export function multiReadRequest(reads: readonly ReadRequest[], bytes: number): ClientRequest {
  const path = reads[0]?.path ?? '/';
  const write: ClientRequest['write'] = (writer, toServer) => {
    for (const each of reads) {
      writer.int(Op[each.op]).bool(false).int(-1);
      writer.string(toServer(each.path)).bool(false);
    }
    writer.int(-1).bool(true).int(-1);
  };
  return { opcode: Op.multiRead, operation: 'readMany', path, isWrite: false, write, bytes };
}

const persistentRecursive = 1;

/** Sets a persistent recursive watch (3.6+); it needs neither the node nor a right to it. */
export function addWatchRequest(path: string): ClientRequest {
  return request(Op.addWatch, 'watchTree', path, false, writer => writer.int(persistentRecursive));
}

const anyWatcher = 3;

/** Removes every watch of this session on `path`: the type for persistent watches alone exists only since 3.9. */
export function removeWatchesRequest(path: string): ClientRequest {
  return request(Op.removeWatches, 'removeWatches', path, false, writer => writer.int(anyWatcher));
}

/** Requests that not every server supports, with the place of the release that brought them: 3.5.0, 3.5.1, 3.6.0, 3.7.0. */
const releases = { create2: 0, createContainer: 1, multiRead: 2, addWatch: 2, whoAmI: 3 } as const;

/** A request that not every server supports. */
export type Ability = keyof typeof releases;

/**
 * Learns from the server's own answers what it cannot do, once per session. Each refusal costs a connection, so what came with
 * the same release or later is not tried any more.
 *
 * A server without a request answers UNIMPLEMENTED and closes the connection a moment later
 * (UnimplementedRequestProcessor.java): what is sent in that moment would be lost, so the substitute goes out on the next
 * connection.
 */
export class Abilities {
  private readonly known = new Map<Ability, boolean>();
  private readonly learning = new Map<Ability, Promise<void>>();
  private readonly renewed: () => Promise<void>;

  /** @param renewed closes the connection and waits for the next one */
  constructor(renewed: () => Promise<void>) {
    this.renewed = renewed;
  }

  /** Runs `attempt`, or `substitute` if the server has said, now or before, that it lacks `ability`. */
  async orElse<T>(ability: Ability, attempt: () => Promise<T>, substitute: () => Promise<T>): Promise<T> {
    if (this.known.get(ability) === false) return substitute();
    try {
      const result = await attempt();
      this.known.set(ability, true);
      return result;
    } catch (error) {
      if (!isZooKeeperError(error, 'UNIMPLEMENTED')) throw error;
    }
    this.refused(ability);
    await this.renewed();
    return substitute();
  }

  private refused(ability: Ability): void {
    this.known.set(ability, false);
    for (const later of Object.keys(releases) as Ability[]) {
      if (releases[later] >= releases[ability] && !this.known.has(later)) this.known.set(later, false);
    }
  }

  /**
   * As `orElse`, but the first request of the kind goes alone: the refusal itself is lost when the server closes the
   * connection with more requests unread, and then nothing would be learnt.
   */
  async aloneOrElse<T>(ability: Ability, attempt: () => Promise<T>, substitute: () => Promise<T>): Promise<T> {
    for (let first = this.learning.get(ability); first !== undefined; first = this.learning.get(ability)) await first;
    if (this.known.has(ability)) return this.orElse(ability, attempt, substitute);
    const lesson = Promise.withResolvers<undefined>();
    this.learning.set(ability, lesson.promise);
    try {
      return await this.orElse(ability, attempt, substitute);
    } finally {
      this.learning.delete(ability);
      lesson.resolve(undefined);
    }
  }
}
