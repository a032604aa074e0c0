import type { ChildNode } from '../lockDirectory.ts';
import { textOf } from '../identifier.ts';
import {
  bySuffixText,
  bySequence,
  ignoresForeign,
  mutexRule,
  type Dialect,
  type ForeignChildren,
  type NumberSharer,
  type StemMatch,
} from './dialect.ts';

// Apache Curator (docs/dialects.md, section 1). Names carry a protection prefix, `_c_` + UUID + `-`, 40 characters.
// Order is the text after the lock name, and every child of the directory takes a place in it, Curator's own or not.

const PREFIX = '_c_';
const PREFIX_LENGTH = 40;
const DIGIT = 1;
const DASH = 2;
/** What stands behind `_c_`, by place: a UUID and a dash. */
const SHAPE = Uint8Array.from('xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx-', place => (place === '-' ? DASH : DIGIT));
/** What the characters of ASCII are, by code. */
const KIND = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));

function kindOf(character: string): number {
  if (character === '-') return DASH;
  return '0123456789abcdef'.includes(character) ? DIGIT : 0;
}

/** A regular expression takes three times as long, which is a tenth of what a queue of 10,000 takes to be read. */
function isProtected(stem: string): boolean {
  if (stem.length < PREFIX_LENGTH || !stem.startsWith(PREFIX)) return false;
  let differs = 0;
  for (let place = 0; place < SHAPE.length; place++) {
    const code = stem.charCodeAt(PREFIX.length + place);
    differs |= (code >> 7) | ((KIND[code & 127] ?? 0) ^ (SHAPE[place] ?? 0));
  }
  return differs === 0;
}

/** The part of a stem behind Curator's protection prefix; undefined without one. */
export function unprotected(stem: string): string | undefined {
  return isProtected(stem) ? stem.slice(PREFIX_LENGTH) : undefined;
}

function identify(node: ChildNode): string {
  const text = textOf(node.data);
  // A request to give the lock back overwrites who it was.
  return text === '__REVOKE__' ? '' : text;
}

function textAfter(name: string, marker: string): string {
  const at = name.lastIndexOf(marker);
  return at < 0 ? name : name.slice(at + marker.length);
}

function counted(...markers: string[]): ForeignChildren {
  return { effect: 'counted', suffixOf: name => markers.reduce(textAfter, name) };
}

function matchMarker(marker: string, kind: StemMatch['kind']): Dialect['match'] {
  const match: StemMatch = { kind, queueKey: marker };
  return stem => (isProtectedMarker(stem, marker) ? match : undefined);
}

/** As `unprotected(stem) === marker`, without a new text for each of a long queue. */
function isProtectedMarker(stem: string, marker: string): boolean {
  return stem.length === PREFIX_LENGTH + marker.length && stem.endsWith(marker) && isProtected(stem);
}

/** Mutex, LeaderSelector and the deprecated semaphore, which look the same. go-zookeeper and `<guid>-lock-` share its order. */
export const curatorMutex: Dialect = {
  id: 'curator',
  family: 'guid-lock',
  match: matchMarker('lock-', 'exclusive'),
  compare: bySuffixText,
  rule: mutexRule,
  foreign: counted('lock-'),
  identify,
};

const READ: StemMatch = { kind: 'read', queueKey: 'rw' };
const WRITE: StemMatch = { kind: 'write', queueKey: 'rw' };

function matchReadWrite(stem: string): StemMatch | undefined {
  if (isProtectedMarker(stem, '__READ__')) return READ;
  return isProtectedMarker(stem, '__WRIT__') ? WRITE : undefined;
}

/** Since 5.5 a downgraded read lock carries the number of its own session's write lock. */
function isDowngradePair(a: NumberSharer, b: NumberSharer): boolean {
  return a.ownerSession !== 0n && a.ownerSession === b.ownerSession && (a.kind === 'read' || b.kind === 'read');
}

export const curatorReadWrite: Dialect = {
  id: 'curator',
  match: matchReadWrite,
  compare: bySuffixText,
  rule: { type: 'read-write', readerWatches: 'first-writer', writerWatches: 'predecessor', downgrade: true },
  foreign: counted('__WRIT__', '__READ__'),
  identify,
  sharesNumber: isDowngradePair,
};

export const curatorLatch: Dialect = {
  id: 'curator-latch',
  match: matchMarker('latch-', 'candidate'),
  compare: bySuffixText,
  rule: mutexRule,
  foreign: counted('latch-'),
  identify,
};

/** Leases, which curatorSemaphore.ts puts together with the `locks` beside them; alone where they lie anywhere else. */
export const curatorLeases: Dialect = {
  id: 'curator-semaphore',
  match: matchMarker('lease-', 'lease'),
  compare: bySequence,
  rule: { type: 'everyone' },
  foreign: ignoresForeign,
  identify,
};

function matchAnyName(stem: string): StemMatch | undefined {
  const name = unprotected(stem);
  return name === undefined ? undefined : { kind: 'exclusive', queueKey: name, lockName: name.replace(/[-_]+$/, '') };
}

/** Protected names with a lock name of their own: Curator with an own driver, or zookeeper-client for Rust. */
export const curatorNamed: Dialect = {
  id: 'curator',
  family: 'curator-named',
  match: matchAnyName,
  compare: bySuffixText,
  rule: mutexRule,
  foreign: ignoresForeign,
  identify,
};
