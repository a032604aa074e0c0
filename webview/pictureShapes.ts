import { setAttributes, setClasses, setText, svgElement } from './dom.ts';
import type { KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import type { Box, Edge, Frame } from './pictureLayout.ts';

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
