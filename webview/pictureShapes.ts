import type { DeadlockLevel, PictureContender } from '../src/protocol.ts';
import { describeContender, type PageTexts } from './pageTexts.ts';
import { element, setAttributes, setClasses, setText, svgElement } from './dom.ts';
import { markClasses, MarkList } from './marks.ts';
import type { KeyedChild } from './keyedChildren.ts';
import type { Box, Edge, Frame, PlacedContender } from './pictureLayout.ts';

export class EdgeShape implements KeyedChild<Edge> {
  readonly element = svgElement('path', 'edge');

  #shown: Edge | undefined;

  update(edge: Edge): void {
    const { path, deadlock, isCut } = edge;
    const before = this.#shown;
    this.#shown = edge;
    if (before?.path !== path) this.element.setAttribute('d', path);
    if (before?.deadlock === deadlock && before?.isCut === isCut) return;
    setAttributes(this.element, { 'marker-end': `url(#${deadlock === undefined ? 'arrow' : `arrow-${deadlock}`})` });
    setClasses(this.element, { ...deadlockClasses(deadlock), 'is-cut': isCut });
  }
}

/** Of a node, an arrow or a cycle. */
export function deadlockClasses(level: DeadlockLevel | undefined): Record<string, boolean> {
  return { 'is-possible': level === 'possible', 'is-lasting': level === 'lasting' };
}

export function frameShape(texts: PageTexts): KeyedChild<Frame> {
  const rect = svgElement('rect', 'frame');
  const label = svgElement('text', 'frame-label');
  return {
    element: svgElement('g', '', {}, rect, label),
    update: ({ box, readers }) => {
      placeBox(rect, box, 6);
      setAttributes(label, { x: box.x + 2, y: box.y - 5 });
      setText(label, readers === 0 ? '' : texts.page('queue.readersGroup', readers));
    },
  };
}

export function freeSlotShape(texts: PageTexts): KeyedChild<Box> {
  const rect = svgElement('rect', 'free-slot');
  const label = svgElement('text', 'free-slot-label');
  label.textContent = texts.page('queue.freeSlot');
  return {
    element: svgElement('g', '', {}, rect, label),
    update: box => {
      placeBox(rect, box, 4);
      setAttributes(label, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
    },
  };
}

export function placeBox(rect: SVGRectElement, { x, y, width, height }: Box, rx: number): void {
  setAttributes(rect, { x, y, width, height, rx });
}

/** The arrow heads; paths name them by id, and take the colour of their class. */
export function arrowHeads(): SVGDefsElement {
  const size = { viewBox: '0 0 8 8', refX: 7.5, refY: 4, markerWidth: 8, markerHeight: 8 };
  const heads = ['arrow', 'arrow-possible', 'arrow-lasting'].map(id => {
    const tip = svgElement('path', '', { d: 'M0 0.5L8 4L0 7.5Z' });
    return svgElement('marker', id, { id, ...size, markerUnits: 'userSpaceOnUse', orient: 'auto' }, tip);
  });
  return svgElement('defs', '', {}, ...heads);
}

/**
 * A contender in the picture: a frame, its place and identity on the first line, kind and marks on the second. The lines are
 * HTML inside the SVG, for the ellipsis that SVG text does not have; the whole is in the accessible name and the tooltip.
 */
export class PictureNode implements KeyedChild<PlacedContender> {
  readonly element = svgElement('g', 'node', { role: 'button', 'aria-haspopup': 'menu', tabindex: -1 });
  readonly #texts: PageTexts;
  readonly #frame = svgElement('rect', 'node-frame', { rx: 4 });
  readonly #stripe = svgElement('rect', 'node-stripe', { x: 4, y: 5, width: 3, rx: 1.5 });
  readonly #room = svgElement('foreignObject', '', { x: 12, y: 0 });
  readonly #title = svgElement('title');
  readonly #position = element('div', 'node-position');
  readonly #who = element('div', 'node-who');
  readonly #kind = element('span');
  readonly #marks: MarkList;
  #description = '';
  #shown: PlacedContender | undefined;

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.#marks = new MarkList(texts);
    // Blanks keep the words apart where the text is read without its layout.
    const first = element('div', 'node-first', this.#position, ' ', this.#who);
    this.#room.append(
      element('div', 'node-lines', first, ' ', element('div', 'node-kind', this.#marks.element, ' ', this.#kind)),
    );
    this.element.addEventListener('pointerenter', () => setText(this.#title, this.#description));
    this.element.append(this.#title, this.#frame, this.#stripe, this.#room);
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
    setAttributes(this.#stripe, { height: height - 10 });
    setAttributes(this.#room, { width: width - 16, height });
  }

  #write(contender: PictureContender, before: PictureContender | undefined): void {
    const description = describeContender(contender, this.#texts);
    this.element.setAttribute('aria-label', description);
    // The tooltip is written when it is wanted: a hand-over would write those of all nodes.
    this.#description = description;
    if (this.#title.hasChildNodes()) this.#title.textContent = description;
    this.#position.textContent = this.#texts.count(contender.position);
    if (before !== undefined && areEqual({ ...before, ...unwritten }, { ...contender, ...unwritten })) return;
    setText(this.#who, contender.who);
    this.#marks.update(contender.marks);
    setText(this.#kind, this.#texts.kind(contender.kind));
    setClasses(this.element, {
      'is-holder': contender.isHolder,
      'is-reader': contender.kind === 'read',
      ...markClasses(contender.marks),
    });
  }
}

/** What a hand-over changes of a node that waits on; only the description says it, and the position. */
const unwritten = { position: 0, waitsFor: '', ahead: '' };
const facts = ['position', 'kind', 'isHolder', 'who', 'waitsFor', 'ahead'] as const;

function areEqual(a: PictureContender, b: PictureContender): boolean {
  return facts.every(fact => a[fact] === b[fact]) && a.marks.join() === b.marks.join();
}
