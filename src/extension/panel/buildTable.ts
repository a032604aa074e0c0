import type { Contender } from '../../locks/lockQueue.ts';
import { placeOf } from '../../locks/placeOf.ts';
import { tablePageSize, type PanelView, type Table, type TableRow } from '../../protocol.ts';
import { cellTexts } from './cellTexts.ts';
import { shownName } from '../../base/shownName.ts';
import { rowTest, type RowTest } from './tableFilter.ts';
import type { TableOrder } from './tableOrder.ts';

/** What the rows are made of besides the contenders. */
export interface TableFacts {
  order: TableOrder;
  /** Addresses of owner sessions. A new map for every answer. */
  addresses: ReadonlyMap<bigint, string>;
  isStale(contender: Contender): boolean;
  isOwn(contender: Contender): boolean;
  /** Epoch ms. */
  now: number;
}

/** The page of the table that is looked at. Only its rows are made; the others are counted. */
export function buildTable(contenders: readonly Contender[], view: PanelView, facts: TableFacts): Table {
  const order = facts.order.of(contenders, view.sort, facts);
  const test = rowTest(view.filter, facts.addresses, facts.now);
  const placeAt = (index: number): number => order?.[index] ?? index;
  const matching = test === undefined ? undefined : matchingPlaces(contenders, placeAt, test);
  const count = matching?.length ?? contenders.length;
  const from = firstRow(view.tableFrom, count);
  const rows: TableRow[] = [];
  for (let index = from; index < Math.min(count, from + tablePageSize); index++) {
    const at = matching?.[index] ?? placeAt(index);
    const contender = contenders[at];
    if (contender !== undefined) rows.push(rowOf(contender, placeOf(contender, at), facts));
  }
  return { from, rows, matching: count };
}

function matchingPlaces(contenders: readonly Contender[], placeAt: (index: number) => number, test: RowTest): number[] {
  const matching: number[] = [];
  for (let index = 0; index < contenders.length; index++) {
    const at = placeAt(index);
    const contender = contenders[at];
    if (contender !== undefined && test(contender, placeOf(contender, at))) matching.push(at);
  }
  return matching;
}

/** Where rows went away behind the person's back, the last page that there is. */
function firstRow(wanted: number, count: number): number {
  if (wanted < count) return wanted;
  return count === 0 ? 0 : Math.floor((count - 1) / tablePageSize) * tablePageSize;
}

function rowOf(contender: Contender, position: number, facts: TableFacts): TableRow {
  const address = facts.addresses.get(contender.ownerSession);
  return {
    name: shownName(contender.name),
    czxid: String(contender.czxid),
    isHolder: contender.role === 'holder',
    isStale: facts.isStale(contender),
    isOwn: facts.isOwn(contender),
    createdAt: contender.createdAt,
    cells: cellTexts({ contender, position, address, now: facts.now }),
  };
}
