import { matchStems, type Dialect } from '../dialect.ts';
import type { ChildNode } from '../lockDirectory.ts';
import { jsonFieldOf, shorten, textOf } from '../nodeData.ts';
import { byDigits, bySequenceThenName } from '../order.ts';

// Elections of products that have one kind of node each; the first in order leads.

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

// LeaderLatch of the Rust crate `zookeeper` (docs/dialects.md, section 3): `latch-<id>-<seq>`, the id may hold dashes.

const RUST_STEM = /^latch-(.+)-$/s;

export const rustLatch: Dialect = {
  id: 'rust-latch',
  match: stem => {
    const id = stem.startsWith('latch-') ? RUST_STEM.exec(stem)?.[1] : undefined;
    return id === undefined ? undefined : { kind: 'candidate', identifier: id };
  },
  compare: byDigits,
};

// Mesos masters (docs/dialects.md, section 4): `json.info_<seq>`, formerly `info_<seq>` with protobuf data. The lowest
// number of all leads; all watch the group's children.

function identifyMesos(node: ChildNode): string {
  return jsonFieldOf(node.data, ['hostname', 'pid', 'id']);
}

export const mesos: Dialect = {
  id: 'mesos',
  match: matchStems({ 'json.info_': { kind: 'candidate' }, info_: { kind: 'candidate' } }),
  rule: { type: 'mutex', waiterWatches: 'children' },
  identify: identifyMesos,
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
