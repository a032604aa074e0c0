import { lastSegment } from '../../base/paths.ts';
import { readWriteRule, type ContenderNaming, type Dialect, type TraitsTable, type StemMatch } from '../dialect.ts';
import { hazard, hazardsOf } from '../hazards.ts';
import type { ChildNode, LockDirectory } from '../lockDirectory.ts';
import { isPersistent, type Contender } from '../lockQueue.ts';
import { firstField, jsonObjectOf, shorten, textOf } from '../nodeData.ts';
import { byCreation, bySuffixText, sortEntries } from '../order.ts';
import { isHexName } from './notLocks.ts';
import { baseOfQueue, queueBeside } from './queueBeside.ts';
import {
  contenderOfNode,
  semaphoreWaiters,
  splitChildren,
  type MemberOf,
  type Semaphore,
  type TwoDirectorySemaphore,
} from './semaphore.ts';

// kazoo (docs/dialects.md, section 3; kazoo/recipe/lock.py). Lock, WriteLock and Election write the same name; a reader waits for
// the nearest writer before it. A name may begin with anything. From 2.9 on only lower numbers are waited for, before that those of
// equal ones that the server lists first, too. kazoo 2.8.0 made a reader wait for the *highest* writer, even a later one: names cannot show
// which version made them, so the rule of every other version is shown.

const EXCLUSIVE: StemMatch = { kind: 'exclusive' };
const READ: StemMatch = { kind: 'read' };

function match(stem: string): StemMatch | undefined {
  if (!stem.endsWith('lock__')) return undefined;
  if (stem.endsWith('__lock__')) return EXCLUSIVE;
  return stem.endsWith('__rlock__') ? READ : undefined;
}

function naming(marker: string): ContenderNaming {
  return { prefix: ({ attemptId }) => `${attemptId.replaceAll('-', '')}${marker}`, hasIdInName: true };
}

export const kazoo: Dialect = {
  id: 'kazoo',
  match,
  compare: bySuffixText,
  rule: { ...readWriteRule, equalNumbers: 'not-waited-for' },
  identify: identifierOf,
  // Its pattern requires ten digits: a small negative number has nine.
  acceptsSuffix: suffix => suffix.length !== 10 || !suffix.startsWith('-'),
  writesAsExclusive: true,
  // `Lock.acquire(ephemeral=False)`
  makesPersistent: 'on-request',
};

export const kazooTraits: TraitsTable = {
  kazoo: {
    waitsByKind: true,
    writes: {
      mutex: naming('__lock__'),
      read: naming('__rlock__'),
      write: naming('__lock__'),
      semaphore: naming('__lock__'),
    },
    semaphore: {
      type: 'lease-node',
      made: 'when-free',
      queue: queueBeside,
      leases: path => path,
      leaseName: id => id.replaceAll('-', ''),
    },
    // Clients look for the directory once (lock.py, assured_path).
    needsDirectory: true,
    hasMutualWaits: true,
  },
  'kazoo-semaphore': { semaphoreOf: 'kazoo', spansDirectories: true },
  'kazoo-lease': { isOneNode: true },
};

/** A semaphore's queue nodes hold Python's notation of the bytes, `b'host'`, up to kazoo 2.11. */
function identifierOf({ data }: ChildNode): string {
  const text = textOf(data);
  return /^b(['"])(.*)\1$/s.exec(text)?.[2] ?? text;
}

// Semaphore: leases are children of `P` named by 32 hex digits, made only when one is free, so every one holds; a lock in the
// sibling `P-__lock__` is the queue. `P`'s data is the limit in decimal.

interface Parts {
  path: string;
  queuePath: string;
  leases: readonly ChildNode[];
  queued: readonly ChildNode[];
  /** The data of the semaphore's own node, if that was read. */
  limit: string | undefined;
}

export const kazooSemaphore: TwoDirectorySemaphore = {
  dialect: 'kazoo-semaphore',
  queued: kazoo,
  further(path, childNames) {
    if (path === '/') return [];
    const base = baseOfQueue(path);
    if (base !== undefined) return [base];
    return childNames.length === 0 || childNames.some(isHexName) ? [queueBeside(path)] : [];
  },
  recognise,
  baseOfQueue,
  queueBeside,
};

function recognise(directory: LockDirectory, memberOf: MemberOf): Semaphore | undefined {
  const parts = partsOf(directory);
  if (parts === undefined) return undefined;
  const { path, queuePath } = parts;
  const leases = parts.leases.filter(({ name }) => isHexName(name));
  const { members, others } = splitChildren(parts.queued, node => memberOf(queuePath, node), kazoo);
  const holders = leases.map(node => contenderOfNode(node, 'lease', 'holder', textOf(node.data))).sort(byCreation);
  const waiters = semaphoreWaiters(sortEntries(members, kazoo.compare), identifierOf);
  const atQueue = directory.path === queuePath;
  const strangers = others.map(({ name }) => `../${lastSegment(queuePath)}/${name}`);
  if (atQueue) for (const { name } of parts.leases) if (!isHexName(name)) strangers.push(name);
  const maxLeases = /^\d{1,9}$/.test(parts.limit ?? '') ? { maxLeases: Number(parts.limit) } : {};
  const persistent = holders.filter(isPersistent).map(({ name }) => name);
  const hazards = [...hazard('not-ephemeral', persistent), ...hazardsOf(waiters, kazoo)];
  if (parts.limit !== undefined && maxLeases.maxLeases === undefined)
    hazards.push({ kind: 'limit-unknown', names: [] });
  const contenders: Contender[] = [...holders, ...waiters];
  return {
    queue: { path, dialect: 'kazoo-semaphore', ...maxLeases, contenders, strangers, hazards },
    claimed: new Set((atQueue ? parts.queued : leases).map(({ name }) => name)),
  };
}

/** Seen from the leases or from the queue; undefined when the other half was not read. */
function partsOf({ path, self, children, further }: LockDirectory): Parts | undefined {
  const queuePath = queueBeside(path);
  const queued = further.get(queuePath);
  if (queued !== undefined) return { path, queuePath, leases: children, queued, limit: textOf(self.data) };
  const base = baseOfQueue(path);
  const leases = base === undefined ? undefined : further.get(base);
  if (base === undefined || leases === undefined) return undefined;
  // The node of the leases was listed but not read.
  return { path: base, queuePath: path, leases, queued: children, limit: undefined };
}

/**
 * NonBlockingLease: a persistent child `lease_holder` whose JSON holds who holds it and until when, as a UTC time without a zone.
 * The node stays when that time is over; a renewal creates it again.
 */
export const kazooLease = {
  dialect: 'kazoo-lease' as const,
  nodeName: 'lease_holder',
  /** @returns undefined when the data is no such lease */
  read({ data }: ChildNode): Pick<Contender, 'identifier' | 'leaseEndsAt'> | undefined {
    const fields = jsonObjectOf(data);
    if (fields === undefined || !fields.has('holder') || !fields.has('end')) return undefined;
    const end = endOf(firstField(fields, ['end']));
    return { identifier: shorten(firstField(fields, ['holder'])), ...(end === undefined ? {} : { leaseEndsAt: end }) };
  },
};

function endOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(text)) return undefined;
  const end = Date.parse(`${text}Z`);
  return Number.isNaN(end) ? undefined : end;
}
