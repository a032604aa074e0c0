import type { ChildNode } from '../lockDirectory.ts';
import type { Contender, DialectId } from '../lockQueue.ts';
import { firstField, jsonFieldOf, jsonObjectOf, mapOf, namedIn, protobufField, textOf } from '../nodeData.ts';
import type { TraitsTable } from '../dialect.ts';

// Locks of products that are one node each, known by their paths (docs/dialects.md, section 4).

/** How to read a lock that is one node. */
export interface SingleNodeMatch {
  dialect: DialectId;
  kind: Contender['kind'];
  /** Who; '' if the node does not say. */
  identify: (node: ChildNode) => string;
  /** For nodes without an owner, which are otherwise directories or remains: whether the lock is held, by the node's data. */
  heldBy?: (node: ChildNode) => HeldByData | undefined;
}

/** What the data of a held lock says besides who. */
export type HeldByData = Pick<Contender, 'leaseEndsAt'>;

/** For `leader` in a directory that also has Patroni's other nodes, whatever its namespace is called. */
export const patroniLeader: SingleNodeMatch = { dialect: 'patroni', kind: 'candidate', identify: textIdentifier };

/** Where a node of that name stands; anywhere without `within`. */
type NamedNode = SingleNodeMatch & {
  /** Tested against the path of the directory. */
  within?: RegExp;
};

/** By the last segment of the path. */
export const namedNodes: ReadonlyMap<string, readonly NamedNode[]> = new Map<string, readonly NamedNode[]>([
  ['ActiveStandbyElectorLock', [{ dialect: 'hadoop-elector', kind: 'candidate', identify: hadoopHost }]],
  ['master', [{ dialect: 'hbase-master', kind: 'candidate', within: /\/hbase[^/]*$/, identify: hbaseHost }]],
  [
    'controller',
    [
      {
        dialect: 'kafka-controller',
        kind: 'candidate',
        identify: kafkaBroker,
        heldBy: isKraftController,
      },
    ],
  ],
  [
    'leader',
    [
      { dialect: 'solr', kind: 'candidate', within: /\/overseer_elect$|\/leaders\/[^/]+$/, identify: solrLeader },
      { ...patroniLeader, within: /^\/service\/[^/]+(?:\/\d+)?$/ },
      { dialect: 'pulsar', kind: 'candidate', within: /\/loadbalance$/, identify: pulsarBroker },
    ],
  ],
  ['LEADER', [{ dialect: 'helix-controller', kind: 'candidate', within: /\/CONTROLLER$/, identify: helixController }]],
  ['instance', [{ dialect: 'elasticjob', kind: 'candidate', within: /\/leader\/election$/, identify: textIdentifier }]],
  [
    'running',
    [
      { dialect: 'canal', kind: 'exclusive', within: /\/otter\/canal\/destinations\/./, identify: canalAddress },
      // Persistent while the job may be taken over by another instance, so that the end of the session leaves it.
      {
        dialect: 'elasticjob',
        kind: 'exclusive',
        within: /\/sharding\/\d+$/,
        identify: textIdentifier,
        heldBy: isJobInstance,
      },
    ],
  ],
  [
    'topom',
    [{ dialect: 'codis', kind: 'exclusive', within: /\/codis3\/[^/]+$/, identify: codisAddress, heldBy: isTopom }],
  ],
  ['schema_registry_master', [{ dialect: 'schema-registry', kind: 'candidate', identify: registryHost }]],
]);

/** By a directory above, whatever the last segment is. `below` is a part of `path` that is quick to look for. */
export const placedNodes: readonly (SingleNodeMatch & { below: string; path: RegExp })[] = [
  {
    below: '/underreplication/locks/urL',
    path: /\/urL\d{10,}$/,
    dialect: 'exclusive-node',
    kind: 'exclusive',
    identify: textIdentifier,
  },
  // kazoo's LockingQueue (kazoo/recipe/queue.py): each item that a client has taken, with the id of its queue object.
  {
    below: '/taken/entry-',
    path: /\/taken\/entry-\d{3}-\d{10}$/,
    dialect: 'exclusive-node',
    kind: 'exclusive',
    identify: textIdentifier,
  },
  {
    below: '/namespace/',
    path: /\/namespace\/.+\/0x[0-9a-f]{8}_0x[0-9a-f]{8}$/,
    dialect: 'pulsar',
    kind: 'exclusive',
    identify: pulsarBroker,
  },
  {
    below: '/owners/',
    path: /\/consumers\/[^/]+\/owners\/[^/]+\/\d+$/,
    dialect: 'kafka-consumer',
    kind: 'exclusive',
    identify: textIdentifier,
  },
  {
    below: '/shedlock/',
    path: /\/shedlock\/[^/]+$/,
    dialect: 'shedlock',
    kind: 'exclusive',
    // It stores only until when.
    identify: () => '',
    heldBy: shedLockEnd,
  },
  {
    below: '/LOCK/',
    path: /\/LOCK\/(?:CLUSTER|PARTICIPANT|RESOURCE)\/[^/]+$/,
    dialect: 'helix-lock',
    kind: 'exclusive',
    identify: ({ data }) => firstField(simpleFields(data), ['OWNER']),
    heldBy: helixEnd,
  },
];

