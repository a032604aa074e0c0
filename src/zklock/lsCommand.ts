import { severalAtOnce } from '../base/severalAtOnce.ts';
import { sessionText } from '../base/sessionText.ts';
import { dialectText, whoText } from '../extension/words/contenderText.ts';
import { findLocks } from '../inspector/findLocks.ts';
import type { LockSummary } from '../inspector/lockSearch.ts';
import { readQueues } from '../inspector/readQueues.ts';
import { isHolderUnknown, type Contender, type LockQueue } from '../locks/lockQueue.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { readSecurity, reading, type ReadCluster } from './cluster.ts';
import { checkedPath, type CommandParts } from './command.ts';
import { ExitCode } from './failure.ts';
import { plainJson, shown, tableText } from './plainText.ts';

/** Locks that are read at the same time. */
const readsAtOnce = 16;
/** Holders that a line names. */
const namedHolders = 3;

/** A lock that was found. `queue`: absent if it was gone, or could not be read. */
interface ListedLock {
  readonly found: LockSummary;
  queue?: LockQueue;
}

/** `zklock ls`. @returns the exit code @throws what connecting and reading throw */
export async function lsCommand(parts: CommandParts): Promise<number> {
  const { options, rest, environment, signal, output } = parts;
  const [connectString = '', place = '/'] = rest;
  const root = checkedPath(place);
  const security = await readSecurity(options, environment);
  const { listed, denied, truncated } = await reading(connectString, security, signal, cluster =>
    list(cluster, root, signal),
  );
  if (options.json !== undefined) {
    output.line(plainJson({ cluster: connectString, root, locks: listed.map(lockJson), denied, truncated }));
    return ExitCode.good;
  }
  if (listed.length === 0) output.note(`There are no locks at or below ${shown(root)}.`);
  else output.line(tableText([['PATH', 'LIBRARY', 'HOLDER', 'WAITERS'], ...listed.map(lockRow)]).trimEnd());
  if (denied.length > 0)
    output.note(`Not readable, so what lies below is not known: ${denied.map(path => shown(path)).join(', ')}`);
  if (truncated) output.note('The tree is too large to be searched as a whole. Name a path to see the rest.');
  return ExitCode.good;
}

async function list({ client }: ReadCluster, root: string, signal: AbortSignal) {
  const { locks, denied, truncated } = await findLocks(client, root, { signal });
  const listed = locks
    .map((found): ListedLock => ({ found }))
    .sort(({ found: one }, { found: other }) => compare(one.path, other.path) || compare(one.lockName, other.lockName));
  await severalAtOnce(listed, readsAtOnce, async lock => {
    const { path, lockName } = lock.found;
    try {
      const queue = (await readQueues(client, path, { signal })).find(each => each.lockName === lockName);
      if (queue !== undefined) lock.queue = queue;
    } catch (error) {
      if (!isZooKeeperError(error, 'NO_AUTH')) throw error;
    }
  });
  return { listed, denied, truncated };
}

function compare(one = '', other = ''): number {
  return one < other ? -1 : Number(one > other);
}

function lockRow({ found, queue }: ListedLock): string[] {
  const { path, lockName, dialect } = found;
  const name = lockName === undefined ? shown(path) : `${shown(path)} (${shown(lockName)})`;
  if (queue === undefined) return [name, dialectText(dialect), '?', '?'];
  return [name, dialectText(queue.dialect), holderText(queue), String(waitersOf(queue).length)];
}

function holderText(queue: LockQueue): string {
  if (isHolderUnknown(queue)) return '?';
  const holders = holdersOf(queue);
  if (holders.length === 0) return '-';
  const named = holders.slice(0, namedHolders).map(holder => whoText(holder));
  const more = holders.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

function holdersOf({ contenders }: LockQueue): Contender[] {
  return contenders.filter(({ role }) => role === 'holder');
}

function waitersOf({ contenders }: LockQueue): Contender[] {
  return contenders.filter(({ role }) => role === 'waiter');
}

function lockJson({ found, queue }: ListedLock) {
  const { path, lockName, dialect } = found;
  const head = { path, ...(lockName === undefined ? {} : { lockName }), dialect: queue?.dialect ?? dialect };
  if (queue === undefined) return { ...head, holders: null, waiters: null };
  const holders = holdersOf(queue).map(({ name, identifier, ownerSession, isUnread }) => ({
    node: name,
    identifier,
    session: isUnread === true || ownerSession === 0n ? null : sessionText(ownerSession),
  }));
  return { ...head, holders: isHolderUnknown(queue) ? null : holders, waiters: waitersOf(queue).length };
}
