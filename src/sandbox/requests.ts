import { type Id, isAllowed, Right, userName } from '../dataTree/acl.ts';
import type { Applied, DataTree } from '../dataTree/dataTree.ts';
import { ErrorCode } from '../zookeeper/wire/errorCodes.ts';
import { isValidMode, type WriteRequest } from '../dataTree/prepare.ts';
import type { WatchTable, WatchType } from '../dataTree/watchTable.ts';
import type { Znode } from '../dataTree/znode.ts';
import { MalformedReplyError, type JuteReader, type JuteWriter } from '../zookeeper/wire/jute.ts';
import { Op, writeAclBits, writeStat, type AclBits, type ServerEvent, type Stat } from '../zookeeper/wire/records.ts';
import { readMulti, readParts, readPath, refuseNull, writes, type Part } from './writes.ts';

/** Who asks, and where its watches lead. */
export interface RequestClient {
  readonly identities: readonly Id[];
  readonly session: { sessionId: bigint } | undefined;
}

/** What requests work on. */
export interface RequestContext {
  readonly tree: DataTree;
  readonly watches: WatchTable<RequestClient>;
  readonly client: RequestClient;
  /** Makes a transaction of a write, and applies it. */
  readonly commit: (request: WriteRequest) => Applied;
  /** Makes a transaction of a refusal, which only takes a zxid. @returns its code */
  readonly refuse: (code: number) => number;
  /** Ends the session of the client. */
  readonly closeSession: () => void;
  /** Sends an event to the client alone. */
  readonly notify: (event: ServerEvent) => void;
}

/** The body of a reply; a number is an error code, `undefined` a reply without a body. */
export type Reply = number | ((writer: JuteWriter) => unknown) | undefined;

type Answer = (reader: JuteReader, context: RequestContext) => Reply;

/** The body of the reply to a write. */
function replyTo(applied: Applied, write: (writer: JuteWriter, applied: Applied) => unknown): Reply {
  return applied.error === ErrorCode.OK ? writer => write(writer, applied) : applied.error;
}

const nothing = (): undefined => undefined;

function readPaths(reader: JuteReader): string[] {
  refuseNull(reader);
  return Array.from({ length: reader.count(4) }, () => readPath(reader));
}

function writePartHeader(writer: JuteWriter, type: number, error: number): void {
  writer.int(type).bool(false).int(error);
}

function writeLastHeader(writer: JuteWriter): void {
  writer.int(-1).bool(true).int(-1);
}

/** The results of creates with a stat all have the type of the first of them (OpResult.CreateResult). */
function resultType(type: number): number {
  return type === Op.createContainer || type === Op.createTtl ? Op.create2 : type;
}

/** A multi that cannot be read takes a zxid all the same; no other request does. */
const multi: Answer = (reader, context) => {
  let parts: Part[];
  try {
    parts = readMulti(reader);
  } catch (error) {
    if (!(error instanceof MalformedReplyError)) throw error;
    return context.refuse(ErrorCode.MARSHALLING_ERROR);
  }
  const { parts: results = [] } = context.commit({ op: 'multi', parts: parts.map(({ request }) => request) });
  const hasFailed = results.some(({ error }) => error !== ErrorCode.OK);
  return writer => {
    for (const [at, result] of results.entries()) {
      const type = parts[at]?.type ?? Op.error;
      writePartHeader(writer, hasFailed ? Op.error : resultType(type), result.error);
      if (hasFailed) writer.int(result.error);
      else writes.get(type)?.write(writer, result);
    }
    writeLastHeader(writer);
  };
};

/** Reads one node for `client`. @returns an error code where it may not or cannot */
function readable(path: string, { tree, client }: RequestContext, right: number = Right.read): Znode | number {
  const node = tree.get(path);
  if (node === undefined) return ErrorCode.NO_NODE;
  return isAllowed(node.acl, client.identities, right) ? node : ErrorCode.NO_AUTH;
}

