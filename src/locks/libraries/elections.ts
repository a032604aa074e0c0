import { matchStems, type Dialect, type NameContext, type StemMatch, type TraitsTable } from '../dialect.ts';
import type { ChildNode } from '../lockDirectory.ts';
import { firstField, jsonFieldOf, jsonObjectOf, shorten, textOf } from '../nodeData.ts';
import { bySequenceThenName } from '../order.ts';

// Elections of products that have names of their own: one kind of node each; the first in order leads, or the one that the nodes'
// data names.

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
  // `joinAtHead` takes the number of the first.
  joinsOutOfOrder: () => true,
};

// Mesos masters (docs/dialects.md, section 4): `json.info_<seq>`, formerly `info_<seq>` with protobuf data. The lowest
// number of all leads; all watch the group's children.

export const mesos: Dialect = {
  id: 'mesos',
  isHandWritten: true,
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
  isHandWritten: true,
  match: matchStems({ V_: { kind: 'candidate' } }),
  foreign: { effect: 'fails', unless: /^V_-?\d+$/ },
  identify: identifyAuditor,
};

// Groups of fabric8 and of ActiveMQ's replicated LevelDB store (docs/dialects.md, section 4): `0<seq>`, with a JSON object that says
// of which election the node is (`id`); several elections may share a directory. All watch the children. In fabric8 the first of an
// election leads. With LevelDB the first of a broker's nodes only picks the node with the newest data, by its number; that one leads
// once it has started as the master and has written its address.

const GROUP_STEM = '0';
/** Many times what a member writes; other things have such names, and their data is not parsed for each of thousands. */
const MAX_STATE_BYTES = 8 * 1024;
/** Names alone show neither the election nor the product. */
const GROUP_NAME: StemMatch = { kind: 'candidate', queueKey: 'group' };

function matchGroup(stem: string, { node }: NameContext, isStore: boolean): StemMatch | undefined {
  if (stem !== GROUP_STEM || node?.ephemeralOwner === 0n) return undefined;
  if (node === undefined) return isStore ? undefined : GROUP_NAME;
  return node.data.length > MAX_STATE_BYTES ? undefined : matchState(node.data, isStore);
}

function matchState(data: Uint8Array, isStore: boolean): StemMatch | undefined {
  const state = jsonObjectOf(data);
  const id = firstField(state, ['id']);
  const isMember = id !== '' && state?.has('container') === true && state.has('position') === isStore;
  return isMember ? { kind: 'candidate', queueKey: id, lockName: id } : undefined;
}

function identifyGroupMember({ data }: ChildNode): string {
  return jsonFieldOf(data, ['container', 'address']);
}

export const groups: readonly Dialect[] = [
  {
    id: 'fabric8',
    family: 'group',
    isGuess: true,
    match: (stem, context) => matchGroup(stem, context, false),
    rule: { type: 'mutex', waiterWatches: 'children' },
    identify: identifyGroupMember,
  },
  {
    id: 'activemq',
    family: 'group',
    isGuess: true,
    match: (stem, context) => matchGroup(stem, context, true),
    rule: { type: 'marked', waiterWatches: 'children' },
    isMarked: ({ data }) => jsonFieldOf(data, ['address']) !== '',
    identify: identifyGroupMember,
  },
];

export const electionTraits: TraitsTable = { activemq: { isElectedByData: true } };
