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

/** What can be done with the timeline: that of a live lock is paused and cleared, that of a recording zoomed and moved. */
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
    for (const tool of this.#live) setShown(tool, time === undefined);
    for (const tool of this.#recorded) setShown(tool, time !== undefined);
    const { shown } = history;
    if (time === undefined || shown === undefined) return;
    const [isFirst, isLast] = [shown.from <= time.from, shown.to >= time.to];
    setButtonEnabled(this.#earlier, !isFirst);
    setButtonEnabled(this.#later, !isLast);
    for (const tool of [this.#out, this.#whole]) setButtonEnabled(tool, !isFirst || !isLast);
  }

  /** The keys of the chart: + and − zoom, 0 shows the whole time. @returns whether the key was one of them */
  press(key: string): boolean {
    if (this.#time === undefined) return false;
    if (key === '+' || key === '=') this.zoom(1 / zoom);
    else if (key === '-') this.zoom(zoom);
    else if (key === '0') this.showWhole();
    else return false;
    return true;
  }

  /** Around the instant, if that can be seen. */
  zoom(factor: number): void {
    const shown = this.#history?.shown;
    const time = this.#time;
    if (shown === undefined || time === undefined) return;
    const isSeen = time.at >= shown.from && time.at <= shown.to;
    const wanted = zoomed(shown, factor, isSeen ? time.at : (shown.from + shown.to) / 2);
    this.#show({ from: Math.max(time.from, wanted.from), to: Math.min(time.to, wanted.to) });
  }

  pan(share: number): void {
    const shown = this.#history?.shown;
    if (shown !== undefined && this.#time !== undefined) this.#show(panned(shown, share, this.#time));
  }

  showWhole(): void {
    if (this.#time !== undefined) this.#show({ from: this.#time.from, to: this.#time.to });
  }

  #show(timeline: TimeSpan): void {
    this.#actions.show({ timeline });
  }
}
