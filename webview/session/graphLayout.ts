import { Graph, layout as layOutLayers } from '@dagrejs/dagre';
import type { GraphEdge, GraphNode } from '../../src/sessionProtocol.ts';
import type { Box } from '../pictureLayout.ts';

export interface PlacedNode {
  node: GraphNode;
  box: Box;
}

export interface PlacedEdge {
  key: string;
  kind: GraphEdge['kind'];
  /** Of an SVG path. */
  path: string;
}

export interface GraphLayout {
  width: number;
  height: number;
  /** Layer by layer, those that keep the most others waiting first. */
  nodes: PlacedNode[];
  edges: PlacedEdge[];
}

const height = 44;
const widths = { wide: 214, narrow: 150 };
const margin = 14;
/** Whether the layers stand below each other. @param width that there is, in CSS pixels */
export function isNarrow(width: number): boolean {
  return width < 560;
}

interface Point {
  x: number;
  y: number;
}

/**
 * Places nodes in layers: what is waited for comes first, on the left or at the top; arrows lead back to it.
 *
 * @param width that there is, in CSS pixels; the drawing may be wider
 */
export function layOutGraph(nodes: readonly GraphNode[], edges: readonly GraphEdge[], width: number): GraphLayout {
  if (nodes.length === 0) return { width: 0, height: 0, nodes: [], edges: [] };
  const isBelow = isNarrow(width);
  const graph = new Graph<object, Point & Box, { points: Point[] }>();
  graph.setGraph({
    ranker: 'longest-path',
    rankdir: isBelow ? 'BT' : 'RL',
    nodesep: isBelow ? 16 : 12,
    ranksep: isBelow ? 30 : 44,
    marginx: margin,
    marginy: margin,
  });
  graph.setDefaultEdgeLabel(() => ({ points: [] }));
  // Keys are foreign text, the library uses them as names of properties: it gets numbers.
  const idOf = new Map(nodes.map(({ key }, at) => [key, String(at)]));
  // What is added last comes first in its layer.
  for (const id of [...idOf.values()].reverse())
    graph.setNode(id, { width: isBelow ? widths.narrow : widths.wide, height, x: 0, y: 0 });
  const known = edges.flatMap(({ kind, from, to }) => {
    const [tail, head] = [idOf.get(from), idOf.get(to)];
    return tail === undefined || head === undefined || tail === head ? [] : [{ kind, from, to, tail, head }];
  });
  for (const { tail, head } of known.toReversed()) graph.setEdge(tail, head);
  layOutLayers(graph);
  const placed = nodes.map(node => ({ node, box: boxOf(graph.node(idOf.get(node.key) ?? '')) }));
  placed.sort((one, other) =>
    isBelow ? byPlace(one.box, other.box, 'y', 'x') : byPlace(one.box, other.box, 'x', 'y'),
  );
  const drawn = graph.graph() as { width?: number; height?: number };
  return {
    width: Math.ceil(drawn.width ?? 0),
    height: Math.ceil(drawn.height ?? 0),
    nodes: placed,
    edges: known.map(({ kind, from, to, tail, head }) => ({
      key: `${kind}\0${from}\0${to}`,
      kind,
      path: pathOf(graph.edge(tail, head).points),
    })),
  };
}

function boxOf({ x, y, width, height }: Point & Box): Box {
  return { x: Math.round(x - width / 2), y: Math.round(y - height / 2), width, height };
}

function byPlace(one: Box, other: Box, first: 'x' | 'y', second: 'x' | 'y'): number {
  return one[first] - other[first] || one[second] - other[second];
}

const at = ({ x, y }: Point): string => `${Math.round(x)} ${Math.round(y)}`;

/** Through the points of the layout, its corners rounded. */
function pathOf(points: readonly Point[]): string {
  const [start, ...rest] = points;
  const end = rest.pop();
  if (start === undefined || end === undefined) return '';
  let path = `M${at(start)}`;
  for (const [index, corner] of rest.entries()) {
    const next = rest[index + 1] ?? end;
    const middle = { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 };
    path += index === rest.length - 1 ? `Q${at(corner)} ${at(end)}` : `Q${at(corner)} ${at(middle)}`;
  }
  return rest.length === 0 ? `${path}L${at(end)}` : path;
}
