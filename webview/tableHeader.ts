import { tableColumns, type PanelView, type TableColumn } from '../src/protocol.ts';
import { createGridCell, createGridRow } from './components.ts';
import { element, setAttributes, setText } from './dom.ts';
import type { PageTexts } from './pageTexts.ts';

/** The header row: a click, Enter or Space sorts up, down, and then again in grant order. */
export class TableHeader {
  readonly element = createGridRow(true);
  readonly #arrows = new Map<TableColumn, { cell: HTMLElement; arrow: HTMLElement }>();

  constructor(texts: PageTexts) {
    setAttributes(this.element, { 'aria-rowindex': 1 });
    for (const [index, column] of tableColumns.entries()) {
      const cell = createGridCell(index + 1, true);
      const arrow = element('span', 'sort-arrow');
      arrow.setAttribute('aria-hidden', 'true');
      cell.append(element('span', '', texts.column(column)), arrow);
      cell.dataset['column'] = column;
      this.#arrows.set(column, { cell, arrow });
      this.element.append(cell);
    }
    const actions = createGridCell(tableColumns.length + 1, true);
    actions.append(element('span', 'visually-hidden', texts.page('row.actions')));
    this.element.append(actions);
  }

  update(sort: PanelView['sort']): void {
    for (const [column, { cell, arrow }] of this.#arrows) {
      const isSorted = sort?.column === column;
      const direction = sort?.descending === true ? 'descending' : 'ascending';
      setAttributes(cell, { 'aria-sort': isSorted ? direction : 'none' });
      setText(arrow, isSorted ? { ascending: ' ▲', descending: ' ▼' }[direction] : '');
    }
  }
}

/** The sort after the next press on a column's header; undefined is grant order. */
export function nextSort(sort: PanelView['sort'], column: TableColumn): PanelView['sort'] {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}

export function columnOf(cell: Element): TableColumn | undefined {
  return cell instanceof HTMLElement ? tableColumns.find(column => column === cell.dataset['column']) : undefined;
}
