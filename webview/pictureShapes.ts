import type { PictureContender } from '../src/protocol.ts';
import { describeContender, markedKind, type PageTexts } from './pageTexts.ts';
import { element, setAttributes, setClasses, setText, svgElement } from './dom.ts';
import type { KeyedChild } from './keyedChildren.ts';
import type { Box, Edge, Frame, PlacedContender } from './pictureLayout.ts';

export class EdgeShape implements KeyedChild<Edge> {
  readonly element = svgElement('path', 'edge');

  #shown: Edge | undefined;

  update(edge: Edge): void {
    const { path, isDeadlocked, isCut } = edge;
    const before = this.#shown;
    this.#shown = edge;
    if (before?.path !== path) this.element.setAttribute('d', path);
    if (before?.isDeadlocked === isDeadlocked && before.isCut === isCut) return;
    setAttributes(this.element, { 'marker-end': `url(#${isDeadlocked ? 'arrow-deadlocked' : 'arrow'})` });
    setClasses(this.element, { 'is-deadlocked': isDeadlocked, 'is-cut': isCut });
  }
}

export class FrameShape implements KeyedChild<Frame> {
  readonly element = svgElement('g');
  readonly #rect = svgElement('rect', 'frame');
  readonly #label = svgElement('text', 'frame-label');
  readonly #texts: PageTexts;

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.element.append(this.#rect, this.#label);
  }

  update({ box, readers }: Frame): void {
    placeBox(this.#rect, box, 6);
    setAttributes(this.#label, { x: box.x + 2, y: box.y - 5 });
    setText(this.#label, readers === 0 ? '' : this.#texts.page('queue.readersGroup', readers));
  }
}

export class FreeSlotShape implements KeyedChild<Box> {
  readonly element = svgElement('g');
  readonly #rect = svgElement('rect', 'free-slot');
  readonly #label = svgElement('text', 'free-slot-label');

  constructor(texts: PageTexts) {
    this.element.append(this.#rect, this.#label);
    this.#label.textContent = texts.page('queue.freeSlot');
  }

  update(box: Box): void {
    placeBox(this.#rect, box, 4);
    setAttributes(this.#label, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }
}

export function placeBox(rect: SVGRectElement, { x, y, width, height }: Box, rx: number): void {
  setAttributes(rect, { x, y, width, height, rx });
}

/** The arrow heads; paths name them by id, and take the colour of their class. */
export function arrowHeads(): SVGDefsElement {
  const heads = svgElement('defs');
  for (const id of ['arrow', 'arrow-deadlocked']) {
    const marker = svgElement('marker', id);
    setAttributes(marker, {
      id,
      viewBox: '0 0 8 8',
      refX: 7.5,
      refY: 4,
      markerWidth: 8,
      markerHeight: 8,
      markerUnits: 'userSpaceOnUse',
      orient: 'auto',
    });
    const tip = svgElement('path');
    tip.setAttribute('d', 'M0 0.5L8 4L0 7.5Z');
    marker.append(tip);
    heads.append(marker);
  }
  return heads;
}

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
  readonly #position = element('div', 'node-position');
  readonly #who = element('div', 'node-who');
  readonly #kind = element('div', 'node-kind');
  #description = '';
  #shown: PlacedContender | undefined;

  constructor(texts: PageTexts) {
    this.#texts = texts;
    // Blanks keep the words apart where the text is read without its layout.
    const first = element('div', 'node-first', this.#position, ' ', this.#who);
    this.#room.append(element('div', 'node-lines', first, ' ', this.#kind));
    this.element.addEventListener('pointerenter', () => setText(this.#title, this.#description));
    this.element.append(this.#title, this.#frame, this.#stripe, this.#room);
    setAttributes(this.element, { role: 'button', 'aria-haspopup': 'menu', tabindex: -1 });
    setAttributes(this.#frame, { rx: 4 });
    setAttributes(this.#stripe, { rx: 1.5 });
  }

  /** Absent before the first update. */
  get shown(): PictureContender | undefined {
    return this.#shown?.contender;
  }

  /** A hand-over moves every node of the picture, so unchanged parts are found without reading the document. */
  update(placed: PlacedContender): void {
    const { contender, box } = placed;
    const before = this.#shown;
    this.#shown = placed;
    if (before?.box.x !== box.x || before.box.y !== box.y) {
      this.element.setAttribute('transform', `translate(${box.x} ${box.y})`);
    }
    if (before?.box.width !== box.width || before.box.height !== box.height) this.#resize(box);
    if (before === undefined || !areEqual(before.contender, contender)) this.#write(contender, before?.contender);
  }

  #resize({ width, height }: Box): void {
    setAttributes(this.#frame, { width, height });
    setAttributes(this.#stripe, { x: 4, y: 5, width: 3, height: height - 10 });
    setAttributes(this.#room, { x: 12, y: 0, width: width - 16, height });
  }

  #write(contender: PictureContender, before: PictureContender | undefined): void {
    const description = describeContender(contender, this.#texts);
    this.element.setAttribute('aria-label', description);
    // The tooltip is written when it is wanted: a hand-over would write those of all nodes.
    this.#description = description;
    if (this.#title.hasChildNodes()) this.#title.textContent = description;
    this.#position.textContent = this.#texts.count(contender.position);
    if (
      before !== undefined &&
      areEqual({ ...before, position: 0, waitsFor: '' }, { ...contender, position: 0, waitsFor: '' })
    )
      return;
    setText(this.#who, contender.who);
    setText(this.#kind, markedKind(contender, this.#texts));
    setClasses(this.element, {
      'is-holder': contender.isHolder,
      'is-reader': contender.kind === 'read',
      'is-deadlocked': contender.isDeadlocked,
      'is-stale': contender.isStale,
      'is-own': contender.isOwn,
    });
  }
}

const facts = ['position', 'kind', 'isHolder', 'who', 'waitsFor', 'isDeadlocked', 'isStale', 'isOwn'] as const;

function areEqual(a: PictureContender, b: PictureContender): boolean {
  return facts.every(fact => a[fact] === b[fact]);
}
