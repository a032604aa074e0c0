import type { History, HistoryFigures, Quantiles, TimeBar } from '../src/historyProtocol.ts';
import { CauseLegend, type Ended } from './causes.ts';
import { element, setAttributes, setShown, setText, svgElement, watchWidth } from './dom.ts';
import { endTexts } from './instantText.ts';
import { type KeyedChild, KeyedChildren } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import { keepFocus, RovingFocus } from './focus.ts';
import { StayDetails } from './stayDetails.ts';
import {
  type Bar,
  type EndSign,
  layOutTimeline,
  placeOf,
  type Span,
  type TickPlace,
  type TimelineLayout,
  timelineSizes,
} from './timelineLayout.ts';
import { BarShape, EndShape, hatching, spanShape, tickShape } from './timelineShapes.ts';
import { type TimelineActions, TimelineTools } from './timelineTools.ts';

/** A list of shapes that need a value only, so one shape can serve any of them. */
type Shapes<T> = KeyedChildren<T, KeyedChild<T>>;

const { axis, curve } = timelineSizes;

/** Who held when, how long the queue was, and the figures: as seen since the panel opened, or as recorded. */
export class TimelineView {
  readonly element = element('section', 'timeline');
  readonly #texts: PageTexts;
  readonly #actions: TimelineActions;
  readonly #tools: TimelineTools;
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
  readonly #details: StayDetails;
  readonly #causes: CauseLegend;
  readonly #legend = element('p', 'legend');
  readonly #keys = element('p', 'note');
  readonly #figures: KeyedChild<HistoryFigures>;
  readonly #bars: KeyedChildren<Bar, BarShape>;
  readonly #waits: KeyedChildren<Bar, BarShape>;
  readonly #ends: KeyedChildren<EndSign & { y: number }, EndShape>;
  readonly #gaps: Shapes<Span & { height: number }>;
  readonly #unwatched: Shapes<Span & { height: number }>[];
  readonly #ticks: Shapes<TickPlace & { y: number }>;
  readonly #headings = [svgElement('text', 'lanes-heading'), svgElement('text', 'lanes-heading')] as const;
  readonly #instants = [instantLine(), instantLine()] as const;
  readonly #focus = new RovingFocus(this.#chart);
  readonly #unwatchWidth: () => void;
  #history: History | undefined;
  #time: TimeBar | undefined;
  #chosen: Bar | undefined;
  #now = 0;
  #width = 0;

