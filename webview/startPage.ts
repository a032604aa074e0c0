import { onHostMessage } from './hostMessages.ts';
import type { HostMessage, PageMessage, PanelSnapshot } from '../src/protocol.ts';
import { Page } from './page.ts';
import { PageTexts } from './pageTexts.ts';
import { ViewState, type VsCodeApi } from './viewState.ts';

const tickMs = 1_000;
/** What browsers' profiles and `npm run bench:panel` look for: the script of one update. */
const measureName = 'lock-panel-update';

/**
 * Runs the page in `root` until the result is called: it sends `ready`, shows each snapshot, and sends the view that the user
 * chooses and the intents. It costs nothing while it is not visible.
 */
export function startPage(root: HTMLElement, api: VsCodeApi): () => void {
  const running = new RunningPage(root, api);
  return () => running.dispose();
}

class RunningPage {
  readonly #root: HTMLElement;
  readonly #state: ViewState;
  readonly #api: VsCodeApi;
  readonly #stopped = new AbortController();
  #page: Page | undefined;
  #snapshot: PanelSnapshot | undefined;
  /** When the snapshot came, by the page's monotonic clock: ages go on from there. */
  #receivedAt = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #isScrollRestored = false;

  constructor(root: HTMLElement, api: VsCodeApi) {
    this.#root = root;
    this.#api = api;
    this.#state = new ViewState(api, view => this.#post({ type: 'view', view }));
    const { signal } = this.#stopped;
    onHostMessage<HostMessage>(message => this.#receive(message), signal);
    window.addEventListener('focus', () => this.#post({ type: 'focus' }), { signal });
    document.addEventListener('visibilitychange', () => this.#keepTicking(), { signal });
    document.addEventListener('scrollend', () => this.#keepScroll(), { signal, capture: true });
    this.#post({ type: 'ready', view: this.#state.view });
    this.#keepTicking();
  }

  dispose(): void {
    clearInterval(this.#ticking);
    this.#stopped.abort();
    this.#page?.dispose();
  }

  #post(message: PageMessage): void {
    this.#api.postMessage(message);
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case 'texts':
        this.#state.keepLock(message.lock);
        this.#translate(message);
        return;
      case 'keep':
        this.#state.keepLock(message.lock);
        return;
      case 'snapshot':
        this.#show(message.snapshot);
        return;
      case 'outcome':
        this.#page?.showOutcome(message.text ?? '', message.outcome === 'failed');
        return;
      default:
        // A host of another version may send more kinds: the page ignores them.
        message satisfies never;
    }
  }

  #translate({ texts, language }: Extract<HostMessage, { type: 'texts' }>): void {
    this.#page?.dispose();
    document.documentElement.lang = language;
    this.#page = new Page(new PageTexts(texts, language), this.#state.view, {
      ask: intent => this.#post({ type: 'intent', intent }),
      show: change => this.#state.show(change),
    });
    this.#root.append(this.#page.element);
    this.#draw();
  }

  #show(snapshot: PanelSnapshot): void {
    this.#snapshot = snapshot;
    this.#receivedAt = performance.now();
    this.#draw();
    // Behind the frame: what was sent sooner would only wait. A page that is not on screen has no frames, and needs nothing.
    const { revision } = snapshot;
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (!this.#stopped.signal.aborted) this.#post({ type: 'drawn', revision });
      }),
    );
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
    // In a recording time goes on when the host says so.
    if (snapshot.time !== undefined) return snapshot.takenAt;
    return snapshot.takenAt + performance.now() - this.#receivedAt;
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
