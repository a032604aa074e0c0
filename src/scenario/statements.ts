import { nearestOf, NotRead, type LineReader } from './lineReader.ts';
import type { AttachedBy, Claim, ScenarioRecipe, Span, Step, Written } from './scenario.ts';

/** Without the place, which is known once it has been read. One type for each of a union. */
type Unplaced<T> = T extends unknown ? Omit<T, 'span'> : never;

/** A step that opens a block; what is in it follows. */
export interface BlockHead {
  readonly kind: 'parallel' | 'repeat';
  readonly times: number;
  readonly span: Span;
}

const [mostLeases, mostContenders, mostWoken, mostRepeats] = [1_000, 500, 1_000_000, 1_000];

/** The words that begin a step, but for those of a session. */
export const stepWords = [
  'expect',
  'wait',
  'expire',
  'disconnect',
  'reconnect',
  'lose',
  'delete',
  'attach',
  'herd',
  'parallel',
  'repeat',
] as const;

/** What a session does. */
export const actionWords = ['acquire', 'release', 'leave'] as const;

export const recipeWords = ['mutex', 'exclusive', 'read', 'write', 'semaphore', 'multi'] as const;

/** The words that begin a claim, but for those about a session. */
export const claimWords = [
  'holders',
  'waiters',
  'no',
  'empty',
  'deadlock between',
  'nothing stale',
  'tokens grow',
  'naive woken',
  'predecessor woken',
  'woken',
] as const;

/** No session has such a name. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...['cluster', 'path', 'limit', 'and', 'then', 'for', 'as', 'within', 'to', 'of', 'reply'],
  ...stepWords,
  ...actionWords,
  ...recipeWords,
  ...claimWords.flatMap(words => words.split(' ')),
]);

/** Reads one step, or the head of a block. @throws NotRead */
export function readStep(reader: LineReader, dialects: ReadonlySet<string>): Step | BlockHead {
  const start = reader.here;
  const word = reader.takesOneOf(stepWords);
  const step = word === undefined ? readAction(reader, dialects) : readWorded(word, reader, dialects);
  return { ...step, span: reader.spanFrom(start) };
}

function readWorded(
  word: (typeof stepWords)[number],
  reader: LineReader,
  dialects: ReadonlySet<string>,
): Unplaced<Step | BlockHead> {
  switch (word) {
    case 'expect':
      needsMark(reader, ':');
      return { kind: word, claims: readClaims(reader), ...duration(reader, 'within', 'withinMs') };
    case 'wait':
      return { kind: word, ms: reader.needsDuration() };
    case 'lose':
      needs(reader, 'reply of');
      return { kind: 'lose reply', session: reader.needsSession() };
    case 'delete':
      return { kind: word, session: reader.needsSession(), ...optionalPath(reader) };
    case 'attach':
      return readAttach(reader, dialects);
    case 'herd':
      return { kind: word, contenders: reader.needsNumber(2, mostContenders), ...optionalPath(reader) };
    case 'parallel':
      needsMark(reader, '{');
      return { kind: word, times: 1 };
    case 'repeat': {
      const times = reader.needsNumber(1, mostRepeats);
      needsMark(reader, '{');
      return { kind: word, times };
    }
    default:
      return { kind: word, session: reader.needsSession() };
  }
}

function readAction(reader: LineReader, dialects: ReadonlySet<string>): Unplaced<Step> {
  const session = reader.needsSession('new session');
  needsMark(reader, ':');
  const word = reader.takesOneOf(actionWords) ?? failAtAction(session, reader);
  if (word === 'release') {
    const recipe = reader.takesOneOf(recipeWords);
    return { kind: word, session, ...(recipe === undefined ? {} : { recipe }), ...optionalPath(reader) };
  }
  if (word === 'leave') return { kind: word, session, ...optionalPath(reader), ...readDialect(reader, dialects) };
  const recipe = readRecipe(reader);
  const paths = readPaths(reader, recipe.name === 'multi');
  const dialect = readDialect(reader, dialects);
  return { kind: word, session, recipe, paths, ...dialect, ...duration(reader, 'within', 'timeoutMs') };
}

/** A step's word that is not quite right looks like the name of a session. @throws NotRead */
function failAtAction({ text: found, span }: Written, reader: LineReader): never {
  const expected = stepWords.map(word => ({ word }));
  const near = reader.isAtEnd ? {} : nearestOf(found, expected);
  if (near.nearest !== undefined) throw new NotRead(span, { kind: 'expected', found, expected, ...near });
  return reader.fail();
}

function readRecipe(reader: LineReader): ScenarioRecipe {
  const name = reader.takesOneOf(recipeWords) ?? reader.fail();
  return name === 'semaphore' ? { name, maxLeases: reader.needsNumber(1, mostLeases) } : { name };
}