/** A read of one node which may set a watch. */
function read(
  watchOf: 'data' | 'children' | 'none',
  body: (node: Znode, path: string, context: RequestContext) => Exclude<Reply, number>,
): Answer {
  return (reader, context) => {
    const path = readPath(reader);
    const isWatched = watchOf !== 'none' && reader.bool();
    const node = readable(path, context);
    if (typeof node === 'number') return node;
    if (isWatched && watchOf === 'data') context.watches.watchData(path, context.client);
    if (isWatched && watchOf === 'children') context.watches.watchChildren(path, context.client);
    return body(node, path, context);
  };
}

function writeChildren(writer: JuteWriter, node: Znode): void {
  writer.int(node.childCount);
  for (const name of node.children) writer.string(name);
}

const exists: Answer = (reader, context) => {
  const path = readPath(reader);
  const isWatched = reader.bool();
  if (path.includes('\0')) return ErrorCode.BAD_ARGUMENTS;
  const node = readable(path, context);
  if (node === ErrorCode.NO_AUTH) return node;
  if (isWatched) context.watches.watchData(path, context.client);
  return typeof node === 'number' ? node : writer => writeStat(writer, node.stat());
};

const multiRead: Answer = (reader, context) => {
  const parts: { type: number; path: string }[] = [];
  for (const type of readParts(reader)) {
    if (type !== Op.getData && type !== Op.getChildren)
      throw new MalformedReplyError(`a part of type ${type} in a multiRead`);
    parts.push({ type, path: readPath(reader) });
    reader.bool();
  }
  return writer => {
    for (const { type, path } of parts) {
      const node = readable(path, context);
      writePartHeader(writer, typeof node === 'number' ? Op.error : type, typeof node === 'number' ? node : 0);
      if (typeof node === 'number') writer.int(node);
      else if (type === Op.getChildren) writeChildren(writer, node);
      else writeStat(writer.optionalBytes(node.data), node.stat());
    }
    writeLastHeader(writer);
  };
};

/** Who has no right to change the ACL does not see the hashes of others. */
const getAcl: Answer = (reader, context) => {
  const node = readable(readPath(reader), context, Right.read | Right.admin);
  if (typeof node === 'number') return node;
  const mayChange = isAllowed(node.acl, context.client.identities, Right.admin);
  const hidden = ({ scheme, id, permissions }: AclBits): AclBits =>
    scheme === 'digest' ? { scheme, id: id.replace(/:.*/s, ':x'), permissions } : { scheme, id, permissions };
  const stat: Stat = node.stat();
  return writer => {
    writeAclBits(writer, mayChange ? node.acl : node.acl.map(hidden));
    writeStat(writer, stat);
  };
};

const getEphemerals: Answer = (reader, { tree, client }) => {
  const prefix = reader.string();
  const all = [...tree.ephemeralsOf(client.session?.sessionId ?? 0n)];
  const isAll = prefix.trim() === '' || prefix.trim() === '/';
  return writer => writer.strings(isAll ? all : all.filter(path => path.startsWith(prefix)));
};

/** Watches that a client had on its last connection: what has changed since is reported at once (DataTree.setWatches). */
function setWatches(hasPersistent: boolean): Answer {
  return (reader, { tree, watches, client, notify }) => {
    const since = reader.long();
    const [data, missing, children] = [readPaths(reader), readPaths(reader), readPaths(reader)];
    const [persistent, recursive] = hasPersistent ? [reader.strings(), reader.strings()] : [[], []];
    const set = (
      paths: readonly string[],
      missed: (node: Znode | undefined) => ServerEvent['type'] | undefined,
      watch: (path: string) => void,
    ): void => {
      for (const path of paths) {
        const type = missed(tree.get(path));
        if (type === undefined) watch(path);
        else notify({ type, path });
      }
    };
    const watchData = (path: string): void => watches.watchData(path, client);
    const ifLater = (zxid: bigint, type: ServerEvent['type']) => (zxid > since ? type : undefined);
    set(data, node => (node === undefined ? 'deleted' : ifLater(node.mzxid, 'dataChanged')), watchData);
    set(missing, node => (node === undefined ? undefined : 'created'), watchData);
    set(
      children,
      node => (node === undefined ? 'deleted' : ifLater(node.pzxid, 'childrenChanged')),
      path => watches.watchChildren(path, client),
    );
    for (const path of persistent) watches.watchPersistently(path, client, false);
    for (const path of recursive) watches.watchPersistently(path, client, true);
    return undefined;
  };
}

