import type { Acl, CreateOptions, ReadRequest } from './client.ts';
import type { WireRequest } from './pendingRequests.ts';
import { createFlags, Op, writeAcl } from './wire/records.ts';

/** Turns the client's path into the server's. */
type ToServer = (path: string) => string;

/** Largest data that is sent, bytes: a request above `jute.maxbuffer` (1,048,575) makes the server hang up (D24). */
export const largestData = 1_000_000;

const openAcl: readonly Acl[] = [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }];

const nothing = new Uint8Array(0);

/** A create that answers with the stat (`create2`, 3.5+; `createContainer`, 3.5.1+). */
export function createRequest(toServer: ToServer, path: string, options: CreateOptions): WireRequest {
  return {
    ...oldCreateRequest(toServer, path, options),
    opcode: options.mode === 'container' ? Op.createContainer : Op.create2,
  };
}

/** A create that answers with the path alone (before 3.5). */
export function oldCreateRequest(toServer: ToServer, path: string, options: CreateOptions): WireRequest {
  const { data = nothing, mode = 'persistent', acl = openAcl } = options;
  return {
    opcode: Op.create,
    operation: 'create',
    path,
    isWrite: true,
    write(writer) {
      writer.string(toServer(path)).bytes(data);
      writeAcl(writer, acl);
      writer.int(createFlags[mode]);
    },
  };
}

type PathRead = 'exists' | 'getData' | 'getChildren2';

/** A read of one node; `watch` sets a one-shot watch with it. */
export function readRequest(toServer: ToServer, op: PathRead, path: string, watch: boolean): WireRequest {
  return {
    opcode: Op[op],
    operation: op === 'getChildren2' ? 'getChildren' : op,
    path,
    isWrite: false,
    write: writer => writer.string(toServer(path)).bool(watch),
  };
}

/** Reads the ACL of a node. */
export function getAclRequest(toServer: ToServer, path: string): WireRequest {
  return { opcode: Op.getAcl, operation: 'getAcl', path, isWrite: false, write: w => w.string(toServer(path)) };
}

/** Writes data if the version is still `version`. */
export function setDataRequest(toServer: ToServer, path: string, data: Uint8Array, version: number): WireRequest {
  return {
    opcode: Op.setData,
    operation: 'setData',
    path,
    isWrite: true,
    write: writer => writer.string(toServer(path)).bytes(data).int(version),
  };
}

/** Deletes a node if the version is still `version`. */
export function removeRequest(toServer: ToServer, path: string, version: number): WireRequest {
  return {
    opcode: Op.delete,
    operation: 'remove',
    path,
    isWrite: true,
    write: writer => writer.string(toServer(path)).int(version),
  };
}

/** Lets the connected server catch up with the leader. */
export function syncRequest(toServer: ToServer, path: string): WireRequest {
  return { opcode: Op.sync, operation: 'sync', path, isWrite: false, write: w => w.string(toServer(path)) };
}

/** Asks as whom the server knows us (3.7+). */
export function whoAmIRequest(): WireRequest {
  return { opcode: Op.whoAmI, operation: 'whoAmI', path: '/', isWrite: false, write: () => undefined };
}

/** Ends the session. */
export function closeRequest(): WireRequest {
  return { opcode: Op.closeSession, operation: 'close', path: '/', isWrite: true, write: () => undefined };
}

/** Many reads in one request (3.6+): multi framing, each read a header {type, done, error} and its record. */
export function multiReadRequest(toServer: ToServer, reads: readonly ReadRequest[]): WireRequest {
  return {
    opcode: Op.multiRead,
    operation: 'readMany',
    path: reads[0]?.path ?? '/',
    isWrite: false,
    write(writer) {
      for (const read of reads) {
        writer.int(Op[read.op]).bool(false).int(-1);
        writer.string(toServer(read.path)).bool(false);
      }
      writer.int(-1).bool(true).int(-1);
    },
  };
}

const persistentRecursive = 1;

/** Sets a persistent recursive watch (3.6+); it needs neither the node nor a right to it. */
export function addWatchRequest(toServer: ToServer, path: string): WireRequest {
  return {
    opcode: Op.addWatch,
    operation: 'watchTree',
    path,
    isWrite: false,
    write: writer => writer.string(toServer(path)).int(persistentRecursive),
  };
}

const anyWatcher = 3;

/** Removes every watch of this session on `path`: the type for persistent watches alone exists only since 3.9. */
export function removeWatchesRequest(toServer: ToServer, path: string): WireRequest {
  return {
    opcode: Op.removeWatches,
    operation: 'removeWatches',
    path,
    isWrite: false,
    write: writer => writer.string(toServer(path)).int(anyWatcher),
  };
}
