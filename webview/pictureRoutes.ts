/** A cell of the picture's grid. */
export interface Place {
  column: number;
  row: number;
}

/** The grid's measures in CSS pixels; `left` and `top` are the corner of the first cell. */
export interface Grid {
  columns: number;
  nodeWidth: number;
  nodeHeight: number;
  gapX: number;
  gapY: number;
  left: number;
  top: number;
}

interface Point {
  x: number;
  y: number;
}

const cornerRadius = 6;
/** How far above a row its lane runs: clear of the frames around readers and of the labels on them. */
const laneAbove = 27;
/** Arrows that go up the queue have a lane of their own in their row. */
const laneStep = 7;
/** An arrow leaves and enters beside the middle, so that it does not cover the one in the opposite direction. */
const sideStep = 12;
const stubLength = 22;

/**
 * The path of an arrow from a waiter to the one it waits for, as an SVG path: straight to a neighbour, else through the lanes
 * above the rows and between the columns, never across another node. `to` absent: a stub upwards.
 */
export function route(grid: Grid, from: Place, to: Place | undefined): string {
  return rounded(to === undefined ? stub(grid, from) : (straight(grid, from, to) ?? around(grid, from, to)));
}

/** Whether an arrow runs above the first row. */
export function leavesFirstRow(from: Place, to: Place | undefined): boolean {
  if (from.row !== 0) return false;
  if (to === undefined) return true;
  return to.row === 0 && from.column !== to.column + 1;
}

function stub(grid: Grid, from: Place): Point[] {
  const start = { x: centerX(grid, from), y: top(grid, from) };
  return [start, { x: start.x, y: start.y - stubLength }];
}

function straight(grid: Grid, from: Place, to: Place): Point[] | undefined {
  if (from.row === to.row && from.column === to.column + 1) {
    const y = top(grid, from) + grid.nodeHeight / 2;
    return [
      { x: left(grid, from), y },
      { x: left(grid, to) + grid.nodeWidth, y },
    ];
  }
  if (from.column === to.column && from.row === to.row + 1) {
    const x = centerX(grid, from);
    return [
      { x, y: top(grid, from) },
      { x, y: top(grid, to) + grid.nodeHeight },
    ];
  }
  return undefined;
}

function around(grid: Grid, from: Place, to: Place): Point[] {
  const isBelow = to.row > from.row;
  const lane = laneOf(grid, from, to);
  const startX = centerX(grid, from) + sideStep;
  const start = [
    { x: startX, y: isBelow ? top(grid, from) + grid.nodeHeight : top(grid, from) },
    { x: startX, y: lane },
  ];
  const isBesideLane = isBelow ? to.row === from.row + 1 : to.row >= from.row - 1;
  return [...start, ...(isBesideLane ? fromLane(grid, lane, to) : fromChannel(grid, lane, to))];
}

function laneOf(grid: Grid, from: Place, to: Place): number {
  if (to.row > from.row) return top(grid, { ...from, row: from.row + 1 }) - laneAbove;
  const isForward = to.row === from.row && to.column > from.column;
  return top(grid, from) - laneAbove - (isForward ? laneStep : 0);
}

/** Into the top of a node below the lane, or into the bottom of one above it. */
function fromLane(grid: Grid, lane: number, to: Place): Point[] {
  const x = centerX(grid, to) - sideStep;
  const upper = top(grid, to);
  return [
    { x, y: lane },
    { x, y: upper < lane ? upper + grid.nodeHeight : upper },
  ];
}

/** Beside the last column there is no channel: it is entered from the left, the others from the right. */
function fromChannel(grid: Grid, lane: number, to: Place): Point[] {
  const isLast = to.column > 0 && to.column === grid.columns - 1;
  const x = left(grid, to) + (isLast ? 0 : grid.nodeWidth);
  const channel = x + (isLast ? -1 : 1) * (grid.gapX / 2);
  const y = top(grid, to) + grid.nodeHeight / 2 + sideStep;
  return [
    { x: channel, y: lane },
    { x: channel, y },
    { x, y },
  ];
}

function left(grid: Grid, place: Place): number {
  return grid.left + place.column * (grid.nodeWidth + grid.gapX);
}

function top(grid: Grid, place: Place): number {
  return grid.top + place.row * (grid.nodeHeight + grid.gapY);
}

function centerX(grid: Grid, place: Place): number {
  return left(grid, place) + grid.nodeWidth / 2;
}

/** A line through the points with rounded corners, by quadratic curves around each corner. */
function rounded(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const after = points[index + 1];
      if (before === undefined) return `M${at(point)}`;
      if (after === undefined) return `L${at(point)}`;
      return `L${at(towards(point, before))}Q${at(point)} ${at(towards(point, after))}`;
    })
    .join('');
}

function towards(from: Point, to: Point): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  if (distance === 0) return from;
  const part = Math.min(cornerRadius, distance / 2) / distance;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function at({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
