import { setAttributes } from './dom.ts';

export interface FocusStop {
  readonly key: string;
  readonly element: HTMLElement | SVGElement;
}

/** Elements of a list, or rows of the table, that PageUp and PageDown move. */
const stride = 10;

/**
 * One stop of the Tab key for a list of elements; arrows, Home, End and the page keys move within it (WAI-ARIA's roving
 * tabindex). When the focused element goes away, the one that takes its place gets the focus, not the document.
 */
export class RovingFocus {
  readonly #container: Element;
  #stops: readonly FocusStop[] = [];
  #current = 0;
  #reachable: FocusStop['element'] | undefined;

  constructor(container: HTMLElement | SVGElement) {
    this.#container = container;
    container.addEventListener('keydown', event => {
      if (event instanceof KeyboardEvent) this.#press(event);
    });
    container.addEventListener('focusin', event => {
      const index = this.#stops.findIndex(stop => stop.element === event.target);
      if (index >= 0) this.#choose(index);
    });
  }

  /** The key of the element that the Tab key leads to. */
  get current(): string | undefined {
    return this.#stops[this.#current]?.key;
  }

  /** `change` alters the document and returns the stops that are there afterwards, in order. */
  update(change: () => readonly FocusStop[]): void {
    const hadFocus = hasKeyboard(this.#container);
    const key = this.current;
    this.#stops = change();
    const kept = this.#stops.findIndex(stop => stop.key === key);
    this.#choose(kept >= 0 ? kept : Math.max(0, Math.min(this.#current, this.#stops.length - 1)));
    if (hadFocus && !this.#container.contains(document.activeElement)) {
      this.#stops[this.#current]?.element.focus({ preventScroll: true });
    }
  }

  #choose(index: number): void {
    this.#current = index;
    const chosen = this.#stops[index]?.element;
    if (this.#reachable !== chosen && this.#reachable !== undefined) setAttributes(this.#reachable, { tabindex: -1 });
    if (chosen !== undefined) setAttributes(chosen, { tabindex: 0 });
    this.#reachable = chosen;
  }

  #press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = this.#target(event.key);
    const stop = target === undefined ? undefined : this.#stops[Math.max(0, Math.min(target, this.#stops.length - 1))];
    if (stop === undefined) return;
    event.preventDefault();
    stop.element.focus();
  }

