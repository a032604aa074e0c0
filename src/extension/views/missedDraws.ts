import { DisposableSlot, type Disposable } from '../../base/disposable.ts';

/** VS Code asks within milliseconds; a busy window takes longer. */
export const answerMs = 1_000;

export interface MissedDrawsParts<Row> {
  /** Draws rows once more; `undefined`: all. */
  again(rows: readonly (Row | undefined)[]): void;
  schedule(callback: () => void, ms: number): Disposable;
}

/**
 * Notices when VS Code does not ask for the rows below a row that it has drawn, and has that row drawn once more.
 *
 * To draw a row makes the extension host forget the rows below until the window asks for them. From a remote extension host, in a browser
 * too, several messages may arrive as one. If the rows below a row that was just opened arrive together with the news that it is to be
 * drawn again, the window forgets first and stores these rows then (`children` in treeView.ts), so it never asks. It goes on to show
 * them, but the host does not know them: they stay as they are whatever changes, and no command of their menus finds its row.
 */
export class MissedDraws<Row extends object> implements Disposable {
  private readonly parts: MissedDrawsParts<Row>;
  private readonly timer = new DisposableSlot();
  /** Drawn since the last look. */
  private recent = new Set<Row | undefined>();
  /** Drawn before the last look. */
  private waiting = new Set<Row | undefined>();
  /** Not drawn once more again before VS Code has asked: it may show a row folded that counts as open. */
  private readonly repeated = new WeakSet();
  /** Stands for `undefined` there. */
  private readonly list = {};

  constructor(parts: MissedDrawsParts<Row>) {
    this.parts = parts;
  }

  /**
   * The extension host forgets the rows below. For a row it does so when it asks for its item (`_refreshNode` in extHostTreeViews.ts), which
   * may be long after the event: it sends one piece of news at a time. What the window asked for before that is forgotten with the rest.
   *
   * @param row with rows below that can be seen; `undefined`: the whole tree
   */
  forgets(row: Row | undefined): void {
    this.waiting.delete(row);
    this.recent.add(row);
    if (this.timer.value === undefined) this.start();
  }

  /** VS Code asks for the rows below. */
  asked(row: Row | undefined): void {
    this.recent.delete(row);
    this.waiting.delete(row);
    this.repeated.delete(row ?? this.list);
  }

  dispose(): void {
    this.timer.dispose();
    this.recent.clear();
    this.waiting.clear();
  }

  private start(): void {
    this.timer.value = this.parts.schedule(() => this.look(), answerMs);
  }

  private look(): void {
    this.timer.value = undefined;
    const missed = [...this.waiting].filter(row => !this.repeated.has(row ?? this.list));
    for (const row of missed) this.repeated.add(row ?? this.list);
    [this.waiting, this.recent] = [this.recent, new Set()];
    if (this.waiting.size > 0) this.start();
    if (missed.length > 0) this.parts.again(missed);
  }
}
