import { parentPath } from '../../base/paths.ts';
import type { ClusterBrowser } from './clusterBrowser.ts';

/** Stats per look. */
const maxDirectories = 100;
/** A directory exists before the node that makes it a lock: a changed directory is searched in this many looks. */
const looksAfterChange = 3;
/** Larger trees, and longer lists, are searched by *Refresh* only: too much work for the background. */
const largestSearch = 20_000;
const mostLocks = 1_000;

/** The last look at one cluster. */
interface Seen {
  /** pzxid by directory: the transaction of the last child that came or went. */
  pzxids: Map<string, bigint>;
  /** In how many more looks a directory is searched. */
  due: Map<string, number>;
  isLooking: boolean;
}

type Looked = Pick<ClusterBrowser, 'node' | 'connection' | 'find'>;

/**
 * Finds locks that were created after the search, without another full search: reads the stat of the lock roots and of the
 * directories of known locks, and searches only those where children came or went. A recursive watch on the roots would
 * receive every change of every queue instead. A lock deeper down in a new directory is found only if it is created soon.
 */
export class NewLocks {
  private readonly seen = new WeakMap<Looked, Seen>();

  /** Looks once; called every few seconds while the cluster's rows are on screen. Never rejects. */
  async look(browser: Looked): Promise<void> {
    const seen: Seen = this.seen.get(browser) ?? { pzxids: new Map(), due: new Map(), isLooking: false };
    this.seen.set(browser, seen);
    if (seen.isLooking || !isWorthLooking(browser)) return;
    seen.isLooking = true;
    try {
      await compare(browser, seen);
      for (const directory of takeDue(seen)) {
        await browser.find(directory, new AbortController().signal, () => undefined);
      }
    } catch {
      // A failed connection has its own row; the next look covers this one.
    } finally {
      seen.isLooking = false;
    }
  }
}

function isWorthLooking({ node, connection }: Looked): boolean {
  const { search, locks } = node;
  const isSmall = search.kind === 'done' && !search.truncated && search.visited <= largestSearch;
  return isSmall && locks.size <= mostLocks && connection.state.kind === 'connected';
}

/** The lock roots and the parents of known locks; locks themselves are watched already. */
function directoriesOf({ node }: Looked): string[] {
  const locks = new Set([...node.locks.values()].map(({ path }) => path));
  const parents = [...locks].map(path => parentPath(path));
  const all = new Set([...node.profile.lockRoots, ...parents]);
  return [...all].filter(path => !locks.has(path)).slice(0, maxDirectories);
}

async function compare(browser: Looked, { pzxids, due }: Seen): Promise<void> {
  const { client } = browser.connection;
  if (client === undefined) return;
  const { lockRoots } = browser.node.profile;
  const directories = directoriesOf(browser);
  const stats = await Promise.allSettled(directories.map(path => client.exists(path)));
  for (const [at, directory] of directories.entries()) {
    const stat = stats[at];
    // Gone, or not readable: no locks can be found there.
    if (stat?.status !== 'fulfilled' || stat.value === undefined) continue;
    const { pzxid } = stat.value;
    const before = pzxids.get(directory);
    pzxids.set(directory, pzxid);
    // The search of a root may be older than the first look at it.
    if (before === undefined && lockRoots.includes(directory)) due.set(directory, 1);
    if (before !== undefined && before !== pzxid) due.set(directory, looksAfterChange);
  }
}

function takeDue({ due }: Seen): string[] {
  const directories = [...due.keys()];
  for (const [directory, looks] of due) {
    if (looks > 1) due.set(directory, looks - 1);
    else due.delete(directory);
  }
  return directories;
}
