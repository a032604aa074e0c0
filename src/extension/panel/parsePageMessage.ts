import {
  filterLimit,
  pictureLimit,
  tableColumns,
  type Intent,
  type PageMessage,
  type PanelView,
} from '../../protocol.ts';

/** Longest accepted node name, in characters. ZooKeeper allows paths up to the size of a request, about 1 MB. */
const nameLimit = 4096;
/** No queue is longer: the names of such a directory do not fit into a server's reply. */
const rowLimit = 100_000_000;

/** A signed number of 64 bits, in decimal. */
const czxidPattern = /^-?\d{1,19}$/u;

class Malformed extends Error {}

/** Returns the checked value. @throws Malformed */
type Reader<T> = (value: unknown) => T;

function check<T>(isValid: (value: unknown) => value is T): Reader<T> {
  return value => {
    if (isValid(value)) return value;
    throw new Malformed();
  };
}

const boolean = check(value => typeof value === 'boolean');

function text(isValid: (value: string) => boolean): Reader<string> {
  return check((value): value is string => typeof value === 'string' && isValid(value));
}

function count(limit: number): Reader<number> {
  return check(
    (value): value is number =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= limit,
  );
}

function oneOf<T extends string>(...allowed: readonly T[]): Reader<T> {
  return check((value): value is T => allowed.some(one => one === value));
}

function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return value => (value === undefined ? undefined : read(value));
}

/** Own fields only, nothing from a prototype. */
function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed();
  return new Map(Object.entries(value));
}

function object<T>(readers: { [K in keyof T]-?: Reader<T[K]> }): Reader<T> {
  return value => {
    const fields = fieldsOf(value);
    const read = Object.entries<Reader<unknown>>(readers).map(([name, reader]) => [name, reader(fields.get(name))]);
    return Object.fromEntries(read) as T;
  };
}

/** One of several objects, chosen by the text in the field `tag`. */
function tagged<T>(tag: string, readers: Record<string, Reader<T>>): Reader<T> {
  const byTag = new Map<unknown, Reader<T>>(Object.entries(readers));
  return value => {
    const read = byTag.get(fieldsOf(value).get(tag));
    if (read === undefined) throw new Malformed();
    return read(value);
  };
}

const view = object<PanelView>({
  sort: optional(object({ column: oneOf(...tableColumns), descending: boolean })),
  filter: text(filter => filter.length <= filterLimit),
  tableFrom: count(rowLimit),
  pictureCount: count(pictureLimit),
});

const node = {
  name: text(name => name !== '' && name.length <= nameLimit),
  czxid: text(czxid => czxidPattern.test(czxid)),
};

const intents: { [K in Intent['kind']]: Reader<Extract<Intent, { kind: K }>> } = {
  copy: object({ kind: oneOf('copy'), ...node, part: oneOf(...tableColumns, 'row', 'path') }),
  showNodeData: object({ kind: oneOf('showNodeData'), ...node }),
  forceDelete: object({ kind: oneOf('forceDelete'), ...node }),
  findOwners: object({ kind: oneOf('findOwners') }),
  pauseHistory: object({ kind: oneOf('pauseHistory'), paused: boolean }),
  clearHistory: object({ kind: oneOf('clearHistory') }),
  saveHistory: object({ kind: oneOf('saveHistory'), format: oneOf('json', 'csv') }),
  reconnect: object({ kind: oneOf('reconnect') }),
  explain: object({ kind: oneOf('explain') }),
};

const message = tagged<PageMessage>('type', {
  ready: object({ type: oneOf('ready'), view }),
  view: object({ type: oneOf('view'), view }),
  intent: object({
    type: oneOf('intent'),
    request: count(Number.MAX_SAFE_INTEGER),
    intent: tagged<Intent>('kind', intents),
  }),
});

/**
 * Checks a message from the page. The page's script is ours, but an injected one could send anything: every field is checked,
 * unknown fields are dropped, and the result is a new object.
 *
 * @returns `undefined` if the message is malformed
 */
export function parsePageMessage(value: unknown): PageMessage | undefined {
  try {
    return message(value);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