  constructor(texts: PageTexts, actions: TimelineActions) {
    this.#texts = texts;
    this.#actions = actions;
    this.#tools = new TimelineTools(texts, actions);
    this.#details = new StayDetails(texts, () => keepFocus(() => this.#choose(undefined)));
    this.#causes = new CauseLegend(texts);
    this.#figures = figuresList(texts);
    const layers = ['gaps', 'ticks', 'ends', 'bars', 'waits', 'unwatched'].map(() => svgElement('g'));
    const [gaps, ticks, ends, bars, waits, unwatched] = layers as [
      SVGGElement,
      SVGGElement,
      SVGGElement,
      SVGGElement,
      SVGGElement,
      SVGGElement,
    ];
    const spansIn = (layer: SVGGElement, className: string): Shapes<Span & { height: number }> =>
      new KeyedChildren(layer, { key: ({ x }) => String(x), create: () => spanShape(className), recycle: true });
    const barsIn = (layer: SVGGElement): KeyedChildren<Bar, BarShape> =>
      new KeyedChildren(layer, { key: at => at.key, create: () => new BarShape(texts) });
    const lengthUnwatched = svgElement('g');
    this.#unwatched = [unwatched, lengthUnwatched].map(layer => spansIn(layer, 'unwatched'));
    this.#gaps = spansIn(gaps, 'gap');
    this.#ticks = new KeyedChildren(ticks, {
      key: ({ at }) => String(at),
      create: () => tickShape(texts),
      recycle: true,
    });
    this.#ends = new KeyedChildren(ends, { key: ({ bar }) => bar.key, create: () => new EndShape(texts) });
    this.#bars = barsIn(bars);
    this.#waits = barsIn(waits);
    this.#chart.append(hatching(), ...layers, ...this.#headings, this.#instants[0]);
    this.#lengthChart.append(this.#lengthArea, this.#length, lengthUnwatched, this.#lengthTop, this.#instants[1]);
    this.#assemble();
    this.#listen();
    this.#unwatchWidth = watchWidth(this.#charts, width => {
      this.#width = width;
      this.#draw();
    });
  }

  /** `now` by the clock of the snapshots: the right end of the axis of a live lock. */
  update(history: History, time: TimeBar | undefined, now: number): void {
    this.#history = history;
    this.#time = time;
    this.#now = now;
    this.#tools.update(history, time);
    const isRecorded = history.shown !== undefined;
    setText(this.#note, isRecorded ? this.#shownText(history) : this.#seenText(history, now));
    // The first look at a queue is the first point of its length.
    const wasSeen = history.lengths.length > 0;
    setShown(this.#empty, history.holds.length === 0);
    setText(this.#empty, this.#emptyText(wasSeen));
    setShown(this.#charts, wasSeen);
    setText(this.#legend, this.#texts.page(isRecorded ? 'history.unknown' : 'history.unwatched'));
    setShown(this.#legend, wasSeen && history.unwatched.length > 0);
    setShown(this.#keys, time !== undefined && wasSeen);
    this.#causes.update(
      new Set([...history.holds, ...history.waits].flatMap(({ ended }): Ended[] => (ended ? [ended] : []))),
    );
    this.#figures.update(history.figures);
    this.#details.update(this.#chosen);
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

  #assemble(): void {
    const page = this.#texts.page.bind(this.#texts);
    setAttributes(this.#chart, { role: 'group', 'aria-label': page('history.barsLabel') });
    setAttributes(this.#lengthChart, { role: 'img' });
    setText(this.#headings[0], page('history.holds'));
    setText(this.#headings[1], page('history.waits'));
    setText(this.#keys, page('history.keys'));
    this.#keys.id = 'timeline-keys';
    const lengthTitle = element('h3', '', page('history.lengthLabel'));
    this.#charts.append(
      this.#chart,
      this.#hidden,
      this.#caption,
      this.#details.element,
      this.#causes.element,
      lengthTitle,
      this.#lengthChart,
    );
    this.element.append(
      this.#tools.element,
      this.#note,
      this.#empty,
      this.#charts,
      this.#legend,
      this.#keys,
      this.#figures.element,
    );
  }

  #seenText({ openedAt, events, dropped, isPaused }: History, now: number): string {
    const page = this.#texts.page.bind(this.#texts);
    return [
      page('history.since', this.#texts.time(openedAt, now)),
      dropped === 0 ? page('history.events', events) : page('history.eventsOfMore', events, dropped),
      ...(isPaused ? [page('history.paused')] : []),
    ].join(' · ');
  }

  #shownText({ shown, leftOut, waitsLeftOut }: History): string {
    const page = this.#texts.page.bind(this.#texts);
    return [
      ...(shown === undefined ? [] : [page('history.shown', ...endTexts(shown))]),
      ...(leftOut + waitsLeftOut > 0 ? [page('history.longest', leftOut, waitsLeftOut)] : []),
    ].join(' · ');
  }

  #emptyText(wasSeen: boolean): string {
    if (this.#history?.shown !== undefined) return this.#texts.page('history.noHold');
    return this.#texts.page(wasSeen ? 'history.empty' : 'history.unseen');
  }

  #draw(): void {
    if (this.#history === undefined || this.#charts.hidden) return;
    const layout = layOutTimeline(this.#history, this.#now, this.#width);
    const { bottom } = layout;
    setSize(this.#chart, layout.width, bottom + axis);
    setSize(this.#lengthChart, layout.width, curve);
    for (const [index, height] of [bottom, curve].entries()) {
      this.#unwatched[index]?.update(layout.unwatched.map(span => ({ ...span, height })));
      drawInstant(this.#instants[index], this.#time === undefined ? undefined : placeOf(this.#time.at, layout), height);
    }
    this.#drawNotes(layout);
    this.#gaps.update(layout.gaps.map(span => ({ ...span, height: layout.endsY })));
    this.#ticks.update(layout.ticks.map(tick => ({ ...tick, y: bottom })));
    this.#ends.update(layout.ends.map(end => ({ ...end, y: layout.endsY })));
    this.#focus.update(() => {
      this.#bars.update(layout.bars);
      this.#waits.update(layout.waits);
      return this.#shapes();
    });
    this.#markChosen();
    this.#drawLength(layout);
  }

  #drawNotes({ hidden, hiddenWaits, waitsHeading }: TimelineLayout): void {
    setShown(this.#hidden, hidden + hiddenWaits > 0);
    const page = this.#texts.page.bind(this.#texts);
    setText(
      this.#hidden,
      [
        ...(hidden > 0 ? [page('history.hidden', hidden)] : []),
        ...(hiddenWaits > 0 ? [page('history.waitsHidden', hiddenWaits)] : []),
      ].join(' · '),
    );
    const [holds, waits] = this.#headings;
    const isDivided = waitsHeading !== undefined;
    for (const heading of this.#headings) setAttributes(heading, { display: isDivided ? undefined : 'none' });
    setAttributes(holds, { y: timelineSizes.heading - 6 });
    setAttributes(waits, { y: (waitsHeading ?? 0) + timelineSizes.heading - 5 });
  }

  #drawLength({ curve: path, area, width, longest }: TimelineLayout): void {
    setAttributes(this.#length, { d: path });
    setAttributes(this.#lengthArea, { d: area });
    setAttributes(this.#lengthTop, { x: width - 4, y: 10, 'text-anchor': 'end' });
    setText(this.#lengthTop, this.#texts.count(longest));
    const name = `${this.#texts.page('history.lengthLabel')}: ${this.#texts.count(longest)}`;
    setAttributes(this.#lengthChart, { 'aria-label': name });
  }

  #shapes(): BarShape[] {
    return [...this.#bars.all(), ...this.#waits.all()];
  }

  #shapeAt(target: EventTarget | null): BarShape | EndShape | undefined {
    const group = target instanceof Element ? target.closest('.bar, .end-sign') : null;
    return [...this.#shapes(), ...this.#ends.all()].find(({ element: shape }) => shape === group);
  }

  /** Shows everything about one recorded hold or wait, and in a recording goes to the moment where it begins. */
  #choose(bar: Bar | undefined): void {
    this.#chosen = bar;
    this.#details.update(bar);
    this.#markChosen();
    const recorded = bar?.hold.recorded;
    if (recorded !== undefined && this.#time !== undefined)
      this.#actions.ask({ kind: 'moveTo', to: { zxid: recorded.zxid } });
  }

  #markChosen(): void {
    for (const shape of this.#shapes()) shape.choose(shape.key === this.#chosen?.key);
  }

  #listen(): void {
    const describe = (target: EventTarget | null): void => {
      const shape = this.#shapeAt(target);
      setText(this.#caption, shape instanceof BarShape ? shape.description : '');
    };
    const press = (target: EventTarget | null): void => {
      const bar = this.#shapeAt(target)?.bar;
      if (bar?.hold.recorded !== undefined) this.#choose(bar);
    };
    this.#chart.addEventListener('focusin', event => describe(event.target));
    this.#chart.addEventListener('focusout', () => describe(null));
    this.#chart.addEventListener('pointerover', event => describe(event.target));
    this.#chart.addEventListener('pointerleave', () => describe(document.activeElement));
    this.#chart.addEventListener('click', event => press(event.target));
    this.#chart.addEventListener('keydown', event => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const isEnter = event.key === 'Enter' || event.key === ' ';
      if (isEnter) press(event.target);
      if (isEnter || this.#tools.press(event.key)) event.preventDefault();
    });
  }
}

/** The moment of a recording as a line over a chart. */
function instantLine(): SVGGElement {
  const head = svgElement('path', '', { d: 'M-5 0h10l-5 7z' });
  return svgElement('g', 'instant', { 'aria-hidden': 'true' }, svgElement('line', '', { y1: 0 }), head);
}

function drawInstant(line: SVGGElement | undefined, x: number | undefined, height: number): void {
  if (line === undefined) return;
  setAttributes(line, {
    display: x === undefined ? 'none' : undefined,
    transform: `translate(${(x ?? 0).toFixed(1)} 0)`,
  });
  setAttributes(line.firstElementChild ?? line, { y2: height });
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
