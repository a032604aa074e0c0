import { type AclEntry, type Id, isAllowed, resolveAcl, Right } from './acl.ts';
import type { DataTree } from './dataTree.ts';
import { ErrorCode } from '../zookeeper/wire/errorCodes.ts';
import type { Change } from './transaction.ts';
import { containerOwner, largestTtl, ownerKind, ttlOwner } from './znode.ts';
import { directoryOf, isSpecialPath, isValidPath } from './znodePath.ts';

/** A request that changes the tree. */
export type WriteRequest = SingleWrite | { op: 'multi'; parts: readonly SingleWrite[] };

/** What a multi may consist of, and most requests do. */
export type SingleWrite =
  | CreateRequest
  | { op: 'delete'; path: string; version: number }
  | { op: 'setData'; path: string; data: Uint8Array | undefined; version: number }
  | { op: 'setAcl'; path: string; acl: readonly AclEntry[]; version: number }
  | { op: 'check'; path: string; version: number }
  /** The server removes a container or a TTL node. */
  | { op: 'deleteContainer'; path: string };

interface CreateRequest {
  op: 'create';
  path: string;
  data: Uint8Array | undefined;
  acl: readonly AclEntry[];
  /** As in CreateMode.java: 1 ephemeral, 2 sequential, 4 container, 5 and 6 TTL. */
  flags: number;
  /** Which request it came with: it decides what is made, whatever the flags say. */
  kind: 'plain' | 'container' | 'ttl';
  /** ms; only for `kind` `ttl`. */
  ttl: bigint;
}

/** Who asks. */
export interface Requester {
  sessionId: bigint;
  identities: readonly Id[];
}

/** What a request has to know of a node. */
interface NodeFacts {
  acl: readonly AclEntry[];
  version: number;
  aversion: number;
  childrenCreated: number;
  childCount: number;
  owner: bigint;
}

/** Where the facts come from: the tree, or what the parts of a multi before this one will leave. */
interface Facts {
  get(path: string): NodeFacts | undefined;
}

function refused(code: number): Change {
  return { type: 'error', code };
}

/**
 * Turns a request into the change that it means now, as PrepRequestProcessor.java does: versions, sequence numbers and rights are decided
 * here, so that applying the change needs neither. A request that cannot be done becomes an error, which takes a zxid too.
 */
export function prepare(tree: DataTree, requester: Requester, request: WriteRequest): Change {
  return request.op === 'multi' ? prepareMulti(tree, requester, request.parts) : prepareOne(tree, requester, request);
}

function prepareMulti(tree: DataTree, requester: Requester, requests: readonly SingleWrite[]): Change {
  const facts = new LaterFacts(tree);
  const parts: Change[] = [];
  let hasFailed = false;
  for (const request of requests) {
    // What comes after a failure is not even tried.
    const part: Change = hasFailed ? refused(ErrorCode.RUNTIME_INCONSISTENCY) : prepareOne(facts, requester, request);
    hasFailed ||= part.type === 'error';
    facts.note(part);
    parts.push(part);
  }
  return { type: 'multi', parts };
}

function prepareOne(facts: Facts, requester: Requester, request: SingleWrite): Change {
  switch (request.op) {
    case 'create':
      return prepareCreate(facts, requester, request);
    case 'delete':
      return prepareDelete(facts, requester, request);
    case 'deleteContainer':
      return prepareDeleteContainer(facts, request.path);
    case 'setData':
      return prepareVersioned(
        facts,
        requester,
        request,
        Right.write,
        ({ version }) => version,
        version => {
          return { type: 'setData', path: request.path, data: request.data, version };
        },
      );
    case 'check':
      return prepareVersioned(
        facts,
        requester,
        request,
        Right.read,
        ({ version }) => version,
        version => {
          return { type: 'check', path: request.path, version };
        },
      );
    case 'setAcl': {
      const acl = resolveAcl(request.acl, requester.identities);
      if (isValidPath(request.path) && acl === undefined) return refused(ErrorCode.INVALID_ACL);
      return prepareVersioned(
        facts,
        requester,
        request,
        Right.admin,
        ({ aversion }) => aversion,
        version => {
          return { type: 'setAcl', path: request.path, acl: acl ?? [], version };
        },
      );
    }
  }
}

/** A change of one node, which asks for a right to it and for the version that is there. */
function prepareVersioned(
  facts: Facts,
  requester: Requester,
  request: { path: string; version: number },
  right: number,
  versionOf: (node: NodeFacts) => number,
  change: (nextVersion: number) => Change,
): Change {
  if (!isValidPath(request.path)) return refused(ErrorCode.BAD_ARGUMENTS);
  const node = facts.get(request.path);
  if (node === undefined) return refused(ErrorCode.NO_NODE);
  if (!isAllowed(node.acl, requester.identities, right)) return refused(ErrorCode.NO_AUTH);
  const version = versionOf(node);
  return isVersion(request.version, version) ? change((version + 1) | 0) : refused(ErrorCode.BAD_VERSION);
}

function isVersion(expected: number, version: number): boolean {
  return expected === -1 || expected === version;
}

