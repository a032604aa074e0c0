import type { GraphNode, SessionState, SessionTexts } from '../../src/sessionProtocol.ts';
import { element, setAttributes, setClasses, setShown, setText, svgElement, watchWidth } from '../dom.ts';
import { RovingFocus } from '../focus.ts';
import { KeyedChildren, type KeyedChild } from '../keyedChildren.ts';
import { isNarrow, layOutGraph, type PlacedEdge, type PlacedNode } from './graphLayout.ts';

/** The borders of the scroller, and the bar with which it scrolls, in CSS pixels. */
const scrollerFrame = 2 + 14;

type Graph = SessionState['graph'];

/** Who waits for whom, as a picture: sessions and locks in layers. */
export class GraphView {
  readonly element = element('div', 'graph');
  readonly #drawing = svgElement('svg');
  readonly #scroller = element('div', 'picture-scroller');
  readonly #caption = element('p', 'caption');
  readonly #hint: HTMLElement;
  readonly #note = element('p', 'note');
  readonly #edges: KeyedChildren<PlacedEdge, KeyedChild<PlacedEdge>>;
  readonly #nodes: KeyedChildren<PlacedNode, NodeShape>;
  readonly #focus = new RovingFocus(this.#drawing);
  readonly #unwatchWidth: () => void;
  #graph: Graph = { nodes: [], edges: [], note: '' };
  #width = 0;
  /** What the layout was made of. */
  #laidOut = '';

  /** @param open called with the node that the person chose */
  constructor(texts: SessionTexts, open: (node: GraphNode) => void) {
    const layers = [svgElement('g'), svgElement('g')] as const;
    this.#edges = new KeyedChildren(layers[0], { key: edge => edge.key, create: () => edgeShape() });
    this.#nodes = new KeyedChildren(layers[1], { key: ({ node }) => node.key, create: () => new NodeShape() });
    this.#drawing.append(arrowHead(), ...layers);
    setAttributes(this.#drawing, { role: 'group', 'aria-label': texts.pictureLabel });
    this.#scroller.append(this.#drawing);
    this.#hint = element('p', 'note graph-hint', texts.pictureHint);
    this.element.append(this.#note, this.#scroller, this.#hint, this.#caption);
    this.#listen(open);
    this.#unwatchWidth = watchWidth(this.element, width => {
      this.#width = width - scrollerFrame;
      this.#draw();
    });
  }

  update(graph: Graph): void {
    this.#graph = graph;
    setText(this.#note, graph.note);
    setShown(this.#note, graph.note !== '');
    this.#draw();
  }

  dispose(): void {
    this.#unwatchWidth();
  }

  #draw(): void {
    const { nodes, edges } = this.#graph;
    if (this.#width <= 0) return;
    const shape = JSON.stringify([isNarrow(this.#width), nodes.map(({ key }) => key), edges]);
    if (shape !== this.#laidOut) this.#place(shape);
    else this.#refresh(new Map(nodes.map(node => [node.key, node])));
    this.#describe(this.#nodeAt(document.activeElement));
  }

  /** Layers are expensive: they are made again only when nodes or arrows came or went. */
  #place(shape: string): void {
    this.#laidOut = shape;
    const { nodes, edges } = this.#graph;
    const { width, height, nodes: placed, edges: paths } = layOutGraph(nodes, edges, this.#width);
    setAttributes(this.#drawing, { width, height, viewBox: `0 0 ${width} ${height}` });
    const isFirst = this.#nodes.all().length === 0;
    this.#edges.update(paths);
    this.#focus.update(() => {
      this.#nodes.update(placed);
      return this.#nodes.all().map(each => ({ key: each.shown?.key ?? '', element: each.element }));
    });
    // The page is about this one: of many that wait for one lock it stands in the middle of a long column.
    const own = placed.find(({ node }) => node.isSubject)?.box;
    if (!isFirst || own === undefined) return;
    this.#scroller.scrollTop = own.y + own.height / 2 - this.#scroller.clientHeight / 2;
    this.#scroller.scrollLeft = own.x + own.width / 2 - this.#scroller.clientWidth / 2;
  }

  #refresh(nodes: ReadonlyMap<string, GraphNode>): void {
    for (const shape of this.#nodes.all()) {
      const node = nodes.get(shape.shown?.key ?? '');
      if (node !== undefined) shape.rename(node);
    }
  }

  #listen(open: (node: GraphNode) => void): void {
    const choose = (event: Event): void => {
      const node = this.#nodeAt(event.target)?.shown;
      if (node === undefined) return;
      event.preventDefault();
      open(node);
    };
    this.#drawing.addEventListener('click', choose);
    this.#drawing.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') choose(event);
    });
    this.#drawing.addEventListener('focusin', ({ target }) => {
      const node = this.#nodeAt(target);
      // The browser leaves a node where it is of which a part can be seen.
      node?.element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      this.#describe(node);
    });
    this.#drawing.addEventListener('focusout', () => this.#describe(undefined));
    this.#drawing.addEventListener('pointerover', event =>
      this.#describe(this.#nodeAt(event.target) ?? this.#nodeAt(document.activeElement)),
    );
  }

  #nodeAt(target: EventTarget | null): NodeShape | undefined {
    const found = target instanceof Element ? target.closest('.node') : null;
    return found === null ? undefined : this.#nodes.all().find(node => node.element === found);
  }

  /** Nodes are too small for long names; the line below the picture has room for the one looked at. */
  #describe(node: NodeShape | undefined): void {
    setText(this.#caption, node?.shown?.label ?? '');
  }
}

