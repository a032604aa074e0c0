import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { Pacer, type Pace, type PacerOptions } from '../../base/pacer.ts';

/** The page of a panel or an editor, as what fills it sees it. */
export interface WebviewPage<M> {
  readonly isVisible: boolean;
  post(message: M): void;
  onMessage(listener: (message: unknown) => void): Disposable;
  onVisibility(listener: () => void): Disposable;
}

export interface PageLifeParts extends Pick<PacerOptions<never>, 'schedule'> {
  /** Monotonic ms. */
  monotonicNow(): number;
  logger: Logger;
}

/** What fills a page. `P` are the messages of the page. */
interface Filling<P> {
  /** Whose page, for the log. */
  name: string;
  pace: Pace;
  parse(value: unknown): P | undefined;
  receive(message: P): void;
  /** Sends what is to be shown now, while the page is there. */
  send(): void | Promise<void>;
  /** Time has passed: ages and the like are others. */
  tick(): void;
  /** The page is gone. */
  stop(): void;
}

/** How often what depends on time alone is computed again. */
const tickMs = 10_000;

/**
 * The life of a page: it is there from its first message until it is hidden, when VS Code destroys it. It gets nothing before, and
 * nothing is done for it afterwards.
 */
export class PageLife<M, P> implements Disposable {
  private readonly parts: PageLifeParts;
  private readonly page: WebviewPage<M>;
  private readonly filling: Filling<P>;
  private readonly owned = new DisposableStore();
  private readonly ticking: DisposableSlot;
  private readonly pacer: Pacer<'page'>;
  private isReady = false;
  /** What the page keeps for a window that is loaded again, as JSON. */
  private kept = '';

  constructor(parts: PageLifeParts, page: WebviewPage<M>, filling: Filling<P>) {
    this.parts = parts;
    this.page = page;
    this.filling = filling;
    this.ticking = this.owned.add(new DisposableSlot());
    this.pacer = this.owned.add(
      new Pacer({
        ...filling.pace,
        call: () => (this.isThere ? filling.send() : undefined),
        schedule: (callback, ms) => parts.schedule(callback, ms),
        now: () => parts.monotonicNow(),
      }),
    );
    this.owned.add(page.onMessage(message => this.receive(message)));
    this.owned.add(
      page.onVisibility(() => {
        if (!page.isVisible) this.stop();
      }),
    );
  }

  get isThere(): boolean {
    return this.isReady && this.page.isVisible;
  }

  /** The first message of the page has come. @param first what it is sent before all else */
  start(first: M): void {
    this.isReady = true;
    this.page.post(first);
    this.keepTicking();
  }

  /** What is shown differs: it is sent soon. */
  refresh(): void {
    if (this.isReady) this.pacer.add('page');
  }

  /** Sends at once what would be sent soon. */
  flush(): void {
    this.pacer.flush();
  }

  post(message: M): void {
    if (this.isReady) this.page.post(message);
  }

  /** Notes what the page keeps from now on. @returns whether that is something else than before */
  keeps(value: unknown): boolean {
    const kept = JSON.stringify(value);
    const isOther = kept !== this.kept;
    this.kept = kept;
    return isOther;
  }

  dispose(): void {
    this.isReady = false;
    this.owned.dispose();
  }

  private receive(value: unknown): void {
    const message = this.filling.parse(value);
    if (message !== undefined) this.filling.receive(message);
    else this.parts.logger.warn(`The page of ${this.filling.name} sent a malformed message; it was dropped.`);
  }

  private keepTicking(): void {
    this.ticking.value = this.parts.schedule(() => {
      this.filling.tick();
      this.keepTicking();
    }, tickMs);
  }

  private stop(): void {
    this.isReady = false;
    this.ticking.value = undefined;
    this.pacer.cancel();
    this.filling.stop();
  }
}
