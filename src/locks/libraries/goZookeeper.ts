import { type Dialect, type DialectTraits } from '../dialect.ts';
import type { DialectId } from '../lockQueue.ts';

// go-zookeeper/zk `Lock` (docs/dialects.md, section 3): protected like Curator's but with a GUID without dashes. It
// finds the number behind `lock-`, else behind `__`; any child without one makes every attempt end with an error.

const STEM = /^_c_[0-9a-f]{32}-lock-$/;

export const goZookeeper: Dialect = {
  id: 'go-zookeeper',
  family: 'guid-lock',
  match: stem => (stem.startsWith('_c_') && STEM.test(stem) ? { kind: 'exclusive', queueKey: 'lock-' } : undefined),
  foreign: { effect: 'fails', unless: /(?:lock-|__)-?\d+$/ },
};

export const goZookeeperTraits: Partial<Record<DialectId, DialectTraits>> = {
  'go-zookeeper': {
    // conn.go, lock.go
    writes: {
      mutex: { prefix: ({ attemptId }) => `_c_${attemptId.replaceAll('-', '')}-lock-`, hasIdInName: true },
    },
  },
};