export const productNodeTraits: TraitsTable = { shedlock: { reusesNode: true }, 'helix-lock': { reusesNode: true } };

function textIdentifier({ data }: ChildNode): string {
  return namedIn(data, []);
}

/** Whether Kafka is being moved off ZooKeeper: then the controller's node is persistent and still holds. */
function isKraftController({ data }: ChildNode): HeldByData | undefined {
  const epoch = jsonObjectOf(data)?.get('kraftControllerEpoch');
  return typeof epoch === 'number' && epoch >= 0 ? {} : undefined;
}

function kafkaBroker({ data }: ChildNode): string {
  const broker = jsonFieldOf(data, ['brokerid']);
  return broker === '' ? namedIn(data, []) : `broker ${broker}`;
}

function solrLeader({ data }: ChildNode): string {
  return jsonFieldOf(data, ['node_name', 'id', 'core']);
}

function pulsarBroker({ data }: ChildNode): string {
  return namedIn(data, ['serviceUrl', 'nativeUrl', 'nativeUrlTls', 'httpUrl', 'httpUrlTls']);
}

function canalAddress({ data }: ChildNode): string {
  return namedIn(data, ['address']);
}

function codisAddress({ data }: ChildNode): string {
  return jsonFieldOf(data, ['admin_addr', 'token']);
}

/** The dashboard's node is persistent: one that crashed keeps the lock until its node is removed. */
function isTopom(node: ChildNode): HeldByData | undefined {
  return codisAddress(node) === '' ? undefined : {};
}

/** The address and the process id, `10.0.0.7@-@4711`. */
function isJobInstance({ data }: ChildNode): HeldByData | undefined {
  return textOf(data).includes('@-@') ? {} : undefined;
}

function registryHost({ data }: ChildNode): string {
  const host = jsonFieldOf(data, ['host']);
  const port = jsonFieldOf(data, ['port']);
  return host === '' || port === '' ? host : `${host}:${port}`;
}

/** ActiveNodeInfo: host name is field 3; YARN's ActiveRMInfoProto has its id in field 2. */
function hadoopHost({ data }: ChildNode): string {
  return protobufText(data, 3) || protobufText(data, 2);
}

function protobufText(message: Uint8Array, field: number): string {
  const bytes = protobufField(message, field);
  return bytes === undefined ? '' : textOf(bytes);
}

const PROTOBUF_MAGIC = 'PBUF';
const MAX_HEADER = 512;

/** A version header, `PBUF`, then a message whose field 1 is a ServerName with the host in field 1. */
function hbaseHost({ data }: ChildNode): string {
  const head = String.fromCharCode(...data.subarray(0, MAX_HEADER));
  const at = head.indexOf(PROTOBUF_MAGIC);
  if (at < 0) return textOf(data);
  const server = protobufField(data.subarray(at + PROTOBUF_MAGIC.length), 1);
  return server === undefined ? '' : protobufText(server, 1);
}

/** Helix' record: a JSON object with `id` and the texts `simpleFields`. */
function simpleFields(data: Uint8Array): ReadonlyMap<string, unknown> | undefined {
  return mapOf(jsonObjectOf(data)?.get('simpleFields'));
}

/** The controller's name, and its process: `4711@host`. */
function helixController({ data }: ChildNode): string {
  const name = jsonFieldOf(data, ['id']);
  const process = firstField(simpleFields(data), ['LIVE_INSTANCE']);
  return [name, process].filter(part => part !== '').join(', ') || namedIn(data, []);
}

/** The node stays when the lock is free, with an owner `NONE` or without an end. */
function helixEnd({ data }: ChildNode): HeldByData | undefined {
  const fields = simpleFields(data);
  const owner = firstField(fields, ['OWNER']);
  const end = firstField(fields, ['TIMEOUT']);
  if (owner === '' || owner === 'NONE' || !/^\d{1,19}$/.test(end)) return undefined;
  return endsAt(Number(end));
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** The end of the lock as `2026-01-01T00:00:00.000Z`; a lock that was released has its end in the past. */
function shedLockEnd({ data }: ChildNode): HeldByData | undefined {
  const text = textOf(data);
  const end = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(end) ? undefined : endsAt(end);
}

/** More is no date, and means that the lock never ends. */
const MAX_TIME = 8.64e15;

function endsAt(end: number): HeldByData {
  return end > MAX_TIME ? {} : { leaseEndsAt: end };
}
