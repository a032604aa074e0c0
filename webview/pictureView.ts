import { pictureLimit, picturePageSize, type PanelSnapshot, type PanelView, type Picture } from '../src/protocol.ts';
import { opensMenu, type MenuOwner } from './actionMenu.ts';
import { createButton } from './components.ts';
import { describeContender, type PageTexts } from './pageTexts.ts';
import { element, setAttributes, setShown, setText, svgElement, watchWidth } from './dom.ts';
import { type KeyedChild, KeyedChildren } from './keyedChildren.ts';
import { layOut, type Box, type Edge, type Frame, type PictureLayout, type PlacedContender } from './pictureLayout.ts';
import { arrowHeads, EdgeShape, frameShape, freeSlotShape, PictureNode, placeBox } from './pictureShapes.ts';
import { RovingFocus } from './focus.ts';

export interface PictureActions {
  show(change: Partial<PanelView>): void;
  openMenu(owner: MenuOwner, anchor: Element): void;
}

/** The borders of the scroller, and the bar with which it scrolls, in CSS pixels. */
const scrollerFrame = 2 + 14;

/** The queue as a picture: who holds, who waits, and for whom. */
export class PictureView {
  readonly element = element('section', 'picture');
  /** Scrolls when the picture is higher than its share of the page. */
  readonly scroller = element('div', 'picture-scroller');
  readonly #texts: PageTexts;
  readonly #actions: PictureActions;
  readonly #drawing = svgElement('svg');
  readonly #holders = svgElement('rect', 'frame');
  readonly #holdersTitle = svgElement('text', 'area-title');
  readonly #waitersTitle = svgElement('text', 'area-title');
  readonly #caption = element('p', 'caption');
  readonly #fold = element('div', 'fold');
  readonly #unfold: HTMLElement;
  readonly #foldAgain: HTMLElement;
  readonly #tooMany: HTMLElement;
  readonly #readers: KeyedChildren<Frame, KeyedChild<Frame>>;
  readonly #slots: KeyedChildren<Box, KeyedChild<Box>>;
  readonly #edges: KeyedChildren<Edge, EdgeShape>;
  readonly #nodes: KeyedChildren<PlacedContender, PictureNode>;
  readonly #focus = new RovingFocus(this.#drawing);
  readonly #unwatchWidth: () => void;
  #snapshot: PanelSnapshot | undefined;
  #view: PanelView | undefined;
  #width = 0;

