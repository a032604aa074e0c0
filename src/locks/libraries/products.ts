import { matchStems, type Dialect, type StemMatch } from '../dialect.ts';
import type { ChildNode } from '../lockDirectory.ts';
import { firstField, jsonFieldOf, jsonObjectOf, mapOf, shorten, textOf } from '../nodeData.ts';
import { byName, bySequenceThenName } from '../order.ts';

// Products that lock and elect with names of their own. First the elections: one kind of node each; the first in order leads.

// Solr's overseer and shard elections (docs/dialects.md, section 4): `<session id>-<node or core>-n_<seq>`.
// `joinAtHead` makes a node with the first waiter's number on purpose: equal numbers are normal, and numbers do not
// follow creation.

const SOLR_STEM = /^-?\d{1,19}-(.+)-n_$/s;

export const solr: Dialect = {
  id: 'solr',
  match: stem => {
    const id = stem.endsWith('-n_') ? SOLR_STEM.exec(stem)?.[1] : undefined;
    return id === undefined ? undefined : { kind: 'candidate', identifier: id };
  },
  compare: bySequenceThenName,
  foreign: { effect: 'fails', unless: /-n_\d+$/ },
  sharesNumber: () => true,
};

// Mesos masters (docs/dialects.md, section 4): `json.info_<seq>`, formerly `info_<seq>` with protobuf data. The lowest
// number of all leads; all watch the group's children.

export const mesos: Dialect = {
  id: 'mesos',
  match: matchStems({ 'json.info_': { kind: 'candidate' }, info_: { kind: 'candidate' } }),
  rule: { type: 'mutex', waiterWatches: 'children' },
  identify: ({ data }) => jsonFieldOf(data, ['hostname', 'pid', 'id']),
};

// BookKeeper's auditor election (docs/dialects.md, section 4): `V_<seq>`, data in protobuf's text form.

function identifyAuditor(node: ChildNode): string {
  const text = textOf(node.data);
  return shorten(/bookieId:\s*"([^"]*)"/.exec(text)?.[1] ?? text);
}

export const bookkeeperAuditor: Dialect = {
  id: 'bookkeeper-auditor',
  match: matchStems({ V_: { kind: 'candidate' } }),
  foreign: { effect: 'fails', unless: /^V_-?\d+$/ },
  identify: identifyAuditor,
};

// Accumulo (docs/dialects.md, section 4). Service locks, `zlock#<uuid>#<seq>`: a waiter watches the lowest node that
// has the uuid of its predecessor. Table locks of FATE, `flock#<kind><: or ~><fate id>...#<seq>`, before 3.0
// `flock#<seq>` with the kind in the data: persistent, polled, no client watches. Row ranges in the newest names are not
// compared: any writer blocks. Numbers of eleven characters are not seen by Accumulo.

const SERVICE = /^zlock#([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})#$/;
const FATE = /^flock#(?:(READ|WRITE)[:~](.*)#)?$/s;

function isTenDigits(suffix: string): boolean {
  return suffix.length === 10 && !suffix.startsWith('-');
}

function descriptorAddress(node: ChildNode): string {
  const object = jsonObjectOf(node.data);
  if (object === undefined) return textOf(node.data);
  const descriptors: unknown = object.get('descriptors');
  const first = mapOf(Array.isArray(descriptors) ? descriptors[0] : undefined);
  return firstField(first, ['address', 'service']);
}

function matchFate(stem: string): StemMatch | undefined {
  const parts = stem.startsWith('flock#') ? FATE.exec(stem) : null;
  if (parts === null) return undefined;
  const identifier = parts[2]?.split('~')[0] ?? '';
  return { kind: parts[1] === 'READ' ? 'read' : 'write', queueKey: 'flock', identifier };
}

export const accumulo: readonly Dialect[] = [
  {
    id: 'accumulo',
    match: stem => {
      const uuid = stem.startsWith('zlock#') ? SERVICE.exec(stem)?.[1] : undefined;
      return uuid === undefined ? undefined : { kind: 'exclusive', queueKey: 'zlock', client: uuid, identifier: uuid };
    },
    compare: bySequenceThenName,
    rule: { type: 'mutex', waiterWatches: 'first-of-predecessors-client' },
    identify: descriptorAddress,
    acceptsSuffix: isTenDigits,
  },
  {
    id: 'accumulo',
    match: matchFate,
    rule: { type: 'read-write', readerWatches: 'nothing' },
    acceptsSuffix: isTenDigits,
    persistentByDesign: true,
    kindOf: node => (textOf(node.data).startsWith('READ:') ? 'read' : undefined),
  },
];

// Hive's ZooKeeper lock manager (docs/dialects.md, section 4): no queue and no watch, a loser deletes its node and
// tries again later. Semi-shared nodes are never checked as blockers. Explicit LOCK TABLE makes nodes that outlive the
// session.

export const hive: Dialect = {
  id: 'hive',
  match: matchStems({
    'LOCK-SHARED-': { kind: 'read' },
    'LOCK-SEMI_SHARED-': { kind: 'read', isNeverWaitedFor: true },
    'LOCK-EXCLUSIVE-': { kind: 'write' },
  }),
  rule: { type: 'read-write', readerWatches: 'nothing' },
  persistentByDesign: true,
};

// Vitess zk2 (docs/dialects.md, section 4): bare numbers below `locks` or `election/<name>`. Every child counts,
// compared as text.

const VITESS_PATH = /\/locks$|\/elections?\/[^/]+$/;

function identifyVitess(node: ChildNode): string {
  const object = jsonObjectOf(node.data);
  return object === undefined ? textOf(node.data) : firstField(object, ['HostName', 'UserName', 'Action']);
}

export const vitess: Dialect = {
  id: 'vitess',
  match: (stem, context) => {
    const fits = stem === '' && VITESS_PATH.test(context.directoryPath) && context.node?.ephemeralOwner !== 0n;
    return fits ? { kind: 'exclusive' } : undefined;
  },
  compare: byName,
  foreign: { effect: 'counted', suffixOf: name => name },
  identify: identifyVitess,
};
