import { type Dialect, type StemMatch } from '../dialect.ts';
import { bySequence } from '../order.ts';

// Hive's ZooKeeper lock manager (docs/dialects.md, section 4): no queue and no watch, a loser deletes its node and
// tries again later. Semi-shared nodes are never checked as blockers. Explicit LOCK TABLE makes nodes that outlive the
// session.

const MATCHES: ReadonlyMap<string, StemMatch> = new Map<string, StemMatch>([
  ['LOCK-SHARED-', { kind: 'read' }],
  ['LOCK-SEMI_SHARED-', { kind: 'read', isNeverWaitedFor: true }],
  ['LOCK-EXCLUSIVE-', { kind: 'write' }],
]);

export const hive: Dialect = {
  id: 'hive',
  match: stem => MATCHES.get(stem),
  compare: bySequence,
  rule: { type: 'read-write', readerWatches: 'nothing', writerWatches: 'nothing' },
  persistentByDesign: true,
};