function edgeShape(): KeyedChild<PlacedEdge> {
  const path = svgElement('path', 'edge', { 'marker-end': 'url(#arrow)' });
  return {
    element: path,
    update: edge => {
      setAttributes(path, { d: edge.path });
      setClasses(path, { 'is-waiting': edge.kind === 'waits' });
    },
  };
}

function arrowHead(): SVGDefsElement {
  const tip = svgElement('path', '', { d: 'M0 0.5L8 4L0 7.5Z' });
  const size = { viewBox: '0 0 8 8', refX: 7.5, refY: 4, markerWidth: 8, markerHeight: 8 };
  const marker = svgElement(
    'marker',
    'arrow',
    { id: 'arrow', ...size, markerUnits: 'userSpaceOnUse', orient: 'auto' },
    tip,
  );
  return svgElement('defs', '', {}, marker);
}

/** A session or a lock: its name, and below what it is. Lines are HTML for the ellipsis that SVG text does not have. */
class NodeShape implements KeyedChild<PlacedNode> {
  readonly element = svgElement('g', 'node', { role: 'button', tabindex: -1 });
  readonly #frame = svgElement('rect', 'node-frame', { rx: 4 });
  readonly #stripe = svgElement('rect', 'node-stripe', { x: 4, y: 5, width: 3, rx: 1.5 });
  readonly #room = svgElement('foreignObject', '', { x: 12, y: 0 });
  readonly #lines = element('div', 'node-lines');
  readonly #who = element('div', 'node-who');
  readonly #below = element('div', 'node-kind');
  #shown: GraphNode | undefined;

  constructor() {
    this.#lines.append(this.#who, ' ', this.#below);
    this.#room.append(this.#lines);
    this.element.append(this.#frame, this.#stripe, this.#room);
  }

  /** Absent before the first update. */
  get shown(): GraphNode | undefined {
    return this.#shown;
  }

  update({ node, box: { x, y, width, height } }: PlacedNode): void {
    setAttributes(this.element, { transform: `translate(${x} ${y})` });
    setAttributes(this.#frame, { width, height, rx: node.kind === 'lock' ? 4 : height / 4 });
    setAttributes(this.#stripe, { height: height - 10 });
    setAttributes(this.#room, { width: width - 18, height });
    this.rename(node);
  }

  rename(node: GraphNode): void {
    this.#shown = node;
    setText(this.#who, node.title);
    setText(this.#below, node.below);
    // Not the `title` of SVG, which is text of the node and no longer begins as its label does.
    setAttributes(this.#lines, { title: node.label });
    setAttributes(this.element, {
      'aria-label': node.label,
      'aria-disabled': node.subject === undefined && node.lock === undefined ? 'true' : undefined,
    });
    setClasses(this.element, { 'is-lock': node.kind === 'lock', 'is-own': node.isSubject });
  }
}
