import type { PictureContender } from '../src/protocol.ts';
import { describeContender, marksOf } from './contenderText.ts';
import { element, setAttributes, setClasses, setText, svgElement } from './dom.ts';
import type { KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import type { PlacedContender } from './pictureLayout.ts';

/**
 * A contender in the picture: a frame, its place and identity on the first line, kind and marks on the second. The lines are
 * HTML inside the SVG, for the ellipsis that SVG text does not have; the whole is in the accessible name and the tooltip.
 */
export class PictureNode implements KeyedChild<PlacedContender> {
  readonly element = svgElement('g', 'node');
  readonly #texts: PageTexts;
  readonly #frame = svgElement('rect', 'node-frame');
  readonly #stripe = svgElement('rect', 'node-stripe');
  readonly #room = svgElement('foreignObject');
  readonly #title = svgElement('title');
  readonly #position = element('span', 'node-position');
  readonly #who = element('span', 'node-who');
  readonly #kind = element('div', 'node-kind');
  #shown: PlacedContender | undefined;

  constructor(texts: PageTexts) {
    this.#texts = texts;
    const lines = element('div', 'node-lines');
    const first = element('div', 'node-first');
    first.append(this.#position, this.#who);
    lines.append(first, this.#kind);
    this.#room.append(lines);
    this.element.append(this.#title, this.#frame, this.#stripe, this.#room);
    setAttributes(this.element, { role: 'button', 'aria-haspopup': 'menu' });
    setAttributes(this.#frame, { rx: 4 });
    setAttributes(this.#stripe, { rx: 1.5 });
  }

  /** Absent before the first update. */
  get contender(): PictureContender | undefined {
    return this.#shown?.contender;
  }

  update(placed: PlacedContender): void {
    const { contender, box } = placed;
    const { width, height } = box;
    this.#shown = placed;
    setAttributes(this.element, { transform: `translate(${box.x} ${box.y})` });
    setAttributes(this.#frame, { width, height });
    setAttributes(this.#stripe, { x: 4, y: 5, width: 3, height: height - 10 });
    setAttributes(this.#room, { x: 12, y: 0, width: width - 16, height });
    const description = describeContender(contender, this.#texts);
    setAttributes(this.element, { 'aria-label': description });
    setText(this.#title, description);
    setText(this.#position, this.#texts.count(contender.position));
    setText(this.#who, contender.who);
    setText(this.#kind, [...marksOf(contender, this.#texts), this.#texts.kind(contender.kind)].join(' · '));
    setClasses(this.element, {
      'is-holder': contender.isHolder,
      'is-reader': contender.kind === 'read',
      'is-deadlocked': contender.isDeadlocked,
      'is-stale': contender.isStale,
      'is-own': contender.isOwn,
    });
  }
}
