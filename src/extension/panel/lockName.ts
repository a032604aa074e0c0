import type { LockNode } from '../../app/clusters/clusterModel.ts';

/** What a lock is called: its name within its directory, or the last part of its path. Foreign text. */
export function lockName({ path, lockName: name }: Pick<LockNode, 'path' | 'lockName'>): string {
  return name ?? path.slice(path.lastIndexOf('/') + 1);
}

/** A foreign name as part of a file's name or a tab's title: Latin letters, digits and a few signs that mean nothing anywhere. */
export function fileNamePart(foreign: string): string {
  const plain = foreign.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^[._-]+|[._-]+$/g, '');
  return plain === '' ? 'lock' : plain.slice(0, 60);
}
