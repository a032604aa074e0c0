import { isHexName } from '../locks/libraries/notLocks.ts';
import { semaphores } from '../locks/libraries/registry.ts';
import { isLockDirectory } from '../locks/libraries/singleNode.ts';
import { nodeOfName, type ChildNode, type LockDirectory } from '../locks/lockDirectory.ts';
import { jsonObjectOf, mapOf, textOf } from '../locks/nodeData.ts';
import { recogniseLoneNodes } from '../locks/recognition/loneNodes.ts';
import { identifierOf, memberOf } from '../locks/recognition/members.ts';
import { mayBeAlone } from '../replay/lockNames.ts';

/** Of data that are kept as they are because they make the lock, bytes. */
const longestPart = 512;
/** Where the person asked for the data, bytes: as much as the inspector keeps. */
const longestWhole = 65_536;
const noData = new Uint8Array(0);
const brace = new TextEncoder().encode('{');
const encoder = new TextEncoder();

/** Fields of the JSON objects that make a lock, of those that are longer than what is kept of them (`libraries/productNodes.ts`, `elections.ts`, `kazoo.ts`). */
const lockFields = ['id', 'container', 'position', 'address', 'holder', 'end', 'brokerid', 'kraftControllerEpoch'];
const recordFields = ['OWNER', 'TIMEOUT', 'LIVE_INSTANCE'];

/**
 * What a journal keeps of the data of a node: as little as recognition needs to show the same lock, with the same identifiers. That is
 * nothing for nodes that are no contenders, the identifier for most that are, and the first 512 bytes where data make the lock. Where a
 * JSON object has no field that says who, all of it would be shown in place of that; it is not kept.
 *
 * @param directory path of the directory of the node
 * @param isWhole the person asked for the data: the first 64 KB are kept
 * @returns bytes of their own, or of the node
 */
export function keptData(directory: string, node: ChildNode, isWhole: boolean): Uint8Array {
  const { data } = node;
  if (data.length === 0) return noData;
  if (isWhole) return data.slice(0, longestWhole);
  const shown = shownOf(directory, node);
  const isWho = shown.identifier !== textOf(data) || jsonObjectOf(data) === undefined;
  for (const kept of shorterData(isWho ? shown.identifier : '', data)) {
    if (kept.length > data.length && kept.length > longestPart) continue;
    const showsSame = (): boolean => {
      const other = shownOf(directory, { ...node, data: kept, member: undefined });
      return isWho ? other.text === shown.text : other.rest === shown.rest;
    };
    if (areEqual(kept, data) || showsSame()) return kept;
  }
  return data.slice(0, longestPart);
}

/** What may stand for data, least first. */
function* shorterData(identifier: string, data: Uint8Array): Generator<Uint8Array> {
  // Who it is is all that the data say: without them it would not be the same.
  if (identifier === '' || identifier !== textOf(data)) yield noData;
  if (identifier !== '') yield encoder.encode(identifier);
  // That it is an object says already that the node is no contender.
  yield brace;
  yield encoder.encode(textOf(data));
  yield data.slice(0, longestPart);
  const fields = jsonObjectOf(data);
  if (fields !== undefined) yield encoder.encode(JSON.stringify(shortened(fields)));
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function shortened(fields: ReadonlyMap<string, unknown>): object {
  const record = mapOf(fields.get('simpleFields'));
  const pick = (all: ReadonlyMap<string, unknown>, names: readonly string[]): [string, unknown][] =>
    names.flatMap(name => (all.has(name) ? [[name, all.get(name)]] : []));
  const picked = Object.fromEntries(pick(fields, lockFields).map(([name, value]) => [name, plain(value)]));
  return record === undefined ? picked : { ...picked, simpleFields: Object.fromEntries(pick(record, recordFields)) };
}

/** That a field is there is enough of one that is no plain value. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, longestPart);
  return typeof value === 'object' ? null : value;
}

/** What recognition reads from the data of a node. */
interface Shown {
  identifier: string;
  /** The same text for all that is shown the same. */
  text: string;
  /** The same text for all that is shown the same but for who it is. */
  rest: string;
}

function shownOf(directory: string, node: ChildNode): Shown {
  const member = memberOf(directory, node);
  const isAlone = mayBeAlone(node) || (member === undefined && isLockDirectory(directory));
  const lone = isAlone ? loneContenders(directory, node) : [];
  if (member === undefined) {
    const identifier = lone[0]?.identifier ?? loneText(node);
    return shownAs(identifier, lone);
  }
  const { dialect, match } = member;
  const identifier = identifierOf(member);
  // In the queue of a semaphore the text alone says who.
  const queued = semaphores.some(each => each.queued === dialect) && textOf(node.data);
  const reading = [dialect.id, dialect.kindOf?.(node), dialect.isMarked?.(node), match];
  return shownAs(identifier, lone, reading, queued);
}

function shownAs(identifier: string, lone: readonly object[], reading?: unknown, queued?: string | false): Shown {
  const rest = JSON.stringify([lone.map(each => ({ ...each, identifier: '' })), reading]);
  return { identifier, rest, text: JSON.stringify([identifier, lone, reading, queued]) };
}

/** The locks that it is by itself. */
function loneContenders(path: string, node: ChildNode): { identifier: string }[] {
  const directory: LockDirectory = { path, self: nodeOfName(path, ''), children: [node], further: new Map() };
  return recogniseLoneNodes(directory, [node], false).queues.flatMap(({ dialect, contenders }) =>
    contenders.map(({ identifier, kind, leaseEndsAt }) => ({ dialect, identifier, kind, leaseEndsAt })),
  );
}

/** Of a lease of kazoo's semaphore, who; of the semaphore, its limit. */
function loneText({ name, data }: ChildNode): string {
  const text = textOf(data);
  if (isHexName(name)) return text;
  return /^\d{1,9}$/.test(text) ? text : '';
}
