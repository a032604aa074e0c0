import { tableColumns, type TableColumn, type TableRow } from '../src/protocol.ts';
import { createGridCell, createGridRow } from './components.ts';
import { marksOf } from './contenderText.ts';
import { element, setAttributes, setClasses, setShown, setText } from './dom.ts';
import type { KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';

export interface NumberedRow {
  row: TableRow;
  /** `aria-rowindex`: the header is 1. */
  index: number;
}

/** A name's end, with its sequence number, stays in sight where the name has no room. */
const nameEnd = 12;

/** One contender of the table: a cell for each column, and the button that opens its actions. */
export class TableRowView implements KeyedChild<NumberedRow> {
  readonly element = createGridRow(false);
  readonly #texts: PageTexts;
  readonly #cells = new Map<TableColumn, { cell: HTMLElement; text: HTMLElement }>();
  readonly #marks = element('span', 'marks');
  readonly #waitsFor = [element('span', 'name-start'), element('span', 'name-end')] as const;
  readonly #actions = element('button', 'row-actions', '…');
  #row: TableRow | undefined;

  constructor(texts: PageTexts) {
    this.#texts = texts;
    for (const [index, column] of tableColumns.entries()) {
      const cell = createGridCell(index + 1, false);
      const text = element('span');
      cell.append(text);
      cell.dataset['column'] = column;
      this.#cells.set(column, { cell, text });
      this.element.append(cell);
    }
    this.#cells.get('kind')?.cell.append(this.#marks);
    this.#cells.get('waitsFor')?.text.append(...this.#waitsFor);
    const last = createGridCell(tableColumns.length + 1, false);
    this.#actions.type = 'button';
    setAttributes(this.#actions, { tabindex: -1, 'aria-haspopup': 'menu' });
    last.append(this.#actions);
    this.element.append(last);
  }

  /** Absent before the first update. */
  get shown(): TableRow | undefined {
    return this.#row;
  }

  update({ row, index }: NumberedRow): void {
    this.#row = row;
    setAttributes(this.element, { 'aria-rowindex': index });
    for (const [column, { text }] of this.#cells) {
      if (column !== 'age' && column !== 'waitsFor') setText(text, row.cells[column]);
    }
    this.#writeName(row.cells.waitsFor);
    const marks = [...(row.isHolder ? [this.#texts.page('mark.holder')] : []), ...marksOf(row, this.#texts)];
    setText(this.#marks, marks.join(' · '));
    setShown(this.#marks, marks.length > 0);
    setAttributes(this.#actions, { 'aria-label': `${this.#texts.page('row.actions')}: ${row.cells.who}` });
    setClasses(this.element, { 'is-holder': row.isHolder, 'is-stale': row.isStale, 'is-own': row.isOwn });
  }

  #writeName(name: string): void {
    const [start, end] = this.#waitsFor;
    const cut = Math.max(0, name.length - nameEnd);
    setText(start, name.slice(0, cut));
    setText(end, name.slice(cut));
  }

  /** `now` by the clock of the snapshots, epoch ms. */
  tick(now: number): void {
    const text = this.#cells.get('age')?.text;
    if (text !== undefined && this.#row !== undefined) setText(text, this.#texts.age(now - this.#row.createdAt));
  }
}
