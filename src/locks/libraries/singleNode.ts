import type { ChildNode } from '../lockDirectory.ts';
import type { DialectId } from '../lockQueue.ts';
import { jsonFieldOf, jsonObjectOf, protobufField, textOf } from '../nodeData.ts';

// Locks that are one node, held while it exists (docs/recipes.md, R1; docs/dialects.md, section 4 and section 5, row 12). Waiters are
// not in the tree: they watch the node and race when it goes.

/** How to read a lock that is one node. */
export interface SingleNodeMatch {
  dialect: DialectId;
  identify: (node: ChildNode) => string;
}

interface SingleNodeLayout extends SingleNodeMatch {
  /** Tested against the full path. */
  path: RegExp;
}

const layouts: readonly SingleNodeLayout[] = [
  { dialect: 'hadoop-elector', path: /\/ActiveStandbyElectorLock$/, identify: hadoopHost },
  { dialect: 'hbase-master', path: /\/hbase[^/]*\/master$/, identify: hbaseHost },
  { dialect: 'kafka-controller', path: /\/controller$/, identify: kafkaBroker },
  { dialect: 'solr', path: /\/overseer_elect\/leader$|\/leaders\/[^/]+\/leader$/, identify: solrLeader },
  { dialect: 'patroni', path: /^\/service\/[^/]+(?:\/\d+)?\/leader$/, identify: textIdentifier },
  { dialect: 'exclusive-node', path: /\/CONTROLLER\/LEADER$|\/loadbalance\/leader$/, identify: jsonLeader },
  {
    dialect: 'exclusive-node',
    path: /\/leader\/election\/instance$|\/otter\/canal\/destinations\/.*\/running$|\/underreplication\/locks\/urL\d{10,}$/,
    identify: textIdentifier,
  },
  {
    dialect: 'exclusive-node',
    path: /\/(?:lock|locked|leader|LEADER|mutex|exclusive[-_]?lock|leader[-_]lock|master)$/,
    identify: jsonLeader,
  },
];

const LAST_SEGMENTS =
  /(?:ActiveStandbyElectorLock|master|controller|leader|LEADER|instance|running|lock|locked|mutex|urL\d{10,})$/;

/** Children of such directories are locks by their place, whatever their names are. */
const LOCK_DIRECTORY = /(?:^|[-_.\/])(?:locks?|mutex(?:es)?)$/i;

/**
 * Finds the layout of a node by its full path alone.
 *
 * @returns undefined when the path is none that is known for a lock; the node may still be one
 */
export function singleNodeByPath(path: string): SingleNodeMatch | undefined {
  return LAST_SEGMENTS.test(path) ? layouts.find(({ path: pattern }) => pattern.test(path)) : undefined;
}

/** For an ephemeral node that a user named, or that stands in a directory of locks: its creator holds the lock. */
export const anyExclusiveNode: SingleNodeMatch = { dialect: 'exclusive-node', identify: jsonLeader };

/** For `leader` in a directory that also has Patroni's other nodes, whatever its namespace is called. */
export const patroniLeader: SingleNodeMatch = { dialect: 'patroni', identify: textIdentifier };

/** Whether the name of a directory says that its children are locks. */
export function isLockDirectory(path: string): boolean {
  return LOCK_DIRECTORY.test(path);
}

function textIdentifier(node: ChildNode): string {
  return textOf(node.data);
}

function jsonLeader(node: ChildNode): string {
  return (
    jsonFieldOf(node.data, ['instanceName', 'id', 'serviceUrl', 'hostname', 'host', 'name', 'owner']) ||
    textOf(node.data)
  );
}

function kafkaBroker(node: ChildNode): string {
  const broker = jsonFieldOf(node.data, ['brokerid']);
  return broker === '' ? textOf(node.data) : `broker ${broker}`;
}

function solrLeader(node: ChildNode): string {
  return jsonFieldOf(node.data, ['node_name', 'id', 'core']);
}

/** ActiveNodeInfo: host name is field 3; YARN's ActiveRMInfoProto has its id in field 2. */
function hadoopHost(node: ChildNode): string {
  return protobufText(node.data, 3) || protobufText(node.data, 2);
}

function protobufText(message: Uint8Array, field: number): string {
  const bytes = protobufField(message, field);
  return bytes === undefined ? '' : textOf(bytes);
}

const PROTOBUF_MAGIC = 'PBUF';

/** A version header, `PBUF`, then a message whose field 1 is a ServerName with the host in field 1. */
function hbaseHost(node: ChildNode): string {
  const head = String.fromCharCode(...node.data.subarray(0, MAX_HEADER));
  const at = head.indexOf(PROTOBUF_MAGIC);
  if (at < 0) return textOf(node.data);
  const server = protobufField(node.data.subarray(at + PROTOBUF_MAGIC.length), 1);
  return server === undefined ? '' : protobufText(server, 1);
}

const MAX_HEADER = 512;

/** Whether Kafka is being moved off ZooKeeper: then the controller's node is persistent and still holds. */
export function isKraftController(node: ChildNode): boolean {
  const epoch = jsonObjectOf(node.data)?.get('kraftControllerEpoch');
  return typeof epoch === 'number' && epoch >= 0;
}
