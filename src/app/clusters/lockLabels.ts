import { parentPath } from '../../base/paths.ts';
import type { ClusterNode, LockLabel, LockNode } from './clusterModel.ts';

/** Last segments that programs give to every lock: they never stand alone. */
const generic: ReadonlySet<string> = new Set(['lock', 'locks', 'lease', 'leases', 'mutex', 'leader', 'election']);

/** Whether a last segment says nothing about what the lock is for. */
export function isGeneric(segment: string): boolean {
  return generic.has(segment.toLowerCase());
}

/** The paths that end alike, by their last segments. */
interface Suffix {
  count: number;
  longer: Map<string, Suffix>;
}

/** The segments of a lock's path and of its name within it. */
export function segmentsOf({ path, lockName }: Pick<LockNode, 'path' | 'lockName'>): string[] {
  const name = lockName === undefined ? path : `${path}/${lockName}`;
  return name.split('/').filter(segment => segment !== '');
}

function countSuffixes(paths: Iterable<readonly string[]>): Suffix {
  const root: Suffix = { count: 0, longer: new Map() };
  for (const segments of paths) {
    let suffix = root;
    for (const segment of segments.toReversed()) {
      let longer = suffix.longer.get(segment);
      if (longer === undefined) suffix.longer.set(segment, (longer = { count: 0, longer: new Map() }));
      longer.count++;
      suffix = longer;
    }
  }
  return root;
}

/** Where the name of a lock begins among the segments of its path. */
function nameStart(segments: readonly string[], suffixes: Suffix): number {
  let suffix: Suffix | undefined = suffixes;
  for (let start = segments.length - 1; start > 0; start--) {
    const segment = segments[start] ?? '';
    suffix = suffix?.longer.get(segment);
    if (suffix?.count === 1 && !isGeneric(segment)) return start;
  }
  return 0;
}

/**
 * The labels of all these locks, in time that grows with the length of their paths. Several with the same path and name have the
 * same label.
 */
export function labelsOf<T extends Pick<LockNode, 'path' | 'lockName'>>(locks: Iterable<T>): Map<T, LockLabel> {
  const paths = new Map([...locks].map(lock => [lock, segmentsOf(lock)]));
  const different = new Map([...paths.values()].map(segments => [segments.join('/'), segments]));
  const suffixes = countSuffixes(different.values());
  const labels = new Map<T, LockLabel>();
  for (const [lock, segments] of paths) {
    const start = nameStart(segments, suffixes);
    const directory = `/${segments.slice(0, start).join('/')}`;
    // The root itself has no segments.
    labels.set(lock, { name: segments.slice(start).join('/') || '/', directory });
  }
  return labels;
}

/** The label of a lock of the tree; kept with its cluster until a lock comes or goes. */
export function labelOf(lock: LockNode): LockLabel {
  const { cluster } = lock;
  cluster.labels ??= labelsOf(cluster.locks.values());
  // A row may be drawn a last time after its lock is gone.
  return cluster.labels.get(lock) ?? { name: lock.path, directory: parentPath(lock.path) };
}

/** Locks came or went, so that others may have to be called differently. */
export function forgetLabels(cluster: ClusterNode): void {
  cluster.labels = undefined;
}
