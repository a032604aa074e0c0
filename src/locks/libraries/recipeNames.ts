import { readWriteRule, type ContenderNaming, type Dialect, type TraitsTable, type StemMatch } from '../dialect.ts';

// Naming schemes of hand-written recipes, which no library owns (docs/recipes.md, R2, R4, R5). All sort by number only, and
// live clients may make contenders that are not ephemeral.

// `R-<seq>`, `W-<seq>` and `<hostname>-R-<seq>`, `<hostname>-W-<seq>` (docs/recipes.md, R2). Order by number only:
// sorting by the whole name would put a host before another.

function matchLetters(stem: string): StemMatch | undefined {
  const letter = stem[stem.length - 2];
  if (!stem.endsWith('-') || (letter !== 'R' && letter !== 'W')) return undefined;
  const host = stem.slice(0, -2);
  if (host !== '' && (host.length < 2 || !host.endsWith('-'))) return undefined;
  return { kind: letter === 'R' ? 'read' : 'write', identifier: host.slice(0, -1) };
}

const letters: Dialect = {
  id: 'rw-letters',
  match: matchLetters,
  rule: readWriteRule,
  isHandWritten: true,
};

// `<name>_lock_<seq>`: several mutexes in one directory (docs/recipes.md, R4). The last `_lock_` ends the name.

const MARKER = '_lock_';

const namedLock: Dialect = {
  id: 'named-lock',
  match: stem => {
    const name = stem.slice(0, -MARKER.length);
    // kazoo's `__lock__` after something that is no GUID ends the same way.
    if (!stem.endsWith(MARKER) || name === '' || stem.endsWith('__lock__')) return undefined;
    return { kind: 'exclusive', queueKey: name, lockName: name };
  },
  sharesDirectory: true,
  isHandWritten: true,
};

// `lock-<session id>-<seq>`: the session in the name lets a client find its own node again (docs/recipes.md, R5). The
// id is written as decimal, possibly negative, or as hex with or without 0x. `lock-<seq>` alone is DistributedLock's.

const SESSION_STEM = /^lock-(-?\d{1,19}|0x[0-9a-f]{1,16}|[0-9a-f]{8,16})-$/i;

const sessionNamed: Dialect = {
  id: 'session-named',
  match: stem => {
    const session = stem.startsWith('lock-') ? SESSION_STEM.exec(stem)?.[1] : undefined;
    return session === undefined ? undefined : { kind: 'exclusive', client: session };
  },
  isHandWritten: true,
};

// The same rule with other words (menagerie's `readLock-` and `writeLock-` among them): each pair is a queue of its own. Records of
// other kinds have such names, too, so the nodes must be ephemeral. Menagerie gives a reader below its own write lock that
// lock's number.

const WORDS = [
  ['r_', 'w_'],
  ['r-', 'w-'],
  ['r-lock-', 'w-lock-'],
  ['read_', 'write_'],
  ['read-lock-', 'write-lock-'],
  ['readLock-', 'writeLock-'],
  ['readlock-', 'writelock-'],
] as const;

const WORD_MATCHES: ReadonlyMap<string, StemMatch> = new Map<string, StemMatch>(
  WORDS.flatMap(([read, write]) => [
    [read, { kind: 'read', queueKey: read }],
    [write, { kind: 'write', queueKey: read }],
  ]),
);

const words: Dialect = {
  id: 'generic',
  family: 'words',
  isGuess: true,
  match: (stem, { node }) => (node?.ephemeralOwner === 0n ? undefined : WORD_MATCHES.get(stem)),
  rule: { type: 'read-write', readerWatches: 'nearest-writer', downgrade: true },
  sharesNumber: (a, b) => a.ownerSession === b.ownerSession,
  joinsOutOfOrder: ({ kind }) => kind === 'read',
  isHandWritten: true,
};

/** In the order of recognition. */
export const recipeNames: readonly Dialect[] = [sessionNamed, letters, words, namedLock];

function letterNaming(letter: string): ContenderNaming {
  return {
    prefix: ({ hostName }) => (hostName === undefined ? `${letter}-` : `${hostName}-${letter}-`),
    hasIdInName: false,
  };
}

export const recipeNamesTraits: TraitsTable = {
  'rw-letters': { writes: { read: letterNaming('R'), write: letterNaming('W') } },
  'named-lock': {
    writes: { mutex: { prefix: ({ lockName = 'lock' }) => `${lockName}${MARKER}`, hasIdInName: false } },
  },
  'session-named': {
    writes: { mutex: { prefix: ({ sessionId }) => `lock-${String(sessionId)}-`, hasIdInName: false } },
  },
};
