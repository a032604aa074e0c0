import { byName, bySequence, mutexRule, type Dialect } from './dialect.ts';

// Solr's overseer and shard elections (docs/dialects.md, section 4): `<session id>-<node or core>-n_<seq>`.
// `joinAtHead` makes a node with the first waiter's number on purpose: equal numbers are normal, and numbers do not
// follow creation.

const STEM = /^-?\d{1,19}-(.+)-n_$/s;

export const solr: Dialect = {
  id: 'solr',
  match: stem => {
    const id = stem.endsWith('-n_') ? STEM.exec(stem)?.[1] : undefined;
    return id === undefined ? undefined : { kind: 'candidate', identifier: id };
  },
  compare: (a, b) => bySequence(a, b) || byName(a, b),
  rule: mutexRule,
  foreign: { effect: 'fails', unless: /-n_\d+$/ },
  sharesNumber: () => true,
};
