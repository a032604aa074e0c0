import { cached } from '../../base/cached.ts';
import { displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import { shownName } from '../../base/shownName.ts';
import { isPersistent, type Contender } from '../../locks/lockQueue.ts';
import { agedText, ageParts, boundParts, pageTexts, shownAge, type AgeBound, type PageText } from '../../panelTexts.ts';
import type { Addresses, TableOrder } from '../../app/panel/tableOrder.ts';
import { localTimes } from '../../app/panel/localTimes.ts';
import { numberFilter } from '../../app/panel/numberFilter.ts';
import type { Ahead } from '../../app/panel/aheadOf.ts';
import type { CellFacts } from '../../app/panel/panelWords.ts';
import { tablePage } from '../../app/panel/tablePage.ts';
import {
  allMarks,
  type Mark,
  type PanelView,
  type ShownContender,
  type Table,
  type TableColumn,
  type TableRow,
} from '../../protocol.ts';
import { kindText, whoText } from '../words/contenderText.ts';
import { l10n, listed, numberText } from '../words/language.ts';
import { shownMarkText } from './panelTexts.ts';

/** What the rows show besides the contenders. */
export interface TableFacts {
  order: TableOrder;
  addresses: Addresses;
  shown: (contender: Contender) => ShownContender;
  marksOf: (contender: Contender) => Mark[];
  /** The second is the index in the queue. */
  ahead: (contender: Contender, at: number) => Ahead | undefined;
  /** Epoch ms of the server's clock. */
  now: number;
  /** How far the clock of this machine is ahead, ms. */
  aheadMs: number;
}

/** The page of the table that the view shows. */
export function buildTable(contenders: readonly Contender[], view: PanelView, facts: TableFacts): Table {
  return tablePage(contenders, view.tableFrom, {
    order: facts.order.of(contenders, view.sort, facts.addresses),
    test: view.filter.trim() === '' ? undefined : rowTest(view.filter, facts),
    rowOf: (contender, at) => rowOf(contender, at, facts),
  });
}

function rowOf(contender: Contender, at: number, facts: TableFacts): TableRow {
  const address = facts.addresses.get(contender.ownerSession);
  return {
    ...facts.shown(contender),
    ...localTimes(contender, facts.aheadMs),
    cells: cellTexts({ contender, position: at + 1, address, ahead: facts.ahead(contender, at), now: facts.now }),
  };
}

/** The text of each column, safe for the screen. */
function cellTexts({ contender, position, address, ahead, now }: CellFacts): Record<TableColumn, string> {
  const { kind, sequence, czxid } = contender;
  const isUnread = contender.isUnread === true;
  return {
    position: numberText(position),
    kind: kindText(kind),
    who: whoText(contender),
    address: address === undefined ? '' : displayText(address, 60),
    age: isUnread ? '' : rowAge(contender, now),
    waitsFor: waitsForText(contender, ahead && aheadText(ahead)),
    session: sessionCell(contender),
    sequence: sequence === undefined ? '' : String(sequence),
    czxid: isUnread ? '' : String(czxid),
  };
}

/** The owner session, or why there is none to show. */
export function sessionCell({ ownerSession, isUnread }: Contender): string {
  if (isUnread === true) return l10n.t('may not be read');
  return ownerSession === 0n ? l10n.t('not ephemeral') : sessionText(ownerSession);
}

/** Who another one waits for, with its position. */
export function aheadText({ contender, position }: Ahead): string {
  return `#${numberText(position)} ${whoText(contender)}`;
}

/** Who it waits for; the node's name where that is no contender of the queue. */
function waitsForText({ waitsFor, mayHold }: Contender, ahead: string | undefined): string {
  const text = ahead ?? (waitsFor === undefined ? '' : shownName(waitsFor));
  return mayHold === true ? listed([text, l10n.t('or holds')].filter(part => part !== '')) : text;
}

/** The text of each column for the clipboard: foreign text byte for byte. */
export function copiedTexts(facts: CellFacts): Record<TableColumn, string> {
  const { contender, address, position, ahead } = facts;
  const waitsFor = ahead && `#${ahead.position} ${copiedWho(ahead.contender)}`;
  return {
    ...cellTexts(facts),
    position: String(position),
    who: copiedWho(contender),
    address: address ?? '',
    waitsFor: waitsFor ?? contender.waitsFor ?? '',
  };
}

function copiedWho({ identifier, ownerSession, name }: Contender): string {
  if (identifier.trim() !== '') return identifier;
  return ownerSession === 0n ? name : sessionText(ownerSession);
}

/** How long a contender has waited or held, as the page writes it. */
function rowAge(contender: Contender, now: number): string {
  return agedText(contender, now, ageText, pageText);
}

/** An age in ms as the page writes it. */
function ageText(ageMs: number, bound?: AgeBound): string {
  const { text, numbers } = bound === undefined ? ageParts(ageMs) : boundParts(ageMs, bound);
  return pageText(text, ...numbers.map(numberText));
}

function pageText(text: PageText, ...values: string[]): string {
  return l10n.t(pageTexts[text], ...values);
}

/** Whether a row is shown; called up to ten times a second for each of ten thousand contenders. */
type RowTest = (contender: Contender, at: number) => boolean;

/**
 * Searches every column and the node's name for the filter's text, ignoring case. The pattern runs on the stored values, so no
 * text is built for a row that is not shown; a column whose values cannot match is skipped.
 */
function rowTest(filter: string, { addresses, now, marksOf, ahead }: TableFacts): RowTest {
  const wanted = filter.trim();
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'), 'iu');
  const fits = (text: string | undefined): boolean => text !== undefined && pattern.test(text);
  const kinds = cached((kind: Contender['kind']) => fits(kindText(kind)));
  const ages = cached((age: number) => fits(ageText(age)));
  const marks = cached((mark: Mark) => fits(shownMarkText(mark)));
  const canMark = allMarks.some(marks);
  const numbers = numberFilter(wanted, fits, numberText(1_234_567));
  const noSession = fits(l10n.t('not ephemeral'));
  const unread = fits(l10n.t('may not be read'));
  const fitsAge = (contender: Contender): boolean =>
    contender.heldSince === undefined ? ages(shownAge(now - contender.createdAt)) : fits(rowAge(contender, now));
  const fitsText: RowTest = (contender, at) =>
    fits(contender.identifier) ||
    fits(contender.name) ||
    fits(contender.waitsFor) ||
    fits(ahead(contender, at)?.contender.identifier) ||
    fits(addresses.get(contender.ownerSession)) ||
    (isPersistent(contender) && noSession);
  return (contender, at) =>
    fitsText(contender, at) ||
    kinds(contender.kind) ||
    (canMark && marksOf(contender).some(marks)) ||
    numbers(contender, at + 1) ||
    (contender.isUnread === true ? unread : fitsAge(contender));
}
