import { l10n } from 'vscode';
import { displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import { shownName } from '../../base/shownName.ts';
import { isPersistent, type Contender } from '../../locks/lockQueue.ts';
import { agedText, ageParts, pageTexts, type PageText } from '../../panelTexts.ts';
import {
  tablePageSize,
  type PanelView,
  type ShownContender,
  type Table,
  type TableColumn,
  type TableRow,
} from '../../protocol.ts';
import { kindText, whoText } from '../words/contenderText.ts';
import { numberText } from '../words/language.ts';

/** Addresses of owner sessions, as far as they were looked up. A new map for each look-up, so a change shows by identity. */
export type Addresses = ReadonlyMap<bigint, string>;

/** What the rows show besides the contenders. */
export interface TableFacts {
  order: TableOrder;
  addresses: Addresses;
  shown(contender: Contender): ShownContender;
  /** Epoch ms of the server's clock. */
  now: number;
  /** How far the clock of this machine is ahead, ms. */
  aheadMs: number;
}

/** The page of the table that the view shows. Only its rows are built; the others are counted. */
export function buildTable(contenders: readonly Contender[], view: PanelView, facts: TableFacts): Table {
  const order = facts.order.of(contenders, view.sort, facts.addresses);
  const test = rowTest(view.filter, facts.addresses, facts.now);
  const matching: number[] = [];
  for (let index = 0; index < contenders.length; index++) {
    const at = order?.[index] ?? index;
    const contender = contenders[at];
    if (contender !== undefined && test(contender, at + 1)) matching.push(at);
  }
  const from = firstRow(view.tableFrom, matching.length);
  const rows = matching.slice(from, from + tablePageSize).flatMap(at => {
    const contender = contenders[at];
    return contender === undefined ? [] : [rowOf(contender, at + 1, facts)];
  });
  return { from, rows, matching: matching.length };
}

/** The last page, if the wanted one no longer exists. */
function firstRow(wanted: number, count: number): number {
  if (wanted < count) return wanted;
  return count === 0 ? 0 : Math.floor((count - 1) / tablePageSize) * tablePageSize;
}

function rowOf(contender: Contender, position: number, facts: TableFacts): TableRow {
  const address = facts.addresses.get(contender.ownerSession);
  return {
    ...facts.shown(contender),
    createdAt: contender.createdAt + facts.aheadMs,
    ...localHeldSince(contender, facts.aheadMs),
    cells: cellTexts({ contender, position, address, now: facts.now }),
  };
}

function localHeldSince({ heldSince }: Contender, aheadMs: number): Pick<TableRow, 'heldSince'> {
  if (heldSince === undefined) return {};
  const { earliest, latest } = heldSince;
  return { heldSince: { earliest: earliest + aheadMs, ...(latest === undefined ? {} : { latest: latest + aheadMs }) } };
}

/** A contender in its queue, with the address of its owner if that was looked up. */
export interface CellFacts {
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
  address: string | undefined;
  /** Epoch ms of the server's clock. */
  now: number;
}

/** The text of each column, safe for the screen. */
function cellTexts({ contender, position, address, now }: CellFacts): Record<TableColumn, string> {
  const { kind, sequence, czxid } = contender;
  const isUnread = contender.isUnread === true;
  return {
    position: String(position),
    kind: kindText(kind),
    who: whoText(contender),
    address: address === undefined ? '' : displayText(address, 60),
    age: isUnread ? '' : rowAge(contender, now),
    waitsFor: waitsForText(contender),
    session: sessionCell(contender),
    sequence: sequence === undefined ? '' : String(sequence),
    czxid: isUnread ? '' : String(czxid),
  };
}

function sessionCell({ ownerSession, isUnread }: Contender): string {
  if (isUnread === true) return l10n.t('may not be read');
  return ownerSession === 0n ? l10n.t('not ephemeral') : sessionText(ownerSession);
}

function waitsForText({ waitsFor, mayHold }: Contender): string {
  const name = waitsFor === undefined ? '' : shownName(waitsFor);
  return mayHold === true ? `${name}, ${l10n.t('or holds')}` : name;
}

/** The text of each column for the clipboard: foreign text byte for byte. */
export function copiedTexts(facts: CellFacts): Record<TableColumn, string> {
  const { contender, address } = facts;
  const { identifier, ownerSession, name, waitsFor } = contender;
  const session = ownerSession === 0n ? name : sessionText(ownerSession);
  return {
    ...cellTexts(facts),
    who: identifier.trim() === '' ? session : identifier,
    address: address ?? '',
    waitsFor: waitsFor ?? '',
  };
}

/** How long a contender has waited or held, as the page writes it. */
function rowAge(contender: Contender, now: number): string {
  return agedText(contender, now, ageText, pageText);
}

/** An age in ms as the page writes it. */
function ageText(ageMs: number): string {
  const { text, numbers } = ageParts(ageMs);
  return pageText(text, ...numbers.map(numberText));
}

function pageText(text: PageText, ...values: string[]): string {
  return l10n.t(pageTexts[text], ...values);
}

/** Whether a row is shown; called up to ten times a second for each of ten thousand contenders. */
type RowTest = (contender: Contender, position: number) => boolean;

/**
 * Searches every column and the node's name for the filter's text, ignoring case. The pattern runs on the stored values, so no
 * text is built for a row that is not shown; a column whose values cannot match is skipped.
 *
 * @param now epoch ms of the server's clock
 */
function rowTest(filter: string, addresses: Addresses, now: number): RowTest {
  const wanted = filter.trim();
  if (wanted === '') return () => true;
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'), 'iu');
  const fits = (text: string | undefined): boolean => text !== undefined && pattern.test(text);
  const kinds = cached((kind: Contender['kind']) => fits(kindText(kind)));
  const ages = cached((age: number) => fits(ageText(age)));
  const numbers = numberTest(wanted, fits);
  const noSession = fits(l10n.t('not ephemeral'));
  const unread = fits(l10n.t('may not be read'));
  const fitsAge = (contender: Contender): boolean =>
    contender.heldSince === undefined ? ages(shownAge(now - contender.createdAt)) : fits(rowAge(contender, now));
  return (contender, position) =>
    fits(contender.identifier) ||
    fits(contender.name) ||
    fits(contender.waitsFor) ||
    fits(addresses.get(contender.ownerSession)) ||
    kinds(contender.kind) ||
    (isPersistent(contender) && noSession) ||
    numbers(contender, position) ||
    (contender.isUnread === true ? unread : fitsAge(contender));
}

/** Tests the columns that hold only a number. */
function numberTest(wanted: string, fits: (text: string) => boolean): RowTest {
  const isHexadecimal = /^0?x?[0-9a-f]*$/iu.test(wanted);
  const isDecimal = /^-?\d*$/u.test(wanted);
  return ({ ownerSession, sequence, czxid, isUnread }, position) =>
    (isHexadecimal && ownerSession !== 0n && fits(sessionText(ownerSession))) ||
    (isDecimal &&
      (fits(String(position)) ||
        (sequence !== undefined && fits(String(sequence))) ||
        (isUnread !== true && fits(String(czxid)))));
}

/** The least age with the same text: many ages share one, so the cache stays small. */
function shownAge(ageMs: number): number {
  const age = Math.max(0, ageMs);
  if (age < 1_000) return age;
  const unit = age < 3_600_000 ? 1_000 : age < 86_400_000 ? 60_000 : 3_600_000;
  return age - (age % unit);
}

function cached<K>(test: (key: K) => boolean): (key: K) => boolean {
  const results = new Map<K, boolean>();
  return key => {
    const result = results.get(key) ?? test(key);
    results.set(key, result);
    return result;
  };
}

type Sort = NonNullable<PanelView['sort']>;

/**
 * Sorts the rows of the table. The last order of each queue is cached: turning a page or typing a filter sorts nothing, and the
 * cache entry goes with its queue.
 */
export class TableOrder {
  private readonly cache = new WeakMap<readonly Contender[], Sort & { addresses: Addresses; order: Uint32Array }>();

  /** @returns indexes into `contenders`; `undefined` for grant order */
  of(contenders: readonly Contender[], sort: PanelView['sort'], addresses: Addresses): Uint32Array | undefined {
    if (sort === undefined || (sort.column === 'position' && !sort.descending)) return undefined;
    const last = this.cache.get(contenders);
    if (last?.column === sort.column && last.descending === sort.descending && last.addresses === addresses) {
      return last.order;
    }
    const order = sorted(contenders, sort, addresses);
    this.cache.set(contenders, { ...sort, addresses, order });
    return order;
  }
}

/** Equal keys stay in grant order, and an empty key comes last, both in either direction. */
function sorted(contenders: readonly Contender[], sort: Sort, addresses: Addresses): Uint32Array {
  const keyOf = sortKeys[sort.column];
  const keys = contenders.map((contender, at) => keyOf(contender, at, addresses));
  const direction = sort.descending ? -1 : 1;
  return Uint32Array.from(keys.keys()).sort((left, right) => {
    const one = keys[left] ?? '';
    const other = keys[right] ?? '';
    if (one === other) return left - right;
    if (one === '') return 1;
    if (other === '') return -1;
    return one < other ? -direction : direction;
  });
}

type KeyOf = (contender: Contender, at: number, addresses: Addresses) => string | number | bigint;

/** A column of numbers is compared as numbers, so 9 comes before 10. An empty text stands for a missing value. */
const sortKeys: Record<TableColumn, KeyOf> = {
  position: (_contender, at) => at,
  kind: ({ kind }) => kindText(kind),
  who: ({ identifier }) => identifier.trim().toLowerCase(),
  address: ({ ownerSession }, _at, addresses) => addresses.get(ownerSession) ?? '',
  // The youngest first when ascending.
  age: ({ createdAt, heldSince, isUnread }) => (isUnread === true ? '' : -(heldSince?.earliest ?? createdAt)),
  waitsFor: ({ waitsFor }) => waitsFor ?? '',
  session: ({ ownerSession }) => (ownerSession === 0n ? '' : BigInt.asUintN(64, ownerSession)),
  sequence: ({ sequence }) => sequence ?? '',
  czxid: ({ czxid, isUnread }) => (isUnread === true ? '' : czxid),
};