function prepareDelete(facts: Facts, requester: Requester, request: { path: string; version: number }): Change {
  const { path } = request;
  const directory = directoryOf(path);
  if (directory === undefined || isSpecialPath(path)) return refused(ErrorCode.BAD_ARGUMENTS);
  const parent = facts.get(directory);
  if (parent === undefined) return refused(ErrorCode.NO_NODE);
  if (!isAllowed(parent.acl, requester.identities, Right.delete)) return refused(ErrorCode.NO_AUTH);
  const node = facts.get(path);
  if (node === undefined) return refused(ErrorCode.NO_NODE);
  if (!isVersion(request.version, node.version)) return refused(ErrorCode.BAD_VERSION);
  return node.childCount > 0 ? refused(ErrorCode.NOT_EMPTY) : { type: 'delete', path };
}

function prepareDeleteContainer(facts: Facts, path: string): Change {
  const directory = directoryOf(path);
  if (directory === undefined || isSpecialPath(path)) return refused(ErrorCode.BAD_ARGUMENTS);
  const node = facts.get(path);
  if (node === undefined) return refused(ErrorCode.NO_NODE);
  if (node.childCount > 0) return refused(ErrorCode.NOT_EMPTY);
  if (ownerKind(node.owner) === 'session') return refused(ErrorCode.BAD_VERSION);
  return facts.get(directory) === undefined ? refused(ErrorCode.NO_NODE) : { type: 'delete', path };
}

/** Whether a node with these flags has a TTL. */
export function isTtl(flags: number): boolean {
  return flags === 5 || flags === 6;
}

const isSequential = (flags: number): boolean => flags === 2 || flags === 3 || flags === 6;
const isEphemeral = (flags: number): boolean => flags === 1 || flags === 3;

/**
 * Flags that are a CreateMode, and a TTL where and only where the mode has one. The real server takes a
 * negative TTL for a mode without one, and ends itself.
 */
export function isValidMode({ flags, kind, ttl }: CreateRequest): boolean {
  if (kind === 'ttl') return isTtl(flags) && ttl > 0n && ttl <= largestTtl;
  return flags >= 0 && flags <= 4;
}

function prepareCreate(facts: Facts, requester: Requester, request: CreateRequest): Change {
  const directory = directoryOf(request.path);
  if (directory === undefined || !isValidMode(request)) return refused(ErrorCode.BAD_ARGUMENTS);
  const acl = resolveAcl(request.acl, requester.identities);
  if (acl === undefined) return refused(ErrorCode.INVALID_ACL);
  const parent = facts.get(directory);
  if (parent === undefined) return refused(ErrorCode.NO_NODE);
  if (!isAllowed(parent.acl, requester.identities, Right.create)) return refused(ErrorCode.NO_AUTH);
  const path = isSequential(request.flags) ? request.path + sequenceText(parent.childrenCreated) : request.path;
  if (!isValidPath(path)) return refused(ErrorCode.BAD_ARGUMENTS);
  if (facts.get(path) !== undefined) return refused(ErrorCode.NODE_EXISTS);
  if (ownerKind(parent.owner) === 'session') return refused(ErrorCode.NO_CHILDREN_FOR_EPHEMERALS);
  return {
    type: 'create',
    path,
    data: request.data,
    acl,
    owner: ownerOf(request, requester.sessionId),
    parentChildrenCreated: (parent.childrenCreated + 1) | 0,
  };
}

/** Java's `%010d`: the sign takes one of the ten places. */
function sequenceText(sequence: number): string {
  return sequence < 0 ? `-${String(-sequence).padStart(9, '0')}` : String(sequence).padStart(10, '0');
}

function ownerOf({ kind, flags, ttl }: CreateRequest, sessionId: bigint): bigint {
  if (kind === 'container') return containerOwner;
  if (kind === 'ttl') return ttlOwner(ttl);
  return isEphemeral(flags) ? sessionId : 0n;
}

/** The nodes as the parts of a multi so far will leave them. */
class LaterFacts implements Facts {
  private readonly tree: DataTree;
  private readonly later = new Map<string, NodeFacts | undefined>();

  constructor(tree: DataTree) {
    this.tree = tree;
  }

  get(path: string): NodeFacts | undefined {
    return this.later.has(path) ? this.later.get(path) : this.tree.get(path);
  }

  note(change: Change): void {
    if (change.type === 'create') {
      const { path, acl, owner, parentChildrenCreated: childrenCreated } = change;
      this.alterParent(path, parent => ({ childrenCreated, childCount: parent.childCount + 1 }));
      this.later.set(path, { acl, owner, version: 0, aversion: 0, childrenCreated: 0, childCount: 0 });
    } else if (change.type === 'delete') {
      this.alterParent(change.path, parent => ({ childCount: parent.childCount - 1 }));
      this.later.set(change.path, undefined);
    } else if (change.type === 'setData') this.alter(change.path, () => ({ version: change.version }));
    else if (change.type === 'setAcl') this.alter(change.path, () => ({ aversion: change.version, acl: change.acl }));
  }

  private alterParent(path: string, altered: (parent: NodeFacts) => Partial<NodeFacts>): void {
    this.alter(path.slice(0, path.lastIndexOf('/')), altered);
  }

  private alter(path: string, altered: (node: NodeFacts) => Partial<NodeFacts>): void {
    const node = this.get(path);
    if (node === undefined) return;
    const { acl, version, aversion, childrenCreated, childCount, owner } = node;
    this.later.set(path, { acl, version, aversion, childrenCreated, childCount, owner, ...altered(node) });
  }
}
