import type { KnownChild } from './dialects/dialect.ts';
import { isHexName, kazoo, withoutRepr } from './dialects/kazoo.ts';
import { kazooLeaseDirectory, KAZOO_QUEUE_SUFFIX } from './furtherDirectories.ts';
import { hazard, hazardsOf } from './hazards.ts';
import { textOf } from './identifier.ts';
import type { ChildNode, LockDirectory } from './lockDirectory.ts';
import type { Contender, Hazard } from './lockQueue.ts';
import { semaphoreContender, splitChildren, type Semaphore } from './semaphoreParts.ts';
import { sortEntries } from './sortEntries.ts';

// kazoo's Semaphore (docs/dialects.md, section 3): leases are children of `P` named by 32 hex digits, made only when
// one is free, so every one holds; a kazoo lock in the sibling `P-__lock__` is the queue. `P`'s data is the limit in
// decimal.

interface Parts {
  path: string;
  queuePath: string;
  leases: readonly ChildNode[];
  queued: readonly ChildNode[];
  maxLeases: number | undefined;
  limitKnowable: boolean;
}

/**
 * Recognises the semaphore from its own node or from its queue.
 *
 * @returns undefined when the other half was not read. Strangers of the other half are named relative to the semaphore's path.
 */
export function recogniseKazooSemaphore(directory: LockDirectory): Semaphore | undefined {
  const parts = partsOf(directory);
  if (parts === undefined) return undefined;
  const leases = parts.leases.filter(({ name }) => isHexName(name));
  const queue = splitChildren(parts.queuePath, parts.queued, ({ dialect }) => dialect === kazoo);
  const holders = leases.map(node => semaphoreContender(node, 'holder', textOf(node.data), {})).sort(byCreation);
  const waiters = waitersOf(sortEntries(queue.known, kazoo.compare));
  const atQueue = directory.path === parts.queuePath;
  const queueName = `../${parts.queuePath.slice(parts.queuePath.lastIndexOf('/') + 1)}`;
  const strangers = queue.others.map(({ name }) => `${queueName}/${name}`);
  if (atQueue) for (const node of parts.leases) if (!isHexName(node.name)) strangers.push(node.name);
  const own = atQueue ? parts.queued : leases;
  return {
    queue: {
      path: parts.path,
      dialect: 'kazoo-semaphore',
      ...(parts.maxLeases === undefined ? {} : { maxLeases: parts.maxLeases }),
      contenders: [...holders, ...waiters],
      strangers,
      hazards: [
        ...hazard(
          'not-ephemeral',
          holders.filter(({ ownerSession }) => ownerSession === 0n).map(({ name }) => name),
        ),
        ...hazardsOf(waiters, kazoo),
        ...unknownLimit(parts),
      ],
    },
    claimed: new Set(own.map(({ name }) => name)),
  };
}

function partsOf({ path, self, children, further }: LockDirectory): Parts | undefined {
  const queued = further.get(path + KAZOO_QUEUE_SUFFIX);
  if (queued !== undefined) {
    const maxLeases = limitOf(self);
    return { path, queuePath: path + KAZOO_QUEUE_SUFFIX, leases: children, queued, maxLeases, limitKnowable: true };
  }
  const leaseDirectory = kazooLeaseDirectory(path);
  const leases = leaseDirectory === undefined ? undefined : further.get(leaseDirectory);
  if (leaseDirectory === undefined || leases === undefined) return undefined;
  // The limit is the data of a node that was listed but not read.
  return {
    path: leaseDirectory,
    queuePath: path,
    leases,
    queued: children,
    maxLeases: undefined,
    limitKnowable: false,
  };
}

function limitOf(self: ChildNode): number | undefined {
  const text = textOf(self.data);
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function unknownLimit(parts: Parts): Hazard[] {
  return parts.limitKnowable && parts.maxLeases === undefined ? [{ kind: 'limit-unknown', names: [] }] : [];
}

function byCreation(a: Contender, b: Contender): number {
  if (a.czxid === b.czxid) return 0;
  return a.czxid < b.czxid ? -1 : 1;
}

/** The head watches the leases as a whole; the others watch their predecessor. */
function waitersOf(queued: readonly KnownChild[]): Contender[] {
  return queued.map(({ node, sequence }, at) => {
    const before = queued[at - 1];
    const more = { sequence, ...(before === undefined ? {} : { waitsFor: before.name }) };
    return semaphoreContender(node, 'waiter', withoutRepr(textOf(node.data)), more);
  });
}
