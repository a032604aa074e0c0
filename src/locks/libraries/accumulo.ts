import { type Dialect, type StemMatch } from '../dialect.ts';
import type { ChildNode } from '../lockDirectory.ts';
import { firstField, jsonObjectOf, mapOf, textOf } from '../nodeData.ts';
import { bySequenceThenName } from '../order.ts';

// Accumulo (docs/dialects.md, section 4). Service locks, `zlock#<uuid>#<seq>`: a waiter watches the lowest node that
// has the uuid of its predecessor. Table locks of FATE, `flock#<kind><: or ~><fate id>...#<seq>`, before 3.0
// `flock#<seq>` with the kind in the data: persistent, polled, no client watches. Row ranges in the newest names are not
// compared: any writer blocks. Numbers of eleven characters are not seen by Accumulo.

const SERVICE = /^zlock#([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})#$/;
const FATE = /^flock#(?:(READ|WRITE)[:~](.*)#)?$/s;

function isTenDigits(suffix: string): boolean {
  return suffix.length === 10 && !suffix.startsWith('-');
}

function descriptorAddress(node: ChildNode): string {
  const object = jsonObjectOf(node.data);
  if (object === undefined) return textOf(node.data);
  const descriptors: unknown = object.get('descriptors');
  const first = mapOf(Array.isArray(descriptors) ? descriptors[0] : undefined);
  return first === undefined ? '' : firstField(first, ['address', 'service']);
}

export const accumuloService: Dialect = {
  id: 'accumulo',
  match: stem => {
    const uuid = stem.startsWith('zlock#') ? SERVICE.exec(stem)?.[1] : undefined;
    return uuid === undefined ? undefined : { kind: 'exclusive', queueKey: 'zlock', client: uuid, identifier: uuid };
  },
  compare: bySequenceThenName,
  rule: { type: 'mutex', waiterWatches: 'first-of-predecessors-client' },
  identify: descriptorAddress,
  acceptsSuffix: isTenDigits,
};

function matchFate(stem: string): StemMatch | undefined {
  const parts = stem.startsWith('flock#') ? FATE.exec(stem) : null;
  if (parts === null) return undefined;
  const identifier = parts[2]?.split('~')[0] ?? '';
  return { kind: parts[1] === 'READ' ? 'read' : 'write', queueKey: 'flock', identifier };
}

export const accumuloFate: Dialect = {
  id: 'accumulo',
  match: matchFate,
  rule: { type: 'read-write', readerWatches: 'nothing', writerWatches: 'nothing' },
  acceptsSuffix: isTenDigits,
  persistentByDesign: true,
  kindOf: node => (textOf(node.data).startsWith('READ:') ? 'read' : undefined),
};
