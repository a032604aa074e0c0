import type { History, HistoryFigures, Intent, Quantiles } from '../src/protocol.ts';
import { createButton } from './components.ts';
import { element, setAttributes, setShown, setText, svgElement, watchWidth } from './dom.ts';
import { type KeyedChild, KeyedChildren } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import { RovingFocus } from './focus.ts';
import {
  type Bar,
  layOutTimeline,
  type Span,
  type TickPlace,
  type TimelineLayout,
  timelineSizes,
} from './timelineLayout.ts';
import { BarShape, hatching, spanShape, tickShape } from './timelineShapes.ts';

/** A list of shapes that need a value only, so one shape can serve any of them. */
type Shapes<T> = KeyedChildren<T, KeyedChild<T>>;

const { bar, laneGap, axis, curve, top } = timelineSizes;

/** What was seen since the panel opened: who held when, how long the queue was, and the figures. */
export class TimelineView {
  readonly element = element('section', 'timeline');
  readonly #texts: PageTexts;
  readonly #pause: HTMLElement;
  readonly #note = element('p', 'note');
  readonly #empty = element('p', 'note');
  readonly #charts = element('div', 'charts');
  readonly #chart = svgElement('svg', 'chart');
  readonly #lengthChart = svgElement('svg', 'chart');
  readonly #lengthArea = svgElement('path', 'length-area');
  readonly #length = svgElement('path', 'length');
  readonly #lengthTop = svgElement('text', 'length-label');
  readonly #hidden = element('p', 'note');
  readonly #caption = element('p', 'caption');
  readonly #legend: HTMLElement;
  readonly #figures: KeyedChild<HistoryFigures>;
  readonly #bars: KeyedChildren<Bar, BarShape>;
  readonly #gaps: Shapes<Span & { height: number }>;
  readonly #unwatched: Shapes<Span & { height: number }>[];
  readonly #ticks: Shapes<TickPlace & { y: number }>;
  readonly #focus = new RovingFocus(this.#chart);
  readonly #unwatchWidth: () => void;
  #history: History | undefined;
  #now = 0;
  #width = 0;

