import type { HostMessage, Intent, PanelSnapshot } from '../src/protocol.ts';
import { ChannelClosed, HostChannel, type VsCodeApi } from './hostChannel.ts';
import { Page } from './page.ts';
import { PageTexts } from './pageTexts.ts';
import { ViewState } from './viewState.ts';

const tickMs = 1_000;
/** What browsers' profiles and `npm run bench:panel` look for: the script of one update. */
const measureName = 'lock-panel-update';

/**
 * Runs the page in `root` until the result is called: asks the host for what to show, shows it, and asks again with what the
 * person wants to see. Costs nothing while it is not visible.
 */
export function startPage(root: HTMLElement, api: VsCodeApi): () => void {
  const running = new RunningPage(root, api);
  return () => running.dispose();
}

class RunningPage {
  readonly #root: HTMLElement;
  readonly #state: ViewState;
  readonly #channel: HostChannel;
  readonly #onVisibility = (): void => this.#keepTicking();
  readonly #onScroll = (): void => this.#keepScroll();
  #page: Page | undefined;
  #snapshot: PanelSnapshot | undefined;
  /** When the snapshot came, by the page's monotonic clock: ages go on from there. */
  #receivedAt = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #isScrollRestored = false;

  constructor(root: HTMLElement, api: VsCodeApi) {
    this.#root = root;
    this.#state = new ViewState(api, view => this.#channel.show(view));
    this.#channel = new HostChannel(
      api,
      { texts: message => this.#translate(message), snapshot: message => this.#show(message.snapshot) },
      window,
    );
    document.addEventListener('visibilitychange', this.#onVisibility);
    document.addEventListener('scrollend', this.#onScroll, true);
    this.#channel.ready(this.#state.view);
    this.#keepTicking();
  }

  dispose(): void {
    clearInterval(this.#ticking);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    document.removeEventListener('scrollend', this.#onScroll, true);
    this.#channel.dispose();
    this.#page?.dispose();
  }

  #translate({ texts, language }: Extract<HostMessage, { type: 'texts' }>): void {
    this.#page?.dispose();
    document.documentElement.lang = language;
    this.#page = new Page(new PageTexts(texts, language), this.#state.view, {
      ask: intent => void this.#ask(intent),
      show: change => this.#state.show(change),
    });
    this.#root.append(this.#page.element);
    this.#draw();
  }

  #show(snapshot: PanelSnapshot): void {
    this.#snapshot = snapshot;
    this.#receivedAt = performance.now();
    this.#draw();
  }

  #draw(): void {
    if (this.#page === undefined || this.#snapshot === undefined) return;
    const start = performance.now();
    this.#page.update(this.#snapshot, this.#state.view, this.#now(this.#snapshot));
    performance.measure(measureName, { start });
    performance.clearMeasures(measureName);
    this.#restoreScroll(this.#page);
  }

  #now(snapshot: PanelSnapshot): number {
    return snapshot.takenAt + performance.now() - this.#receivedAt;
  }

  async #ask(intent: Intent): Promise<void> {
    try {
      const { outcome, text } = await this.#channel.ask(intent);
      this.#page?.showOutcome(text ?? '', outcome === 'failed');
    } catch (error) {
      // The page goes away, and with it the line that would say so.
      if (!(error instanceof ChannelClosed)) throw error;
    }
  }

  #keepTicking(): void {
    clearInterval(this.#ticking);
    if (document.visibilityState === 'visible') this.#ticking = setInterval(() => this.#tick(), tickMs);
  }

  #tick(): void {
    if (this.#snapshot?.status.state === 'live') this.#page?.tick(this.#now(this.#snapshot));
  }

  #keepScroll(): void {
    if (!this.#isScrollRestored) return;
    const page = Math.round(window.scrollY);
    const picture = Math.round(this.#page?.picture.scroller.scrollTop ?? 0);
    this.#state.scrolled({ page, picture });
  }

  /** Once, when there is something to scroll. */
  #restoreScroll(page: Page): void {
    if (this.#isScrollRestored || this.#snapshot?.status.state === 'loading') return;
    this.#isScrollRestored = true;
    page.picture.scroller.scrollTop = this.#state.scroll.picture;
    if (this.#state.scroll.page > 0) window.scrollTo({ top: this.#state.scroll.page, behavior: 'instant' });
  }
}
