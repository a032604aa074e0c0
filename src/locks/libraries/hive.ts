import { matchStems, type Dialect } from '../dialect.ts';

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
  rule: { type: 'read-write', readerWatches: 'nothing', writerWatches: 'nothing' },
  persistentByDesign: true,
};
