import { classifyNames } from '../locks/classifyNames.ts';
import { kazooLeaseDirectory } from '../locks/furtherDirectories.ts';
import { lastSegment, parentPath } from '../base/paths.ts';
import { WrongDialect } from './errors.ts';

/**
 * A semaphore counts or queues what stands in its directories: a lock of its own there would take its places away.
 *
 * @param names the children, if they are known: Curator's leases are told by them, kazoo's queue by its path
 * @throws WrongDialect when the path is a part of a semaphore
 */
export function refusePartOfSemaphore(path: string, names: readonly string[] = []): void {
  const leases = kazooLeaseDirectory(path);
  if (leases !== undefined) {
    throw new WrongDialect(path, { kind: 'semaphore', dialect: 'kazoo-semaphore', semaphore: leases });
  }
  if (lastSegment(path) === 'leases' && hasLeases(path, names)) {
    throw new WrongDialect(path, { kind: 'semaphore', dialect: 'curator-semaphore', semaphore: parentPath(path) });
  }
}

function hasLeases(path: string, names: readonly string[]): boolean {
  return classifyNames(path, names).some(
    ({ dialect, contenders }) => dialect === 'curator-semaphore' && contenders > 0,
  );
}
