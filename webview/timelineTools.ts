import type { History, TimeBar, TimeSpan } from '../src/historyProtocol.ts';
import type { Intent, PanelView } from '../src/protocol.ts';
import { createButton, setButtonEnabled } from './components.ts';
import { element, setShown, setText } from './dom.ts';
import type { PageTexts } from './pageTexts.ts';

const zoom = 2;
/** Share of the shown time by which it is moved. */
const stride = 0.5;

export interface TimelineActions {
  ask: (intent: Intent) => void;
  show: (change: Partial<PanelView>) => void;
}

/** A part of the time that is `factor` times as long, with `around` where it was. All times in epoch ms; whole ms. */
export function zoomed({ from, to }: TimeSpan, factor: number, around: number): TimeSpan {
  const centre = Math.max(from, Math.min(to, around));
  return { from: Math.round(centre - (centre - from) * factor), to: Math.round(centre + (to - centre) * factor) };
}

/** The same length, moved by a share of it, within the whole time. */
export function panned({ from, to }: TimeSpan, share: number, whole: TimeSpan): TimeSpan {
  const length = to - from;
  const start = Math.max(whole.from, Math.min(whole.to - length, from + length * share));
  return { from: Math.round(start), to: Math.round(start + length) };
}

/** What can be done with the timeline: what a panel has seen of a live lock is paused and cleared, what is recorded zoomed and moved. */
export class TimelineTools {
  readonly element = element('div', 'toolbar');
  readonly #texts: PageTexts;
  readonly #actions: TimelineActions;
  readonly #pause: HTMLElement;
  readonly #live: HTMLElement[];
  readonly #recorded: HTMLElement[];
  readonly #whole: HTMLElement;
  readonly #earlier: HTMLElement;
  readonly #later: HTMLElement;
  readonly #out: HTMLElement;
  #history: History | undefined;
  #time: TimeBar | undefined;

  constructor(texts: PageTexts, actions: TimelineActions) {
    const page = texts.page.bind(texts);
    this.#texts = texts;
    this.#actions = actions;
    const { ask } = actions;
    this.#pause = createButton('', () => ask({ kind: 'pauseHistory', paused: this.#history?.isPaused !== true }));
    this.#live = [this.#pause, createButton(page('history.clear'), () => ask({ kind: 'clearHistory' }))];
    this.#earlier = createButton(page('history.earlier'), () => this.pan(-stride));
    this.#later = createButton(page('history.later'), () => this.pan(stride));
    this.#out = createButton(page('history.zoomOut'), () => this.zoom(zoom));
    this.#whole = createButton(page('history.whole'), () => this.showWhole());
    const zoomIn = createButton(page('history.zoomIn'), () => this.zoom(1 / zoom));
    this.#recorded = [zoomIn, this.#out, this.#earlier, this.#later, this.#whole];
    this.element.append(
      ...this.#live,
      ...this.#recorded,
      createButton(page('history.saveJson'), () => ask({ kind: 'saveHistory', format: 'json' })),
      createButton(page('history.saveCsv'), () => ask({ kind: 'saveHistory', format: 'csv' })),
    );
  }

  update(history: History, time: TimeBar | undefined): void {
    this.#history = history;
    this.#time = time;
    setText(this.#pause, this.#texts.page(history.isPaused ? 'history.resume' : 'history.pause'));
    const { shown } = history;
    const whole = this.#wholeTime;
    for (const tool of this.#live) setShown(tool, whole === undefined);
    for (const tool of this.#recorded) setShown(tool, whole !== undefined);
    if (whole === undefined || shown === undefined) return;
    const [isFirst, isLast] = [shown.from <= whole.from, shown.to >= whole.to];
    setButtonEnabled(this.#earlier, !isFirst);
    setButtonEnabled(this.#later, !isLast);
    for (const tool of [this.#out, this.#whole]) setButtonEnabled(tool, !isFirst || !isLast);
  }

  /** The keys of the chart: + and − zoom, 0 shows the whole time. @returns whether the key was one of them */
  press(key: string): boolean {
    if (this.#wholeTime === undefined) return false;
    if (key === '+' || key === '=') this.zoom(1 / zoom);
    else if (key === '-') this.zoom(zoom);
    else if (key === '0') this.showWhole();
    else return false;
    return true;
  }

  /** Around the instant, if that can be seen; of a live lock that is now. */
  zoom(factor: number): void {
    const shown = this.#history?.shown;
    const whole = this.#wholeTime;
    if (shown === undefined || whole === undefined) return;
    const at = this.#time?.at ?? whole.to;
    const isSeen = at >= shown.from && at <= shown.to;
    const wanted = zoomed(shown, factor, isSeen ? at : (shown.from + shown.to) / 2);
    this.#show({ from: Math.max(whole.from, wanted.from), to: Math.min(whole.to, wanted.to) });
  }

  pan(share: number): void {
    const shown = this.#history?.shown;
    const whole = this.#wholeTime;
    if (shown !== undefined && whole !== undefined) this.#show(panned(shown, share, whole));
  }

  showWhole(): void {
    const whole = this.#wholeTime;
    if (whole !== undefined) this.#show({ from: whole.from, to: whole.to });
  }

  /** All that is recorded; `undefined` of what only the panel has seen. */
  get #wholeTime(): TimeSpan | undefined {
    return this.#time ?? this.#history?.whole;
  }

  #show(timeline: TimeSpan): void {
    this.#actions.show({ timeline });
  }
}
