import {
  type CopyPart,
  filterLimit,
  type Intent,
  type PanelSnapshot,
  type PanelView,
  type TableColumn,
  tableColumns,
  tablePageSize,
  type TableRow,
} from '../src/protocol.ts';
import { opensMenu, type MenuOwner } from './actionMenu.ts';
import {
  createButton,
  createGrid,
  createGridCell,
  createGridRow,
  createTextField,
  setButtonEnabled,
  type TextField,
} from './components.ts';
import type { PageTexts } from './pageTexts.ts';
import { element, setAttributes, setClasses, setShown, setText } from './dom.ts';
import { cellSelector, GridFocus } from './focus.ts';
import { markClasses, MarkList } from './marks.ts';
import { type KeyedChild, KeyedChildren } from './keyedChildren.ts';

export interface TableActions {
  ask(intent: Intent): void;
  show(change: Partial<PanelView>): void;
  /** `column` is the one that "copy cell" means. */
  openMenu(owner: MenuOwner, anchor: Element, column: TableColumn | undefined): void;
  answer(text: string): void;
}

/** Typing does not send a view for each letter. */
const filterPauseMs = 150;

/** The contenders one by one, a page at a time. */
export class TableView {
  readonly element = element('section', 'table');
  readonly #texts: PageTexts;
  readonly #actions: TableActions;
  readonly #filter: TextField;
  readonly #clearFilter: HTMLElement;
  readonly #sorted = element('span', 'note');
  readonly #grantOrder: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #header: KeyedChild<PanelView['sort']>;
  readonly #rows: KeyedChildren<NumberedRow, TableRowView>;
  readonly #focus: GridFocus;
  readonly #range = element('span', 'note');
  readonly #findOwners: HTMLElement;
  readonly #previous: HTMLElement;
  readonly #next: HTMLElement;
  readonly #pages: HTMLElement;
  #filterTimer: ReturnType<typeof setTimeout> | undefined;
  #view: PanelView;
  #lastFrom = 0;