  #target(key: string): number | undefined {
    return new Map([
      ['ArrowLeft', this.#current - 1],
      ['ArrowUp', this.#current - 1],
      ['ArrowRight', this.#current + 1],
      ['ArrowDown', this.#current + 1],
      ['PageUp', this.#current - stride],
      ['PageDown', this.#current + stride],
      ['Home', 0],
      ['End', this.#stops.length - 1],
    ]).get(key);
  }
}

/**
 * Whether what is typed goes to an element or into it. The page of another document has the keyboard while this one still has an
 * active element: to focus anything then would take the keyboard from a question of VS Code.
 */
export function hasKeyboard(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}

/** What the Tab key leads to. */
const stops = 'vscode-button, vscode-text-field, [tabindex="0"]';

/** Whether an element can be seen and reached at all. */
export function isThere(target: Element): boolean {
  return target.isConnected && target.closest('[hidden]') === null;
}

/**
 * Remembers where `target` stands. The result gives it the focus; if it is no longer there, the stop of the Tab key before it
 * in its own toolbar or list, else the first one there, else the same further out: who works by keyboard goes on from there,
 * not from the beginning of the document.
 */
export function rememberPlace(target: Element | null): () => void {
  const path: Element[] = [];
  for (let at = target; at !== null; at = at.parentElement) path.push(at);
  return () => {
    const stop = path[0] !== undefined && isThere(path[0]) ? path[0] : nearestStop(path);
    if (stop instanceof HTMLElement || stop instanceof SVGElement) stop.focus({ preventScroll: true });
  };
}

/** `path`: an element and all that it stood in, from the inside. */
function nearestStop(path: readonly Element[]): Element | undefined {
  for (const [index, part] of path.entries()) {
    const found = [...(path[index + 1]?.querySelectorAll(stops) ?? [])].filter(isThere);
    const before = found.findLast(stop => (part.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING) > 0);
    if (found.length > 0) return before ?? found[0];
  }
  return undefined;
}

/** Runs `change`, which may hide or remove what has the focus. A page that had no focus takes none. */
export function keepFocus(change: () => void): void {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) {
    change();
    return;
  }
  const giveBack = rememberPlace(focused);
  const isHere = document.hasFocus();
  const isLost = (): boolean => {
    const now = document.activeElement;
    return now === null || now === document.body || !isThere(now);
  };
  change();
  if (!isLost()) return;
  whenHere(isHere, () => {
    if (isLost()) giveBack();
  });
}

/** Focuses at once if the page has the keyboard, else when it comes back to the page. */
export function whenHere(isHere: boolean, focus: () => void): void {
  if (isHere) focus();
  else window.addEventListener('focus', focus, { once: true });
}

interface Position {
  row: number;
  column: number;
}

/**
 * Focus within the table: one cell is the stop of the Tab key, arrows move. It follows the cell itself, so that a row that
 * moves takes the focus along, and a row that goes hands it to the one in its place. Takes keys before the toolkit does.
 */
export class GridFocus {
  readonly #grid: HTMLElement;
  #current: Position = { row: 0, column: 0 };
  #cell: HTMLElement | undefined;

  constructor(grid: HTMLElement) {
    this.#grid = grid;
    grid.addEventListener('keydown', event => this.#press(event), true);
    // The stop of the Tab key must not be in a column that is left out now.
    new ResizeObserver(() => {
      if (this.#cell !== undefined && isLeftOut(this.#cell))
        this.#choose(this.#at({ ...this.#current, column: 0 }) ?? this.#cell);
    }).observe(grid);
    grid.addEventListener('focusin', event => {
      const cell = event.target instanceof Element ? event.target.closest<HTMLElement>(cellSelector) : null;
      if (cell !== null) this.#choose(cell);
    });
  }

  get hasFocus(): boolean {
    return hasKeyboard(this.#grid);
  }

  /** After rows were changed; `hadFocus` is what `hasFocus` said before. */
  settle(hadFocus: boolean): void {
    const isKept = this.#cell?.isConnected === true;
    if (isKept && !hadFocus) return;
    const kept = isKept ? this.#cell : this.#at(this.#current);
    if (kept === undefined) return;
    this.#choose(kept);
    if (hadFocus && !this.hasFocus) kept.focus({ preventScroll: true });
  }

  #rows(): HTMLElement[][] {
    const rows = [...this.#grid.querySelectorAll<HTMLElement>(rowSelector)];
    return rows.map(row => [...row.querySelectorAll<HTMLElement>(cellSelector)]);
  }

  #at({ row, column }: Position, rows = this.#rows()): HTMLElement | undefined {
    const cells = rows[clamp(row, rows.length)] ?? [];
    return cells[clamp(column, cells.length)];
  }

  #choose(cell: HTMLElement): void {
    if (this.#cell !== undefined && this.#cell !== cell) setAttributes(this.#cell, { tabindex: -1 });
    this.#cell = cell;
    setAttributes(cell, { tabindex: 0 });
    const rows = this.#rows();
    const row = rows.findIndex(cells => cells.includes(cell));
    this.#current = { row, column: rows[row]?.indexOf(cell) ?? 0 };
  }

  #press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey || event.metaKey) return;
    const rows = visible(this.#rows());
    const at = this.#cell === undefined ? -1 : (rows[this.#current.row]?.indexOf(this.#cell) ?? -1);
    const target = next(event, { ...this.#current, column: Math.max(0, at) }, rows);
    if (target === undefined) return;
    event.preventDefault();
    this.#at(target, rows)?.focus();
  }
}

function isLeftOut(cell: HTMLElement): boolean {
  return getComputedStyle(cell).display === 'none';
}

/** A narrow page leaves out columns. */
function visible(rows: readonly HTMLElement[][]): HTMLElement[][] {
  const isHidden = (rows[0] ?? []).map(isLeftOut);
  return rows.map(cells => cells.filter((_, column) => isHidden[column] !== true));
}

const rowSelector = '[role=row]';
export const cellSelector = '[role=gridcell], [role=columnheader]';

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

function next(event: KeyboardEvent, from: Position, rows: readonly (readonly unknown[])[]): Position | undefined {
  const last = rows.length - 1;
  const lastColumn = (rows[0]?.length ?? 1) - 1;
  const { row, column } = from;
  const targets = new Map<string, Position>(
    event.ctrlKey
      ? [
          ['Home', { row: 0, column: 0 }],
          ['End', { row: last, column: lastColumn }],
        ]
      : [
          ['ArrowLeft', { row, column: column - 1 }],
          ['ArrowRight', { row, column: column + 1 }],
          ['ArrowUp', { row: row - 1, column }],
          ['ArrowDown', { row: row + 1, column }],
          ['Home', { row, column: 0 }],
          ['End', { row, column: lastColumn }],
          ['PageUp', { row: row - stride, column }],
          ['PageDown', { row: row + stride, column }],
        ],
  );
  return targets.get(event.key);
}