  constructor(texts: PageTexts, actions: PictureActions) {
    this.#texts = texts;
    this.#actions = actions;
    const layers = ['readers', 'slots', 'edges', 'nodes'].map(() => svgElement('g'));
    const [readers, slots, edges, nodes] = layers as [SVGGElement, SVGGElement, SVGGElement, SVGGElement];
    this.#readers = new KeyedChildren(readers, { key: frame => frame.key, create: () => frameShape(texts) });
    this.#slots = new KeyedChildren(slots, { key: box => `${box.x} ${box.y}`, create: () => freeSlotShape(texts) });
    this.#edges = new KeyedChildren(edges, { key: edge => edge.key, create: () => new EdgeShape(), recycle: true });
    this.#nodes = new KeyedChildren(nodes, {
      key: at => at.contender.name,
      create: () => new PictureNode(texts),
      recycle: true,
    });
    this.#drawing.append(arrowHeads(), this.#holders, this.#holdersTitle, this.#waitersTitle, ...layers);
    setAttributes(this.#drawing, { role: 'group', 'aria-label': texts.page('queue.pictureLabel') });
    this.scroller.append(this.#drawing);
    this.#unfold = createButton('', () => this.#fetch(picturePageSize));
    this.#unfold.title = texts.page('queue.unfold');
    this.#foldAgain = createButton(texts.page('queue.foldAgain'), () => this.#fetch(-pictureLimit));
    this.#tooMany = element('span', 'note', texts.page('queue.tooMany'));
    this.#fold.append(this.#unfold, this.#tooMany, this.#foldAgain);
    this.element.append(this.scroller, this.#fold, this.#caption);
    this.#listen();
    // The scroller is as wide as its drawing.
    this.#unwatchWidth = watchWidth(this.element, width => {
      this.#width = width - scrollerFrame;
      this.#draw();
    });
  }

  update(snapshot: PanelSnapshot, view: PanelView): void {
    const isSame = this.#snapshot?.picture === snapshot.picture;
    this.#snapshot = snapshot;
    this.#view = view;
    if (!isSame) this.#draw();
    this.#updateFold(snapshot.picture);
  }

  dispose(): void {
    this.#unwatchWidth();
  }

  #draw(): void {
    if (this.#snapshot === undefined) return;
    const layout = layOut(this.#snapshot.picture, this.#width);
    const { width, height } = layout;
    setAttributes(this.#drawing, { width, height, viewBox: `0 0 ${width} ${height}` });
    this.#drawTitles(layout, this.#snapshot);
    this.#readers.update(layout.readers);
    this.#slots.update(layout.freeSlots);
    this.#edges.update(layout.edges);
    this.#focus.update(() => {
      this.#nodes.update(layout.nodes);
      return this.#nodes.all().map(node => ({ key: node.shown?.name ?? '', element: node.element }));
    });
    this.#describe(this.#nodeAt(document.activeElement));
  }

  #drawTitles({ titles, holders }: PictureLayout, { picture, totals }: PanelSnapshot): void {
    const title =
      picture.slots === undefined
        ? this.#texts.page('queue.holders')
        : this.#texts.page('queue.slots', totals.holders, picture.slots);
    setText(this.#holdersTitle, holders === undefined ? '' : title);
    setText(this.#waitersTitle, titles.waiters === undefined ? '' : this.#texts.page('queue.waiters'));
    setAttributes(this.#holdersTitle, titles.holders);
    setAttributes(this.#waitersTitle, titles.waiters ?? {});
    placeBox(this.#holders, holders ?? { x: 0, y: 0, width: 0, height: 0 }, 6);
  }

  #updateFold({ contenders, folded, canUnfold }: Picture): void {
    setText(this.#unfold, this.#texts.page('queue.folded', folded));
    setShown(this.#unfold, folded > 0 && canUnfold);
    setShown(this.#tooMany, folded > 0 && !canUnfold);
    setShown(this.#foldAgain, (this.#view?.pictureCount ?? 0) > picturePageSize && contenders.length > picturePageSize);
    setShown(this.#fold, !this.#unfold.hidden || !this.#tooMany.hidden || !this.#foldAgain.hidden);
  }

  #fetch(more: number): void {
    const count = (this.#view?.pictureCount ?? picturePageSize) + more;
    this.#actions.show({ pictureCount: Math.max(picturePageSize, Math.min(pictureLimit, count)) });
  }

  #listen(): void {
    const open = (event: Event): void => {
      event.preventDefault();
      const node = this.#nodeAt(event.target);
      if (node !== undefined) this.#actions.openMenu(node, node.element);
    };
    this.#drawing.addEventListener('click', open);
    this.#drawing.addEventListener('contextmenu', open);
    this.#drawing.addEventListener('keydown', event => {
      if (opensMenu(event)) open(event);
    });
    this.#drawing.addEventListener('focusin', () => this.#describe(this.#nodeAt(document.activeElement)));
    this.#drawing.addEventListener('focusout', () => this.#describe(undefined));
    this.#drawing.addEventListener('pointerover', event =>
      this.#describe(this.#nodeAt(event.target) ?? this.#nodeAt(document.activeElement)),
    );
  }

  #nodeAt(target: EventTarget | null): PictureNode | undefined {
    const found = target instanceof Element ? target.closest('.node') : null;
    return found === null ? undefined : this.#nodes.all().find(node => node.element === found);
  }

  /** Nodes are too small for long names; the line below the picture has room for the one looked at. */
  #describe(node: PictureNode | undefined): void {
    setText(this.#caption, node?.shown === undefined ? '' : describeContender(node.shown, this.#texts));
  }
}
