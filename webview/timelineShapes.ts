import { element, setAttributes, setClasses, setText, svgElement } from './dom.ts';
import { exactTime } from './instantText.ts';
import type { KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import type { PageText } from '../src/panelTexts.ts';
import { causeClasses, causeIcon, causeText } from './causes.ts';
import type { Bar, EndSign, Span, TickPlace } from './timelineLayout.ts';

/** A bar without room for a few letters stays empty; the line below the chart names the holder. */
const leastLabel = 48;

/** Who held or waited from when to when, and why that ended, in words. */
export function describeStay(bar: Bar, texts: PageTexts): string {
  const { ended, endedBy } = bar.hold;
  const text = spanText(bar, texts);
  return ended === undefined ? text : texts.page('cause.sentence', text, causeText({ ended, endedBy }, texts));
}

function spanText({ hold, isWait, lastSeen, now }: Bar, texts: PageTexts): string {
  const { kind, who, from, until, isFromBefore, isEndUnseen } = hold;
  const begun = [`${texts.kind(kind)} · ${who}`, texts.time(from, now)] as const;
  const text = (part: string): PageText =>
    `${isWait ? 'wait' : 'history'}.${part}${isFromBefore ? 'Before' : ''}` as PageText;
  const last = isEndUnseen === true ? until : lastSeen;
  if (until !== undefined && isEndUnseen !== true) {
    return texts.page(text('bar'), ...begun, texts.time(until, now), texts.span(until - from));
  }
  if (last !== undefined) return texts.page(text('barLastSeen'), ...begun, texts.time(last, now));
  return texts.page(text('barOpen'), ...begun);
}

/** Makes the element of a bar; `isRecorded`: it can be pressed. */
export class BarShape implements KeyedChild<Bar> {
  readonly element = svgElement('g', 'bar', { role: 'img', tabindex: -1 });
  description = '';
  key = '';
  bar: Bar | undefined;
  readonly #texts: PageTexts;
  readonly #rect = svgElement('rect', '', { rx: 2 });
  readonly #room = svgElement('foreignObject');
  readonly #label = element('div', 'bar-label');
  readonly #title = svgElement('title');
  readonly #sign = svgElement('g', 'bar-sign');
  #signed: Bar['hold']['ended'];

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.#room.append(this.#label);
    this.element.append(this.#title, this.#rect, this.#room, this.#sign);
  }

  update(bar: Bar): void {
    const { key, hold, isWait, x, y, width, height, isSigned } = bar;
    this.key = key;
    this.bar = bar;
    this.description = describeStay(bar, this.#texts);
    const isRecorded = hold.recorded !== undefined;
    setAttributes(this.element, {
      transform: `translate(${x.toFixed(1)} ${y})`,
      role: isRecorded ? 'button' : 'img',
      'aria-label': this.description,
    });
    setAttributes(this.#rect, { width: width.toFixed(1), height });
    const signRoom = isSigned ? 18 : 0;
    setAttributes(this.#room, { width: Math.max(0, width - 10 - signRoom).toFixed(1), height, x: 6 });
    // The name of a button begins with what can be seen in it (WCAG 2.5.3), which a title would count as. The caption says the same.
    setText(this.#title, isRecorded ? '' : this.description);
    setText(this.#label, width - signRoom < leastLabel ? '' : hold.who);
    this.#drawSign(isSigned ? hold.ended : undefined);
    setAttributes(this.#sign, { transform: `translate(${(width - 17).toFixed(1)} ${(height - 12) / 2})` });
    setClasses(this.element, {
      'is-reader': hold.kind === 'read',
      'is-from-before': hold.isFromBefore,
      'is-wait': isWait,
      'is-pressable': isRecorded,
      ...causeClasses(hold.ended),
    });
  }

  /** Marks the one whose details are shown. */
  choose(isChosen: boolean): void {
    setClasses(this.element, { 'is-chosen': isChosen });
    setAttributes(this.element, {
      'aria-pressed': this.bar?.hold.recorded === undefined ? undefined : String(isChosen),
    });
  }

  #drawSign(ended: Bar['hold']['ended']): void {
    if (ended === this.#signed) return;
    this.#signed = ended;
    this.#sign.replaceChildren(...(ended === undefined ? [] : [causeIcon(ended)]));
  }
}

/** The sign of an end that has no room in its bar. */
export class EndShape implements KeyedChild<EndSign & { y: number }> {
  readonly element = svgElement('g', 'end-sign', { 'aria-hidden': 'true' });
  bar: Bar | undefined;
  readonly #texts: PageTexts;
  readonly #title = svgElement('title');
  readonly #sign = svgElement('g');

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.element.append(this.#title, svgElement('rect', 'end-ground', { width: 12, height: 12 }), this.#sign);
  }

  update({ bar, x, y }: EndSign & { y: number }): void {
    const { ended } = bar.hold;
    this.bar = bar;
    setAttributes(this.element, { transform: `translate(${(x - 6).toFixed(1)} ${y})` });
    setText(this.#title, describeStay(bar, this.#texts));
    setClasses(this.element, causeClasses(ended));
    this.#sign.replaceChildren(...(ended === undefined ? [] : [causeIcon(ended)]));
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
      setText(label, isMidnight ? texts.date(at) : tickText(at, texts));
    },
  };
}

/** To the second, and finer between seconds. */
function tickText(at: number, texts: PageTexts): string {
  return at % 1_000 === 0 ? texts.time(at, at) : exactTime(at).slice('yyyy-mm-dd '.length);
}

/** The hatching of spans that were not watched; the pattern's lines take their colour from the style sheet. */
export function hatching(): SVGDefsElement {
  const size = { id: 'unwatched', width: 6, height: 6 };
  const turned = { patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  const line = svgElement('line', 'hatch', { x1: 0, y1: 0, x2: 0, y2: 6 });
  return svgElement('defs', '', {}, svgElement('pattern', '', { ...size, ...turned }, line));
}