  constructor(texts: PageTexts, view: PanelView, actions: TableActions) {
    this.#texts = texts;
    this.#actions = actions;
    this.#view = view;
    const page = texts.page.bind(texts);
    this.#filter = createTextField(
      { label: page('table.filter'), placeholder: page('table.filterPlaceholder'), maxLength: filterLimit },
      () => this.#typed(),
    );
    this.#clearFilter = createButton(page('table.filterClear'), () => this.#search(''));
    this.#grantOrder = createButton(page('table.grantOrder'), () => this.#sortBy(undefined));
    this.#findOwners = createButton(page('table.findOwners'), () => actions.ask({ kind: 'findOwners' }));
    this.#previous = createButton(page('table.previous'), () => this.#turn(-tablePageSize));
    this.#next = createButton(page('table.next'), () => this.#turn(tablePageSize));
    this.#pages = element('div', 'pages', this.#previous, this.#next);
    this.#grid = createGrid(page('table.label'));
    this.#header = tableHeader(texts);
    this.#grid.append(this.#header.element);
    this.#rows = new KeyedChildren(this.#grid, {
      key: ({ row }) => row.name,
      create: () => new TableRowView(texts),
      recycle: true,
    });
    this.#focus = new GridFocus(this.#grid);
    const keys = element('p', 'note', page('table.keys'));
    keys.id = 'table-keys';
    setAttributes(this.#grid, { 'aria-describedby': keys.id, 'aria-colcount': tableColumns.length + 1 });
    this.element.append(
      element(
        'div',
        'toolbar',
        this.#filter.element,
        this.#clearFilter,
        this.#findOwners,
        this.#sorted,
        this.#grantOrder,
      ),
      element('div', 'table-scroller', this.#grid),
      element('div', 'toolbar', this.#range, this.#pages),
      keys,
    );
    this.#filter.setText(view.filter);
    this.#listen();
  }

  update({ table, lock, time }: PanelSnapshot, view: PanelView, now: number): void {
    this.#view = view;
    const hadFocus = this.#focus.hasFocus;
    this.#rows.update(table.rows.map((row, index) => ({ row, index: table.from + index + 2 })));
    this.tick(now);
    this.#focus.settle(hadFocus);
    setAttributes(this.#grid, { 'aria-rowcount': table.matching + 1 });
    this.#header.update(view.sort);
    this.#lastFrom = table.from;
    const last = table.from + table.rows.length;
    setText(this.#range, this.#describeRange(table, last));
    setButtonEnabled(this.#previous, table.from > 0);
    setButtonEnabled(this.#next, last < table.matching);
    setShown(this.#pages, table.matching > tablePageSize);
    setShown(this.#findOwners, !lock.isRemoved && time === undefined);
    setShown(this.#clearFilter, view.filter !== '');
    setShown(this.#grantOrder, view.sort !== undefined);
    setText(this.#sorted, describeSort(view.sort, this.#texts));
  }

  /** Shows the table with this filter, which the host already has; the keyboard goes on from there. */
  reveal(filter: string): void {
    this.#filter.setText(filter);
    this.element.scrollIntoView();
    this.#filter.element.focus({ preventScroll: true });
  }

  /** Ages go on without the host. `now` by the clock of the snapshots. */
  tick(now: number): void {
    for (const row of this.#rows.all()) row.tick(now);
  }

  dispose(): void {
    clearTimeout(this.#filterTimer);
  }

  #describeRange({ from, matching }: PanelSnapshot['table'], last: number): string {
    if (matching > 0) return this.#texts.page('table.range', from + 1, last, matching);
    return this.#view.filter === '' ? '' : this.#texts.page('table.noMatch');
  }

  #typed(): void {
    clearTimeout(this.#filterTimer);
    this.#filterTimer = setTimeout(() => this.#search(this.#filter.text()), filterPauseMs);
  }

  #search(filter: string): void {
    clearTimeout(this.#filterTimer);
    this.#filter.setText(filter);
    if (filter !== this.#view.filter) this.#show({ filter, tableFrom: 0 });
  }

  #turn(rows: number): void {
    this.#show({ tableFrom: Math.max(0, this.#lastFrom + rows) });
  }

  #sortBy(sort: PanelView['sort']): void {
    this.#actions.answer(describeSort(sort, this.#texts) || this.#texts.page('table.grantOrder'));
    this.#show({ sort, tableFrom: 0 });
  }

  /** The header answers at once; rows follow with the next snapshot. */
  #show(change: Partial<PanelView> & { sort?: PanelView['sort'] }): void {
    this.#view = { ...this.#view, ...change };
    this.#header.update(this.#view.sort);
    this.#actions.show(change);
  }

  #listen(): void {
    this.#grid.addEventListener('click', event => {
      const cell = cellAt(event.target);
      if (cell === null) return;
      if (cell.getAttribute('role') === 'columnheader') this.#press(cell);
      else if (event.target instanceof HTMLButtonElement) this.#openMenu(cell);
    });
    this.#grid.addEventListener('contextmenu', event => {
      const cell = cellAt(event.target);
      if (cell === null || this.#rowOf(cell) === undefined) return;
      event.preventDefault();
      this.#openMenu(cell);
    });
    this.#grid.addEventListener('keydown', event => this.#key(event));
  }

  #key(event: KeyboardEvent): void {
    const cell = cellAt(event.target);
    if (cell === null) return;
    const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c';
    if (isCopy) this.#copy(cell, columnOf(cell) ?? 'row');
    else if (opensMenu(event)) this.#press(cell);
    else return;
    event.preventDefault();
  }

  /** Enter, Space, the context menu key or a click on a header. */
  #press(cell: HTMLElement): void {
    const column = columnOf(cell);
    if (this.#rowOf(cell) !== undefined) this.#openMenu(cell);
    else if (column !== undefined) this.#sortBy(nextSort(this.#view.sort, column));
  }

  #openMenu(cell: HTMLElement): void {
    const row = this.#rowOf(cell);
    cell.focus({ preventScroll: true });
    if (row !== undefined) this.#actions.openMenu(row, cell, columnOf(cell));
  }

  #copy(cell: HTMLElement, part: CopyPart): void {
    const node = this.#rowOf(cell)?.shown;
    // A selection made by mouse is what the person means to copy.
    if (node === undefined || document.getSelection()?.isCollapsed === false) return;
    this.#actions.ask({ kind: 'copy', name: node.name, czxid: node.czxid, part });
  }

  #rowOf(cell: HTMLElement): TableRowView | undefined {
    return this.#rows.all().find(row => row.element.contains(cell));
  }
}

function cellAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(cellSelector) : null;
}

