import { bySequence, ignoresForeign, mutexRule, type Dialect } from './dialect.ts';

// `<name>_lock_<seq>`: several mutexes in one directory (docs/recipes.md, R4). The last `_lock_` ends the name.

const MARKER = '_lock_';

export const namedLock: Dialect = {
  id: 'named-lock',
  match: stem => {
    const name = stem.slice(0, -MARKER.length);
    // kazoo's `__lock__` after something that is no GUID ends the same way.
    if (!stem.endsWith(MARKER) || name === '' || stem.endsWith('__lock__')) return undefined;
    return { kind: 'exclusive', queueKey: name, lockName: name };
  },
  compare: bySequence,
  rule: mutexRule,
  foreign: ignoresForeign,
};
