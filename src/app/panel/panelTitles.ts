/** What the panel of a lock is called after. Foreign text. */
export interface TitledLock {
  name: string;
  cluster: string;
  /** The directory that the lock is in. */
  directory: string;
}

/**
 * The parts of the titles of panels that are open together, in the order of the panels: the lock's name; where others have the same
 * name, its cluster, too; and where those are of the same cluster, the directory.
 */
export function titleParts(open: readonly TitledLock[]): string[][] {
  return open.map(lock => {
    const alike = open.filter(other => other !== lock && other.name === lock.name);
    if (alike.length === 0) return [lock.name];
    const isInOneCluster = alike.some(({ cluster }) => cluster === lock.cluster);
    return [lock.name, lock.cluster, ...(isInOneCluster ? [lock.directory] : [])];
  });
}
