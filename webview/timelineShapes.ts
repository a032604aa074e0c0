import { element, setAttributes, setClasses, setText, svgElement } from './dom.ts';
import type { KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import { timelineSizes, type Bar, type Span, type TickPlace } from './timelineLayout.ts';

/** A bar without room for a few letters stays empty; the line below the chart names the holder. */
const leastLabel = 56;

/** Who held from when to when, in words. */
function describe({ hold: { kind, who, from, until, isFromBefore }, lastSeen, now }: Bar, texts: PageTexts): string {
  const begun = [`${texts.kind(kind)} · ${who}`, texts.time(from, now)] as const;
  if (until !== undefined) {
    const text = isFromBefore ? 'history.barBefore' : 'history.bar';
    return texts.page(text, ...begun, texts.time(until, now), texts.span(until - from));
  }
  if (lastSeen !== undefined) {
    const text = isFromBefore ? 'history.barLastSeenBefore' : 'history.barLastSeen';
    return texts.page(text, ...begun, texts.time(lastSeen, now));
  }
  return texts.page(isFromBefore ? 'history.barOpenBefore' : 'history.barOpen', ...begun);
}

export class BarShape implements KeyedChild<Bar> {
  readonly element = svgElement('g', 'bar', { role: 'img', tabindex: -1 });
  description = '';
  key = '';
  readonly #texts: PageTexts;
  readonly #rect = svgElement('rect', '', { rx: 2, height: timelineSizes.bar });
  readonly #room = svgElement('foreignObject');
  readonly #label = element('div', 'bar-label');
  readonly #title = svgElement('title');

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.#room.append(this.#label);
    this.element.append(this.#title, this.#rect, this.#room);
  }

  update(bar: Bar): void {
    const { key, hold, lane, x, width } = bar;
    this.key = key;
    this.description = describe(bar, this.#texts);
    const top = timelineSizes.top + lane * (timelineSizes.bar + timelineSizes.laneGap);
    setAttributes(this.element, { transform: `translate(${x.toFixed(1)} ${top})`, 'aria-label': this.description });
    setAttributes(this.#rect, { width: width.toFixed(1) });
    setAttributes(this.#room, { width: Math.max(0, width - 10).toFixed(1), height: timelineSizes.bar, x: 6 });
    setText(this.#title, this.description);
    setText(this.#label, width < leastLabel ? '' : hold.who);
    setClasses(this.element, {
      'is-reader': hold.kind === 'read',
      'is-from-before': hold.isFromBefore,
    });
  }
}

/** A span over all lanes: without a holder, or not watched. */
export function spanShape(className: string): KeyedChild<Span & { height: number }> {
  const rect = svgElement('rect', className, { y: 0 });
  return {
    element: rect,
    update: ({ x, width, height }) => setAttributes(rect, { x: x.toFixed(1), width: width.toFixed(1), height }),
  };
}

/** A moment of the axis. `y`: where the lanes end and the axis begins. */
export function tickShape(texts: PageTexts): KeyedChild<TickPlace & { y: number }> {
  const line = svgElement('line', '', { y1: 0 });
  const label = svgElement('text', '', { x: 3 });
  const group = svgElement('g', 'tick', {}, line, label);
  return {
    element: group,
    update: ({ at, x, y, isMidnight }) => {
      setAttributes(group, { transform: `translate(${x.toFixed(1)} 0)` });
      setAttributes(line, { y2: y + 4 });
      setAttributes(label, { y: y + 15 });
      setText(label, isMidnight ? texts.date(at) : texts.time(at, at));
    },
  };
}

/** The hatching of spans that were not watched; the pattern's lines take their colour from the style sheet. */
export function hatching(): SVGDefsElement {
  const size = { id: 'unwatched', width: 6, height: 6 };
  const turned = { patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  const line = svgElement('line', 'hatch', { x1: 0, y1: 0, x2: 0, y2: 6 });
  return svgElement('defs', '', {}, svgElement('pattern', '', { ...size, ...turned }, line));
}
