import { describe, expect, it } from 'vitest';
import { nodeId, type DirectoryNode, type LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { Directories, locksBelow } from '../../../../src/app/clusters/directories.ts';
import { clusterNode, lockNode } from '../../extension/fixtures.ts';

function grouped(...paths: string[]): { directories: Directories; locks: LockNode[] } {
  const cluster = clusterNode();
  const locks = paths.map(path => lockNode(undefined, cluster, path));
  return { directories: new Directories(cluster, locks), locks };
}

/** The rows as lines, indented. */
function linesOf({ directories }: { directories: Directories }): string[] {
  const line = (row: DirectoryNode | LockNode): string[] =>
    row.type === 'lock'
      ? [directories.labels.get(row)?.name ?? '']
      : [`${row.name}:`, ...row.children.flatMap(line).map(text => `  ${text}`)];
  return directories.top.flatMap(line);
}

describe('locks in directories', () => {
  it('have one row for directories that hold nothing but one directory', () => {
    expect(linesOf(grouped('/platform/production/eu/pay', '/platform/production/eu/stock/items', '/jobs/a'))).toEqual([
      'jobs:',
      '  a',
      'platform/production/eu:',
      '  stock:',
      '    items',
      '  pay',
    ]);
  });

  it('have no row for a directory that only says what its lock is for', () => {
    expect(linesOf(grouped('/eu/pay/lock', '/eu/stock/lock', '/eu/stock/audit', '/lock'))).toEqual([
      'eu:',
      '  stock:',
      '    audit',
      '    lock',
      '  pay/lock',
      'lock',
    ]);
  });

  it('know what is above a row and what is below it', () => {
    const { directories, locks } = grouped('/a/b/c', '/a/d', '/e');
    expect(directories.above(locks[0]!).map(({ path }) => path)).toEqual(['/a/b', '/a']);
    expect(directories.above(locks[2]!)).toEqual([]);
    const [top] = directories.top;
    if (top?.type !== 'directory') throw new Error('no directory');
    expect(locksBelow(top)).toEqual([locks[0], locks[1]]);
  });

  it('keep the identity of their rows when others come, so that what was open stays so', () => {
    const idsOf = (...paths: string[]): string[] => {
      const { directories, locks } = grouped(...paths);
      return [...directories.above(locks[0]!), locks[0]!].map(nodeId);
    };
    expect(idsOf('/a/b/c', '/a/b/d')).toEqual(idsOf('/a/b/c', '/a/b/d', '/e/f'));
    expect(nodeId(grouped('/a/b').locks[0]!)).toBe(nodeId(lockNode(undefined, clusterNode(), '/a/b')));
  });
});
