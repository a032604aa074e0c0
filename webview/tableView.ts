import {
  filterLimit,
  tableColumns,
  tablePageSize,
  type CopyPart,
  type Intent,
  type PanelSnapshot,
  type PanelView,
  type TableColumn,
} from '../src/protocol.ts';
import type { MenuOwner } from './actionMenu.ts';
import { createButton, createGrid, createTextField, setButtonEnabled, type TextField } from './components.ts';
import { element, setAttributes, setShown, setText } from './dom.ts';
import { GridFocus } from './gridFocus.ts';
import { KeyedChildren } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import { columnOf, nextSort, TableHeader } from './tableHeader.ts';
import { TableRowView, type NumberedRow } from './tableRow.ts';

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
  readonly #header: TableHeader;
  readonly #rows: KeyedChildren<NumberedRow, TableRowView>;
  readonly #focus: GridFocus;
  readonly #range = element('span', 'note');
  readonly #findOwners: HTMLElement;
  readonly #previous: HTMLElement;
  readonly #next: HTMLElement;
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
    this.#grid = createGrid(page('table.label'));
    this.#header = new TableHeader(texts);
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
    const tools = element('div', 'toolbar');
    tools.append(this.#filter.element, this.#clearFilter, this.#findOwners, this.#sorted, this.#grantOrder);
    const scroller = element('div', 'table-scroller');
    scroller.append(this.#grid);
    const pages = element('div', 'toolbar');
    pages.append(this.#previous, this.#next, this.#range);
    this.element.append(tools, scroller, pages, keys);
    this.#filter.setText(view.filter);
    this.#listen();
  }

  update({ table, lock }: PanelSnapshot, view: PanelView, now: number): void {
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
    setShown(this.#findOwners, !lock.isRemoved);
    setShown(this.#clearFilter, view.filter !== '');
    setShown(this.#grantOrder, view.sort !== undefined);
    setText(this.#sorted, describeSort(view.sort, this.#texts));
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
  return target instanceof Element ? target.closest<HTMLElement>('[role=gridcell], [role=columnheader]') : null;
}

function opensMenu(event: KeyboardEvent): boolean {
  if (event.key === 'F10') return event.shiftKey;
  return event.key === 'Enter' || event.key === ' ' || event.key === 'ContextMenu';
}

function describeSort(sort: PanelView['sort'], texts: PageTexts): string {
  if (sort === undefined) return '';
  return texts.page(sort.descending ? 'table.sortedDescending' : 'table.sortedAscending', texts.column(sort.column));
}
