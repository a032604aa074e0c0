import { forEachInParts, inTurns, type Interruptible } from '../../base/interruptible.ts';
import type { LockDirectory } from '../../locks/lockDirectory.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { Redactor } from '../../incident/redactor.ts';
import type { DirectoryReading } from '../../inspector/readDirectory.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { queuesIn, type CollectedState } from './collectState.ts';

/** `names`: the names in lock paths, too. */
export type Redaction = 'none' | 'who' | 'names';

/** What is known of a cluster besides its nodes that says where it is. */
export interface RedactedCluster {
  /** `host:port` of the connect string. */
  servers: readonly string[];
}

/**
 * Makes the redactor of one file: it has seen everything that goes into it. In turns of the event loop.
 *
 * @param past the entries of the span
 * @throws CancelledError; what reading the past throws
 */
export async function redactorFor(
  redaction: Exclude<Redaction, 'none'>,
  { readings, owners, watches }: CollectedState,
  { servers }: RedactedCluster,
  past: AsyncIterable<JournalEntry> | undefined,
  signal: AbortSignal,
): Promise<Redactor> {
  const redactor = new Redactor(redaction === 'names');
  const directories = readings.map(({ directory }) => directory);
  await inTurnsUntil(signal, learningAll(redactor, directories));
  redactor.learnOwners(owners);
  if (watches !== undefined) redactor.learnWatches(watches);
  for (const server of servers) redactor.learnAddress(server);
  for await (const entry of past ?? []) redactor.learnEntry(entry);
  await inTurnsUntil(signal, redactor.keepingPaths(directories));
  return redactor;
}

function* learningAll(redactor: Redactor, directories: readonly LockDirectory[]): Interruptible<void> {
  for (const directory of directories) yield* redactor.learning(directory);
}

/**
 * The state with who and where replaced, recognised again: nothing of the former texts is left in it. In turns of the event loop.
 *
 * @throws CancelledError
 */
export async function redactState(
  state: CollectedState,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<CollectedState> {
  const readings = await inTurnsUntil(signal, redactingReadings(state, redactor));
  const { since, stayed } = await inTurnsUntil(signal, redactingContenders(state, redactor));
  const recognised = await queuesIn(readings, signal);
  return {
    ...state,
    readings,
    queues: await inTurnsUntil(signal, withTurns(recognised, since)),
    owners: redactor.owners(state.owners),
    ...(state.watches === undefined ? {} : { watches: redactor.watches(state.watches) }),
    stayed,
    changing: state.changing.map(path => redactor.path(path)),
    unread: state.unread.map(path => redactor.path(path)),
  };
}

function* redactingReadings({ readings }: CollectedState, redactor: Redactor): Interruptible<DirectoryReading[]> {
  const path = (each: string): string => redactor.path(each);
  const redacted: DirectoryReading[] = [];
  for (const { directory, wantedFurther, unreadable } of readings) {
    redacted.push({
      directory: yield* redactor.redacting(directory),
      wantedFurther: wantedFurther.map(path),
      unreadable: unreadable.map(path),
    });
  }
  return redacted;
}

interface RedactedContenders {
  /** By path: since when it holds. */
  since: ReadonlyMap<string, Contender['heldSince']>;
  stayed: ReadonlySet<string>;
}

function* redactingContenders(state: CollectedState, redactor: Redactor): Interruptible<RedactedContenders> {
  const since = new Map<string, Contender['heldSince']>();
  const stayed = new Set<string>();
  for (const { contenders } of state.queues) {
    yield* forEachInParts(contenders, ({ path, heldSince }) => {
      const redacted = redactor.path(path);
      since.set(redacted, heldSince);
      if (state.stayed.has(path)) stayed.add(redacted);
    });
    yield;
  }
  return { since, stayed };
}

/** Since when holders hold is not read from their nodes. */
function* withTurns(queues: readonly LockQueue[], since: RedactedContenders['since']): Interruptible<LockQueue[]> {
  const all: LockQueue[] = [];
  for (const queue of queues) {
    const contenders = queue.contenders.map((contender): Contender => {
      const heldSince = since.get(contender.path);
      return heldSince === undefined || contender.role !== 'holder' ? contender : { ...contender, heldSince };
    });
    all.push({ ...queue, contenders });
    yield;
  }
  return all;
}

/** @throws CancelledError */
async function inTurnsUntil<T>(signal: AbortSignal, work: Interruptible<T>): Promise<T> {
  const done = await inTurns(boxed(work), () => !signal.aborted);
  if (done === undefined) throw new CancelledError('Save Incident');
  return done.result;
}

/** A result that may be `undefined` itself. */
function* boxed<T>(work: Interruptible<T>): Interruptible<{ result: T }> {
  return { result: yield* work };
}
