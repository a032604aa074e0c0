import { JuteWriter } from '../../src/zookeeper/wire/jute.ts';
import { Op } from '../../src/zookeeper/wire/records.ts';

/** As it is sent: any bits, and `null` where a client may send a length of -1. */
export interface AclEntry {
  perms: number;
  scheme: string | null;
  id: string | null;
}

export interface CreateRequest {
  op: 'create' | 'create2' | 'createContainer' | 'createTtl';
  path: string;
  data: string | null;
  acl: AclEntry[] | null;
  flags: number;
  /** ms; only of `createTtl`. */
  ttl?: number;
}

interface VersionRequest {
  op: 'delete' | 'check';
  path: string;
  version: number;
}

interface SetDataRequest {
  op: 'setData';
  path: string;
  data: string | null;
  version: number;
}

interface ReadRequest {
  op: 'exists' | 'getData' | 'getChildren' | 'getChildren2';
  path: string;
  watch: boolean;
}

interface PathRequest {
  op: 'getAllChildrenNumber' | 'getEphemerals' | 'getAcl' | 'sync';
  path: string;
}

interface SetAclRequest {
  op: 'setAcl';
  path: string;
  acl: AclEntry[] | null;
  version: number;
}

export interface MultiRequest {
  op: 'multi' | 'multiRead';
  parts: Request[];
}

export interface SetWatchesRequest {
  op: 'setWatches' | 'setWatches2';
  /** Added to the last zxid that the session saw. */
  relative: number;
  /** Data, exist, child; of `setWatches2` persistent and recursive ones too. */
  lists: string[][];
}

interface WatchModeRequest {
  op: 'addWatch' | 'removeWatches' | 'checkWatches';
  path: string;
  /** Mode of `addWatch` (0 persistent, 1 recursive), type of the others (1 children, 2 data, 3 any, ...). */
  mode: number;
}

interface AuthRequest {
  op: 'auth';
  scheme: string;
  credential: string;
}

interface BareRequest {
  op: 'whoAmI' | 'ping' | 'closeSession';
}

/** Any bytes after the header: unknown types, and known ones that end too early. */
interface RawRequest {
  op: 'raw';
  code: number;
  /** Hexadecimal. */
  body: string;
}

/** One request as plain data. `/~` at the begin of a path stands for the folder of the program. */
export type Request =
  | CreateRequest
  | VersionRequest
  | SetDataRequest
  | ReadRequest
  | PathRequest
  | SetAclRequest
  | MultiRequest
  | SetWatchesRequest
  | WatchModeRequest
  | AuthRequest
  | BareRequest
  | RawRequest;

/** What a request needs to know of the play that it is part of. */
export interface EncodingContext {
  /** Path of the folder of the program. */
  folder: string;
  lastZxid: bigint;
}

/** Puts the folder of the program into a path. */
export function placed(path: string, folder: string): string {
  return path.startsWith('/~') ? folder + path.slice(2) : path;
}

const fixedXids: Partial<Record<Request['op'], number>> = { ping: -2, auth: -4, setWatches: -8, setWatches2: -8 };

/** @returns the xid that clients use for this request, `next` for most */
export function xidOf(request: Request, next: number): number {
  return fixedXids[request.op] ?? next;
}

/** @returns the frame of a request */
export function encodeRequest(request: Request, xid: number, context: EncodingContext): Buffer {
  if (request.op === 'raw') return encodeRaw(request, xid);
  const writer = new Writer(context);
  writer.jute.int(xid).int(Op[request.op]);
  writer.body(request);
  return writer.jute.toFrame();
}

function encodeRaw({ code, body }: RawRequest, xid: number): Buffer {
  const bytes = Buffer.from(body, 'hex');
  const frame = Buffer.alloc(12 + bytes.length);
  frame.writeInt32BE(8 + bytes.length, 0);
  frame.writeInt32BE(xid, 4);
  frame.writeInt32BE(code, 8);
  bytes.copy(frame, 12);
  return frame;
}

class Writer {
  readonly jute = new JuteWriter();
  private readonly context: EncodingContext;

  constructor(context: EncodingContext) {
    this.context = context;
  }

  /** Requests with the same fields have the same layout, whatever they are for. */
  body(request: Exclude<Request, RawRequest>): void {
    if ('parts' in request) this.multi(request.parts);
    else if ('lists' in request) this.setWatches(request);
    else if ('credential' in request) this.jute.int(0).string(request.scheme).string(request.credential);
    else if ('path' in request) this.withPath(request);
  }

  private withPath(request: Extract<Request, { path: string }>): void {
    this.path(request.path);
    if ('data' in request) this.text(request.data);
    if ('acl' in request) this.acl(request.acl);
    if ('flags' in request) this.jute.int(request.flags);
    if ('ttl' in request) this.jute.long(BigInt(request.ttl ?? 0));
    if ('watch' in request) this.jute.bool(request.watch);
    if ('version' in request) this.jute.int(request.version);
    if ('mode' in request) this.jute.int(request.mode);
  }

  private text(text: string | null): JuteWriter {
    return text === null ? this.jute.int(-1) : this.jute.string(text);
  }

  private path(path: string): JuteWriter {
    return this.jute.string(placed(path, this.context.folder));
  }

  private acl(acl: AclEntry[] | null): void {
    this.jute.int(acl === null ? -1 : acl.length);
    for (const { perms, scheme, id } of acl ?? []) {
      this.jute.int(perms);
      this.text(scheme);
      this.text(id);
    }
  }

  private multi(parts: readonly Request[]): void {
    for (const part of parts) {
      if (part.op === 'raw') continue;
      this.jute.int(Op[part.op]).bool(false).int(-1);
      this.body(part);
    }
    this.jute.int(-1).bool(true).int(-1);
  }

  private setWatches({ relative, lists }: SetWatchesRequest): void {
    this.jute.long(this.context.lastZxid + BigInt(relative));
    for (const paths of lists) this.jute.strings(paths.map(path => placed(path, this.context.folder)));
  }
}
