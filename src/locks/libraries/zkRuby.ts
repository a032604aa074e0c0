import { fixedNaming, matchStems, readWriteRule, type Dialect, type DialectTraits } from '../dialect.ts';
import type { DialectId } from '../lockQueue.ts';
import { byDigits } from '../order.ts';

// The Ruby gem `zk` (docs/dialects.md, section 3). It reads the trailing digits without their sign. A semaphore's limit
// is stored nowhere: only its head is certain to hold.

const DIGITS = /0*(\d+)$/;

export const zkRuby: Dialect = {
  id: 'zk-ruby',
  match: matchStems({ ex: { kind: 'write' }, sh: { kind: 'read' } }),
  compare: byDigits,
  rule: readWriteRule,
  // A child without a number counts as number 0 and so stands before all others.
  foreign: { effect: 'counted', suffixOf: name => DIGITS.exec(name)?.[1] ?? '0' },
};

export const zkRubySemaphore: Dialect = {
  id: 'zk-ruby-semaphore',
  match: matchStems({ sem: { kind: 'lease' } }),
  compare: byDigits,
  rule: { type: 'semaphore', maxLeases: 1, waiterWatches: 'nothing' },
  isLimitUnknown: true,
};

/** A won election is confirmed by the node `leader_ack`. */
export const zkRubyElection: Dialect = {
  id: 'zk-ruby-election',
  match: matchStems({ ballot: { kind: 'candidate' } }),
  compare: byDigits,
  rule: view => ({ type: 'mutex', waiterWatches: 'predecessor', headUnconfirmed: !view.hasChild('leader_ack') }),
};

export const zkRubyTraits: Partial<Record<DialectId, DialectTraits>> = {
  'zk-ruby': {
    // lib/zk/locker
    writes: {
      mutex: fixedNaming('ex'),
      read: fixedNaming('sh'),
      write: fixedNaming('ex'),
      semaphore: fixedNaming('sem'),
    },
    semaphore: { type: 'in-queue', marksHolders: false },
  },
  'zk-ruby-semaphore': { semaphoreOf: 'zk-ruby' },
};
