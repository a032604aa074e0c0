import {
  filterLimit,
  pictureLimit,
  tableColumns,
  type CopyPart,
  type Intent,
  type PageMessage,
  type PanelView,
  type TableColumn,
} from '../../protocol.ts';

/** Longest accepted node name, in characters. ZooKeeper allows paths up to the size of a request, about 1 MB. */
const nameLimit = 4096;
/** No queue is longer: the names of such a directory do not fit into a server's reply. */
const rowLimit = 100_000_000;

/** A signed number of 64 bits, in decimal. */
const czxidPattern = /^-?\d{1,19}$/u;

type Fields = ReadonlyMap<string, unknown>;

const copyParts: ReadonlySet<string> = new Set<CopyPart>([...tableColumns, 'row', 'path']);

/**
 * Checks a message from the page. The page's script is ours, but an injected one could send anything: every field is checked,
 * unknown fields are dropped, and the result is a new object.
 *
 * @returns `undefined` if the message is malformed
 */
export function parsePageMessage(value: unknown): PageMessage | undefined {
  const message = fieldsOf(value);
  if (message === undefined) return undefined;
  switch (message.get('type')) {
    case 'ready':
      return withView('ready', message);
    case 'view':
      return withView('view', message);
    case 'intent':
      return parseRequest(message);
    default:
      return undefined;
  }
}

function withView(type: 'ready' | 'view', message: Fields): PageMessage | undefined {
  const view = parseView(message.get('view'));
  return view === undefined ? undefined : { type, view };
}

function parseRequest(message: Fields): PageMessage | undefined {
  const request = message.get('request');
  const intent = parseIntent(message.get('intent'));
  if (intent === undefined || !isCount(request, Number.MAX_SAFE_INTEGER)) return undefined;
  return { type: 'intent', request, intent };
}

function parseView(value: unknown): PanelView | undefined {
  const view = fieldsOf(value);
  if (view === undefined) return undefined;
  const filter = view.get('filter');
  const tableFrom = view.get('tableFrom');
  const pictureCount = view.get('pictureCount');
  if (typeof filter !== 'string' || filter.length > filterLimit) return undefined;
  if (!isCount(tableFrom, rowLimit) || !isCount(pictureCount, pictureLimit)) return undefined;
  const parsed: PanelView = { filter, tableFrom, pictureCount };
  if (view.get('sort') === undefined) return parsed;
  const sort = parseSort(view.get('sort'));
  return sort === undefined ? undefined : { ...parsed, sort };
}

function parseSort(value: unknown): PanelView['sort'] {
  const sort = fieldsOf(value);
  const column = sort?.get('column');
  const descending = sort?.get('descending');
  return isColumn(column) && typeof descending === 'boolean' ? { column, descending } : undefined;
}

function parseIntent(value: unknown): Intent | undefined {
  const intent = fieldsOf(value);
  const kind = intent?.get('kind');
  if (intent === undefined || typeof kind !== 'string') return undefined;
  switch (kind) {
    case 'findOwners':
    case 'clearHistory':
    case 'reconnect':
    case 'explain':
      return { kind };
    case 'pauseHistory':
    case 'saveHistory':
      return parseHistoryIntent(kind, intent);
    default:
      return parseNodeIntent(kind, intent);
  }
}

function parseHistoryIntent(kind: 'pauseHistory' | 'saveHistory', intent: Fields): Intent | undefined {
  const paused = intent.get('paused');
  const format = intent.get('format');
  if (kind === 'pauseHistory') return typeof paused === 'boolean' ? { kind, paused } : undefined;
  return format === 'json' || format === 'csv' ? { kind, format } : undefined;
}

/** Intents that are about one contender. */
function parseNodeIntent(kind: string, intent: Fields): Intent | undefined {
  const name = intent.get('name');
  const czxid = intent.get('czxid');
  if (typeof name !== 'string' || name === '' || name.length > nameLimit) return undefined;
  if (typeof czxid !== 'string' || !czxidPattern.test(czxid)) return undefined;
  if (kind === 'showNodeData' || kind === 'forceDelete') return { kind, name, czxid };
  const part = intent.get('part');
  return kind === 'copy' && isCopyPart(part) ? { kind, name, czxid, part } : undefined;
}

/** Own fields only, nothing from a prototype. */
function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

function isCount(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= limit;
}

function isColumn(value: unknown): value is TableColumn {
  return tableColumns.some(column => column === value);
}

function isCopyPart(value: unknown): value is CopyPart {
  return typeof value === 'string' && copyParts.has(value);
}
