import { bySequence, ignoresForeign, mutexRule, type Dialect, type StemMatch } from './dialect.ts';

// `lock-<session id>-<seq>`: the session in the name lets a client find its own node again (docs/recipes.md, R5). The
// id is written as decimal, possibly negative, or as hex with or without 0x. `lock-<seq>` alone is DistributedLock's.

const STEM = /^lock-(-?\d{1,19}|0x[0-9a-f]{1,16}|[0-9a-f]{8,16})-$/i;

function match(stem: string): StemMatch | undefined {
  const session = stem.startsWith('lock-') ? STEM.exec(stem)?.[1] : undefined;
  return session === undefined ? undefined : { kind: 'exclusive', client: session };
}

export const sessionNamed: Dialect = {
  id: 'session-named',
  match,
  compare: bySequence,
  rule: mutexRule,
  foreign: ignoresForeign,
};