  constructor(texts: PageTexts, ask: (intent: Intent) => void) {
    this.#texts = texts;
    const page = texts.page.bind(texts);
    this.#pause = createButton('', () => ask({ kind: 'pauseHistory', paused: this.#history?.isPaused !== true }));
    const tools = element(
      'div',
      'toolbar',
      this.#pause,
      createButton(page('history.clear'), () => ask({ kind: 'clearHistory' })),
      createButton(page('history.saveJson'), () => ask({ kind: 'saveHistory', format: 'json' })),
      createButton(page('history.saveCsv'), () => ask({ kind: 'saveHistory', format: 'csv' })),
    );
    this.#legend = element('p', 'legend', page('history.unwatched'));
    this.#figures = figuresList(texts);
    const layers = ['gaps', 'ticks', 'bars', 'unwatched'].map(() => svgElement('g'));
    const [gaps, ticks, bars, unwatched] = layers as [SVGGElement, SVGGElement, SVGGElement, SVGGElement];
    const spansIn = (layer: SVGGElement, className: string): Shapes<Span & { height: number }> =>
      new KeyedChildren(layer, { key: ({ x }) => String(x), create: () => spanShape(className), recycle: true });
    const lengthUnwatched = svgElement('g');
    this.#unwatched = [unwatched, lengthUnwatched].map(layer => spansIn(layer, 'unwatched'));
    this.#gaps = spansIn(gaps, 'gap');
    this.#ticks = new KeyedChildren(ticks, {
      key: ({ at }) => String(at),
      create: () => tickShape(texts),
      recycle: true,
    });
    this.#bars = new KeyedChildren(bars, { key: at => at.key, create: () => new BarShape(texts) });
    this.#chart.append(hatching(), ...layers);
    setAttributes(this.#chart, { role: 'group', 'aria-label': page('history.barsLabel') });
    this.#lengthChart.append(this.#lengthArea, this.#length, lengthUnwatched, this.#lengthTop);
    setAttributes(this.#lengthChart, { role: 'img' });
    const lengthTitle = element('h3', '', page('history.lengthLabel'));
    this.#charts.append(this.#chart, this.#hidden, this.#caption, lengthTitle, this.#lengthChart);
    this.element.append(tools, this.#note, this.#empty, this.#charts, this.#legend, this.#figures.element);
    this.#listen();
    this.#unwatchWidth = watchWidth(this.#charts, width => {
      this.#width = width;
      this.#draw();
    });
  }

  /** `now` by the clock of the snapshots: the right end of the axis. */
  update(history: History, now: number): void {
    this.#history = history;
    this.#now = now;
    const page = this.#texts.page.bind(this.#texts);
    setText(this.#pause, page(history.isPaused ? 'history.resume' : 'history.pause'));
    setText(
      this.#note,
      [
        page('history.since', this.#texts.time(history.openedAt, now)),
        history.dropped === 0
          ? page('history.events', history.events)
          : page('history.eventsOfMore', history.events, history.dropped),
        ...(history.isPaused ? [page('history.paused')] : []),
      ].join(' · '),
    );
    // The first look at a queue is the first point of its length.
    const wasSeen = history.lengths.length > 0;
    setShown(this.#empty, history.holds.length === 0);
    setText(this.#empty, page(wasSeen ? 'history.empty' : 'history.unseen'));
    setShown(this.#charts, wasSeen);
    setShown(this.#legend, wasSeen && history.unwatched.length > 0);
    this.#figures.update(history.figures);
    this.#draw();
  }

  /** Open holds grow with time. */
  tick(now: number): void {
    this.#now = now;
    this.#draw();
  }

  dispose(): void {
    this.#unwatchWidth();
  }

  #draw(): void {
    if (this.#history === undefined || this.#charts.hidden) return;
    const layout = layOutTimeline(this.#history, this.#now, this.#width);
    const bottom = top + layout.lanes * (bar + laneGap);
    setSize(this.#chart, layout.width, bottom + axis);
    setSize(this.#lengthChart, layout.width, curve);
    for (const [index, height] of [bottom, curve].entries()) {
      this.#unwatched[index]?.update(layout.unwatched.map(span => ({ ...span, height })));
    }
    setShown(this.#hidden, layout.hidden > 0);
    setText(this.#hidden, this.#texts.page('history.hidden', layout.hidden));
    this.#gaps.update(layout.gaps.map(span => ({ ...span, height: bottom })));
    this.#ticks.update(layout.ticks.map(tick => ({ ...tick, y: bottom })));
    this.#focus.update(() => {
      this.#bars.update(layout.bars);
      return this.#bars.all();
    });
    this.#drawLength(layout);
  }

  #drawLength({ curve: path, area, width, longest }: TimelineLayout): void {
    setAttributes(this.#length, { d: path });
    setAttributes(this.#lengthArea, { d: area });
    setAttributes(this.#lengthTop, { x: width - 4, y: 10, 'text-anchor': 'end' });
    setText(this.#lengthTop, this.#texts.count(longest));
    const name = `${this.#texts.page('history.lengthLabel')}: ${this.#texts.count(longest)}`;
    setAttributes(this.#lengthChart, { 'aria-label': name });
  }

  #listen(): void {
    const describe = (target: EventTarget | null): void => {
      const group = target instanceof Element ? target.closest('.bar') : null;
      const shape = this.#bars.all().find(candidate => candidate.element === group);
      setText(this.#caption, shape?.description ?? '');
    };
    this.#chart.addEventListener('focusin', event => describe(event.target));
    this.#chart.addEventListener('focusout', () => describe(null));
    this.#chart.addEventListener('pointerover', event => describe(event.target));
    this.#chart.addEventListener('pointerleave', () => describe(document.activeElement));
  }
}

function setSize(drawing: SVGSVGElement, width: number, height: number): void {
  setAttributes(drawing, { width, height, viewBox: `0 0 ${width} ${height}` });
}

const names = ['handOvers', 'longestQueue', 'hold', 'wait', 'gap'] as const;

/** The figures of the history, as a list of terms and values. */
function figuresList(texts: PageTexts): KeyedChild<HistoryFigures> {
  const values = names.map(name => [name, element('dd')] as const);
  const figures = values.map(([name, value]) => {
    return element('div', 'figure', element('dt', '', texts.page(`figure.${name}`)), value);
  });
  return {
    element: element('dl', 'figures', ...figures),
    update: history => {
      for (const [name, value] of values) {
        const figure = history[name];
        setText(value, typeof figure === 'number' ? texts.count(figure) : spreadText(figure, texts));
      }
    },
  };
}

function spreadText({ p50, p95, max }: Quantiles, texts: PageTexts): string {
  if (p50 === undefined || p95 === undefined || max === undefined) return texts.page('figure.none');
  return texts.page('figure.spread', ...[p50, p95, max].map(ms => texts.span(ms)));
}
