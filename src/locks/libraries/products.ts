import type { Dialect, StemMatch } from '../dialect.ts';
import type { ChildNode } from '../lockDirectory.ts';
import { firstField, jsonObjectOf, mapOf, namedIn, textOf } from '../nodeData.ts';
import { byName, bySequenceThenName } from '../order.ts';

// Products that lock with names of their own.

// Solr 9, distributed processing of its collection and config set APIs (docs/dialects.md, section 4): `R_<seq>`, `W_<seq>`. A waiter
// watches any one node that blocks it, in the order in which the server lists them; names do not show which.

const SOLR_LOCKS: ReadonlyMap<string, StemMatch> = new Map<string, StemMatch>([
  ['R_', { kind: 'read', queueKey: 'R_' }],
  ['W_', { kind: 'write', queueKey: 'R_' }],
]);

export const solrLock: Dialect = {
  id: 'solr',
  family: 'solr-lock',
  isGuess: true,
  match: (stem, { node }) => (node?.ephemeralOwner === 0n ? undefined : SOLR_LOCKS.get(stem)),
  rule: { type: 'read-write', readerWatches: 'nothing' },
  foreign: { effect: 'fails', unless: /_[-\d]\d{9}$/ },
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
  if (object === undefined) return namedIn(node.data, []);
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
    makesPersistent: 'by-design',
    kindOf: node => (textOf(node.data).startsWith('READ:') ? 'read' : undefined),
  },
];

// Vitess zk2 (docs/dialects.md, section 4): bare numbers below `locks` or `election/<name>`. Every child counts,
// compared as text.

const VITESS_PATH = /\/locks$|\/elections?\/[^/]+$/;

export const vitess: Dialect = {
  id: 'vitess',
  match: (stem, context) => {
    const fits = stem === '' && VITESS_PATH.test(context.directoryPath) && context.node?.ephemeralOwner !== 0n;
    return fits ? { kind: 'exclusive' } : undefined;
  },
  compare: byName,
  foreign: { effect: 'counted', suffixOf: name => name },
  identify: ({ data }) => namedIn(data, ['HostName', 'UserName', 'Action']),
};
