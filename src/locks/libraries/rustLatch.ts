import { byDigits, ignoresForeign, mutexRule, type Dialect } from './dialect.ts';

// LeaderLatch of the Rust crate `zookeeper` (docs/dialects.md, section 3): `latch-<id>-<seq>`, the id may hold dashes.

const STEM = /^latch-(.+)-$/s;

export const rustLatch: Dialect = {
  id: 'rust-latch',
  match: stem => {
    const id = stem.startsWith('latch-') ? STEM.exec(stem)?.[1] : undefined;
    return id === undefined ? undefined : { kind: 'candidate', identifier: id };
  },
  compare: byDigits,
  rule: mutexRule,
  foreign: ignoresForeign,
};
