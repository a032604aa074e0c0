import { setAttributes } from './dom.ts';

/** Rows and columns of a page of PageUp and PageDown. */
const stride = 10;

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
    grid.addEventListener('focusin', event => {
      const cell = event.target instanceof Element ? event.target.closest<HTMLElement>(cellSelector) : null;
      if (cell !== null) this.#choose(cell);
    });
  }

  get hasFocus(): boolean {
    return this.#grid.contains(document.activeElement);
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
    const rows = this.#rows();
    const target = next(event, this.#current, rows);
    if (target === undefined) return;
    event.preventDefault();
    this.#at(target, rows)?.focus();
  }
}

const rowSelector = '[role=row]';
const cellSelector = '[role=gridcell], [role=columnheader]';

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
