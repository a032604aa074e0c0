import type { Contender } from '../../locks/lockQueue.ts';
import { tablePageSize, type Table, type TableRow } from '../../protocol.ts';

/** How the rows of the table are found and built. The second parameter of each is the index in the queue. */
interface TableRows {
  /** Indexes in the order of the table; `undefined`: that of the queue. */
  order: Uint32Array | undefined;
  /** Whether a row is shown; `undefined`: every row is. */
  test: ((contender: Contender, at: number) => boolean) | undefined;
  rowOf: (contender: Contender, at: number) => TableRow;
}

/**
 * A page of the table. Only its rows are built; the others are counted.
 *
 * @param wanted index of its first row among those that are shown
 */
export function tablePage(contenders: readonly Contender[], wanted: number, { order, test, rowOf }: TableRows): Table {
  const found = test === undefined ? undefined : matchingRows(contenders, order, test);
  const matching = found?.length ?? contenders.length;
  const from = firstRow(wanted, matching);
  const places = Array.from({ length: Math.min(tablePageSize, matching - from) }, (_, index) => from + index);
  const rows = places.flatMap(place => {
    const at = found?.[place] ?? order?.[place] ?? place;
    const contender = contenders[at];
    return contender === undefined ? [] : [rowOf(contender, at)];
  });
  return { from, rows, matching };
}

/** Indexes into `contenders` in the order of the table. */
function matchingRows(
  contenders: readonly Contender[],
  order: TableRows['order'],
  test: NonNullable<TableRows['test']>,
): number[] {
  const matching: number[] = [];
  for (let index = 0; index < contenders.length; index++) {
    const at = order?.[index] ?? index;
    const contender = contenders[at];
    if (contender !== undefined && test(contender, at)) matching.push(at);
  }
  return matching;
}

/** The last page, if the wanted one no longer exists. */
function firstRow(wanted: number, count: number): number {
  if (wanted < count) return wanted;
  return count === 0 ? 0 : Math.floor((count - 1) / tablePageSize) * tablePageSize;
}
