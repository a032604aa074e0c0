import { element, setAttributes, setClasses, setText, svgElement } from './dom.ts';
import type { KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import { timelineSizes, type Bar, type Span, type TickPlace } from './timelineLayout.ts';

/** A bar without room for a few letters stays empty; the line below the chart names the holder. */
const leastLabel = 56;

/** Who held from when to when, in words. */
function describe({ hold: { kind, who, from, until, isFromBefore }, lastSeen, now }: Bar, texts: PageTexts): string {
  const begun = [`${texts.kind(kind)} · ${who}`, texts.time(from, now)] as const;
  const sentence =
    until !== undefined
      ? texts.page('history.bar', ...begun, texts.time(until, now), texts.span(until - from))
      : lastSeen !== undefined
        ? texts.page('history.barLastSeen', ...begun, texts.time(lastSeen, now))
        : texts.page('history.barOpen', ...begun);
  return isFromBefore ? `${sentence} · ${texts.page('history.fromBefore')}` : sentence;
}

export class BarShape implements KeyedChild<Bar> {
  readonly element = svgElement('g', 'bar');
  readonly #texts: PageTexts;
  readonly #rect = svgElement('rect');
  readonly #room = svgElement('foreignObject');
  readonly #label = element('div', 'bar-label');
  readonly #title = svgElement('title');
  #description = '';
  #key = '';

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.#room.append(this.#label);
    this.element.append(this.#title, this.#rect, this.#room);
    setAttributes(this.element, { role: 'img', tabindex: -1 });
    setAttributes(this.#rect, { rx: 2, height: timelineSizes.bar });
  }

  get description(): string {
    return this.#description;
  }

  get key(): string {
    return this.#key;
  }

  update(bar: Bar): void {
    const { key, hold, lane, x, width } = bar;
    this.#key = key;
    this.#description = describe(bar, this.#texts);
    const top = timelineSizes.top + lane * (timelineSizes.bar + timelineSizes.laneGap);
    setAttributes(this.element, { transform: `translate(${x.toFixed(1)} ${top})`, 'aria-label': this.#description });
    setAttributes(this.#rect, { width: width.toFixed(1) });
    setAttributes(this.#room, { width: Math.max(0, width - 10).toFixed(1), height: timelineSizes.bar, x: 6 });
    setText(this.#title, this.#description);
    setText(this.#label, width < leastLabel ? '' : hold.who);
    setClasses(this.element, {
      'is-reader': hold.kind === 'read',
      'is-from-before': hold.isFromBefore,
    });
  }
}

/** A span over all lanes: without a holder, or not watched. */
export class SpanShape implements KeyedChild<Span & { height: number }> {
  readonly element: SVGRectElement;

  constructor(className: string) {
    this.element = svgElement('rect', className);
  }

  update({ x, width, height }: Span & { height: number }): void {
    setAttributes(this.element, { x: x.toFixed(1), y: 0, width: width.toFixed(1), height });
  }
}

export interface Tick extends TickPlace {
  /** Where the lanes end and the axis begins. */
  y: number;
}

export class TickShape implements KeyedChild<Tick> {
  readonly element = svgElement('g', 'tick');
  readonly #line = svgElement('line');
  readonly #label = svgElement('text');
  readonly #texts: PageTexts;

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.element.append(this.#line, this.#label);
  }

  update({ at, x, y, isMidnight }: Tick): void {
    setAttributes(this.element, { transform: `translate(${x.toFixed(1)} 0)` });
    setAttributes(this.#line, { y1: 0, y2: y + 4 });
    setAttributes(this.#label, { y: y + 15, x: 3 });
    setText(this.#label, isMidnight ? this.#texts.date(at) : this.#texts.time(at, at));
  }
}

/** The hatching of spans that were not watched; the pattern's lines take their colour from the style sheet. */
export function hatching(): SVGDefsElement {
  const definitions = svgElement('defs');
  const pattern = svgElement('pattern');
  setAttributes(pattern, {
    id: 'unwatched',
    width: 6,
    height: 6,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  });
  const line = svgElement('line', 'hatch');
  setAttributes(line, { x1: 0, y1: 0, x2: 0, y2: 6 });
  pattern.append(line);
  definitions.append(pattern);
  return definitions;
}