function readPaths(reader: LineReader, isMulti: boolean): Written[] {
  if (!isMulti) return [reader.takesPath()].filter(path => path !== undefined);
  const paths = [reader.needsPath()];
  do {
    needsMark(reader, ',');
    paths.push(reader.needsPath());
  } while (reader.sees(','));
  return paths;
}

function readAttach(reader: LineReader, dialects: ReadonlySet<string>): Unplaced<Step> {
  const session = reader.needsSession('new session');
  needs(reader, 'to');
  const kind = reader.takesOneOf(['identifier', 'address', 'dialect']) ?? reader.fail();
  const by: AttachedBy =
    kind === 'dialect' ? { kind, dialect: reader.needsDialect(dialects) } : { kind, text: reader.needsText().text };
  return { kind: 'attach', session, by, ...optionalPath(reader) };
}

function readClaims(reader: LineReader): Claim[] {
  const claims = [readClaim(reader)];
  while (reader.takesMark(',')) claims.push(readClaim(reader));
  return claims;
}

function readClaim(reader: LineReader): Claim {
  const start = reader.here;
  const before = optionalPath(reader);
  const claim = readStatement(reader);
  // Deadlocks go over all locks, and notifications are counted over all.
  const hasPath = claim.kind !== 'deadlock' && claim.kind !== 'woken';
  if (before.path !== undefined && !hasPath) failAtPath(before.path);
  const path = before.path === undefined && hasPath ? optionalPath(reader) : before;
  return { ...claim, ...path, span: reader.spanFrom(start) };
}

/** @throws NotRead */
function failAtPath({ text: found, span }: Written): never {
  throw new NotRead(span, { kind: 'expected', found, expected: claimWords.map(word => ({ word })) });
}

function readStatement(reader: LineReader): Unplaced<Claim> {
  const word = reader.takesOneOf(claimWords);
  switch (word) {
    case undefined:
      return readAboutSession(reader);
    case 'empty':
    case 'nothing stale':
    case 'tokens grow':
      return { kind: word };
    case 'woken':
      return readWoken(reader);
    case 'naive woken':
    case 'predecessor woken':
      return { ...readWoken(reader), recipe: word === 'naive woken' ? 'naive' : 'predecessor' };
    default:
      return readAboutSessions(reader, word);
  }
}

function readAboutSessions(
  reader: LineReader,
  word: 'holders' | 'waiters' | 'no' | 'deadlock between',
): Unplaced<Claim> {
  if (word === 'no')
    return { kind: reader.takesOneOf(['holders', 'waiters', 'deadlock']) ?? reader.fail(), sessions: [] };
  const sessions = readSessions(reader, word === 'waiters' ? 'then' : 'and');
  return { kind: word === 'deadlock between' ? 'deadlock' : word, sessions };
}

function readWoken(reader: LineReader): Unplaced<Extract<Claim, { kind: 'woken' }>> {
  const compare = reader.takesOneOf(['at most', 'at least']) ?? reader.fail();
  return { kind: 'woken', compare, count: reader.needsNumber(0, mostWoken) };
}

function readAboutSession(reader: LineReader): Unplaced<Claim> {
  const session = reader.needsSession();
  const kind = reader.takesOneOf(['holds', 'waits', 'stale', 'times out', 'lost', 'uncertain']) ?? reader.fail();
  if (kind !== 'waits') return { kind, session };
  if (!reader.takes('for')) return { kind, session };
  return { kind, session, blocker: reader.needsSession() };
}

/** Names with or without a word between them. */
function readSessions(reader: LineReader, between: 'and' | 'then'): Written[] {
  const sessions = [reader.needsSession()];
  for (;;) {
    const isGoingOn = reader.takes(between);
    const next = isGoingOn ? reader.needsSession() : reader.takesSession();
    if (next === undefined) return sessions;
    sessions.push(next);
  }
}

function readDialect(
  reader: LineReader,
  dialects: ReadonlySet<string>,
): Pick<Extract<Step, { kind: 'leave' }>, 'dialect'> {
  return reader.takes('as') ? { dialect: reader.needsDialect(dialects) } : {};
}

function duration<Key extends string>(reader: LineReader, word: string, key: Key): Partial<Record<Key, number>> {
  return reader.takes(word) ? ({ [key]: reader.needsDuration() } as Partial<Record<Key, number>>) : {};
}

function optionalPath(reader: LineReader): { readonly path?: Written } {
  const path = reader.takesPath();
  return path === undefined ? {} : { path };
}

function needs(reader: LineReader, words: string): void {
  if (!reader.takes(words)) reader.fail();
}

function needsMark(reader: LineReader, mark: ',' | ':' | '{' | '}'): void {
  if (!reader.takesMark(mark)) reader.fail();
}
