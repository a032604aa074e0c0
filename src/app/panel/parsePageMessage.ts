import * as v from 'valibot';
import { playSpeeds } from '../../historyProtocol.ts';
import { filterLimit, pictureLimit, tableColumns, type PageMessage } from '../../protocol.ts';

/** Longest accepted node name, in characters. ZooKeeper allows paths up to the size of a request, about 1 MB. */
const nameLimit = 4096;
/** No queue is longer: the names of such a directory do not fit into a server's reply. */
const rowLimit = 100_000_000;

const count = (limit: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(limit));

/** Any that a date can be: servers' clocks may be wrong. */
const time = v.pipe(v.number(), v.finite(), v.minValue(-8.64e15), v.maxValue(8.64e15));

const view = v.object({
  sort: v.optional(v.object({ column: v.picklist(tableColumns), descending: v.boolean() })),
  filter: v.pipe(v.string(), v.maxLength(filterLimit)),
  tableFrom: count(rowLimit),
  pictureCount: count(pictureLimit),
  timeline: v.optional(v.object({ from: time, to: time })),
});

const node = {
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(nameLimit)),
  /** A signed number of 64 bits, in decimal. */
  czxid: v.pipe(v.string(), v.regex(/^-?\d{1,19}$/u)),
};

/** Hexadecimal, of at most 64 bits. */
const zxid = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,16}$/u));

const intent = v.variant('kind', [
  v.object({ kind: v.literal('moveTo'), to: v.union([v.strictObject({ time }), v.strictObject({ zxid })]) }),
  v.object({ kind: v.literal('step'), what: v.picklist(['hand-over', 'session end']), direction: v.picklist([1, -1]) }),
  v.object({ kind: v.literal('play'), speed: v.picklist(playSpeeds) }),
  v.object({ kind: v.literal('follow'), isWanted: v.boolean() }),
  v.object({ kind: v.literal('copy'), ...node, part: v.picklist([...tableColumns, 'row', 'path']) }),
  v.object({ kind: v.picklist(['showNodeData', 'forceDelete', 'showSession', 'showLock']), ...node }),
  v.object({ kind: v.literal('pauseHistory'), paused: v.boolean() }),
  v.object({ kind: v.literal('saveHistory'), format: v.picklist(['json', 'csv']) }),
  v.object({ kind: v.picklist(['findOwners', 'clearHistory', 'reconnect', 'explain', 'explainPast', 'pause']) }),
]);

const message = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'view']), view }),
  v.object({ type: v.literal('intent'), intent }),
  v.object({ type: v.literal('drawn'), revision: count(Number.MAX_SAFE_INTEGER) }),
  v.object({ type: v.literal('focus') }),
]);

/**
 * Checks a message from the page. The page's script is ours, but an injected one could send anything: every field is checked,
 * unknown fields are dropped, and the result is a new object.
 *
 * @returns `undefined` if the message is malformed
 */
export function parsePageMessage(value: unknown): PageMessage | undefined {
  // A clone has own fields only: nothing is taken from a prototype.
  const { success, output } = v.safeParse(message, structuredClone(value));
  return success ? output : undefined;
}