function describeSort(sort: PanelView['sort'], texts: PageTexts): string {
  if (sort === undefined) return '';
  return texts.page(sort.descending ? 'table.sortedDescending' : 'table.sortedAscending', texts.column(sort.column));
}

/** The header row: a click, Enter or Space sorts up, down, and then again in grant order. */
function tableHeader(texts: PageTexts): KeyedChild<PanelView['sort']> {
  const row = createGridRow(true);
  setAttributes(row, { 'aria-rowindex': 1 });
  const headings = appendCells(row, true, element('span', 'visually-hidden', texts.page('row.actions')));
  const arrows = headings.map(({ column, cell, text }) => {
    const arrow = element('span', 'sort-arrow');
    arrow.setAttribute('aria-hidden', 'true');
    text.textContent = texts.column(column);
    cell.append(arrow);
    return { column, cell, arrow };
  });
  return {
    element: row,
    update: sort => {
      for (const { column, cell, arrow } of arrows) {
        const isSorted = sort?.column === column;
        const direction = sort?.descending === true ? 'descending' : 'ascending';
        setAttributes(cell, { 'aria-sort': isSorted ? direction : 'none' });
        setText(arrow, isSorted ? { ascending: ' ▲', descending: ' ▼' }[direction] : '');
      }
    },
  };
}

interface Cell {
  column: TableColumn;
  cell: HTMLElement;
  text: HTMLElement;
}

/** A cell with a text for each column, and a last one with `actions`. */
function appendCells(row: HTMLElement, isHeader: boolean, actions: HTMLElement): Cell[] {
  const cells = tableColumns.map((column, index) => {
    const cell = createGridCell(index + 1, isHeader);
    const text = element('span');
    cell.append(text);
    cell.dataset['column'] = column;
    return { column, cell, text };
  });
  const last = createGridCell(tableColumns.length + 1, isHeader);
  last.append(actions);
  row.append(...cells.map(({ cell }) => cell), last);
  return cells;
}

/** The sort after the next press on a column's header; undefined is grant order. */
function nextSort(sort: PanelView['sort'], column: TableColumn): PanelView['sort'] {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}

function columnOf(cell: Element): TableColumn | undefined {
  return cell instanceof HTMLElement ? tableColumns.find(column => column === cell.dataset['column']) : undefined;
}

interface NumberedRow {
  row: TableRow;
  /** `aria-rowindex`: the header is 1. */
  index: number;
}

/** One contender of the table: a cell for each column, and the button that opens its actions. */
class TableRowView implements KeyedChild<NumberedRow> {
  readonly element = createGridRow(false);
  readonly #texts: PageTexts;
  readonly #cells: Cell[];
  readonly #holds = element('span', 'row-holds');
  readonly #marks: MarkList;
  readonly #actions = element('button', 'row-actions', '…');
  #row: TableRow | undefined;

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.#actions.type = 'button';
    setAttributes(this.#actions, { tabindex: -1, 'aria-haspopup': 'menu' });
    this.#cells = appendCells(this.element, false, this.#actions);
    this.#marks = new MarkList(texts);
    this.#cell('who')?.cell.append(this.#holds, this.#marks.element);
  }

  /** Absent before the first update. */
  get shown(): TableRow | undefined {
    return this.#row;
  }

  update({ row, index }: NumberedRow): void {
    this.#row = row;
    setAttributes(this.element, { 'aria-rowindex': index });
    for (const { column, text } of this.#cells) {
      if (column !== 'age') setText(text, row.cells[column]);
    }
    setText(this.#holds, row.isHolder ? this.#texts.page('mark.holder') : '');
    this.#marks.update(row.marks);
    setAttributes(this.#actions, { 'aria-label': `${this.#texts.page('row.actions')}: ${row.cells.who}` });
    setClasses(this.element, { 'is-holder': row.isHolder, ...markClasses(row.marks) });
  }

  #cell(column: TableColumn): Cell | undefined {
    return this.#cells.find(cell => cell.column === column);
  }

  /** `now` by the clock of the snapshots, epoch ms. */
  tick(now: number): void {
    const text = this.#cell('age')?.text;
    if (text === undefined || this.#row === undefined) return;
    setText(text, this.#row.isUnread === true ? '' : this.#texts.rowAge(this.#row, now));
  }
}