const addWatch: Answer = (reader, { watches, client }) => {
  const path = reader.string();
  const mode = reader.int();
  if (mode !== 0 && mode !== 1) return ErrorCode.MARSHALLING_ERROR;
  watches.watchPersistently(path, client, mode === 1);
  return writer => writer.int(0);
};

/** Numbers of Watcher.WatcherType. */
const watchTypes: readonly (WatchType | undefined)[] = [
  undefined,
  'children',
  'data',
  'any',
  'persistent',
  'recursive',
];

function aboutWatches(
  act: (watches: WatchTable<RequestClient>, path: string, client: RequestClient, type: WatchType) => boolean,
): Answer {
  return (reader, { watches, client }) => {
    const path = reader.string();
    const type = watchTypes[reader.int()];
    if (type === undefined) return ErrorCode.MARSHALLING_ERROR;
    return act(watches, path, client, type) ? undefined : ErrorCode.NO_WATCHER;
  };
}

const answers = new Map<number, Answer>([
  [Op.multi, multi],
  [Op.multiRead, multiRead],
  [Op.exists, exists],
  [Op.getData, read('data', node => writer => writeStat(writer.optionalBytes(node.data), node.stat()))],
  [Op.getChildren, read('children', node => writer => writeChildren(writer, node))],
  [
    Op.getChildren2,
    read('children', node => writer => {
      writeChildren(writer, node);
      writeStat(writer, node.stat());
    }),
  ],
  [
    Op.getAllChildrenNumber,
    read(
      'none',
      (_, path, { tree }) =>
        writer =>
          writer.int(tree.countBelow(path)),
    ),
  ],
  [Op.getAcl, getAcl],
  [Op.getEphemerals, getEphemerals],
  [
    Op.sync,
    reader => {
      const path = reader.optionalBytes();
      return writer => writer.optionalBytes(path);
    },
  ],
  [Op.setWatches, setWatches(false)],
  [Op.setWatches2, setWatches(true)],
  [Op.addWatch, addWatch],
  [Op.checkWatches, aboutWatches((watches, path, client, type) => watches.has(path, client, type))],
  [Op.removeWatches, aboutWatches((watches, path, client, type) => watches.remove(path, client, type))],
  [
    Op.whoAmI,
    (_, { client }) =>
      writer => {
        writer.int(client.identities.length);
        for (const identity of client.identities) writer.string(identity.scheme).string(userName(identity));
      },
  ],
  [Op.ping, nothing],
  // As a lone server answers whose configuration may not be changed.
  [
    Op.reconfig,
    (reader, { refuse }) => {
      // Who joins, who leaves, and the new members; then the configuration that is to be changed.
      for (let texts = 0; texts < 3; texts++) reader.string();
      reader.long();
      return refuse(ErrorCode.RECONFIG_DISABLED);
    },
  ],
  [
    Op.closeSession,
    (_, context) => {
      context.closeSession();
      return undefined;
    },
  ],
]);

for (const [op, { read: readWrite, write }] of writes) {
  // A check is a part of a multi and no request of its own (Request.isValid).
  if (op === Op.check) continue;
  // The paths of these are checked before they are used.
  const mayBeNull = op === Op.setData || op === Op.setAcl;
  answers.set(op, (reader, { commit, refuse }) => {
    const isNull = reader.isAtNull && !mayBeNull;
    const request = readWrite(reader);
    // A wrong mode is found before the path is looked at.
    const isUnreadable = isNull && (request.op !== 'create' || isValidMode(request));
    return isUnreadable ? refuse(ErrorCode.MARSHALLING_ERROR) : replyTo(commit(request), write);
  });
}

/**
 * Answers a request.
 *
 * @returns `unknown` for a request that ZooKeeper does not have
 */
export function answer(op: number, reader: JuteReader, context: RequestContext): Reply | 'unknown' {
  const found = answers.get(op);
  if (found === undefined) return 'unknown';
  try {
    return found(reader, context);
  } catch (error) {
    if (error instanceof MalformedReplyError) return ErrorCode.MARSHALLING_ERROR;
    throw error;
  }
}
