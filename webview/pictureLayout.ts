import type { DeadlockLevel, Picture, PictureContender } from '../src/protocol.ts';
import { deadlockLevel } from './marks.ts';
import { leavesFirstRow, route, type Grid, type Place } from './pictureRoutes.ts';

/** All lengths in CSS pixels. */
const widths = { nodeLeast: 150, nodeWanted: 180, nodeMost: 300, gap: 36, margin: 10 };
/** `top`: what is above the first row: the titles, labels on frames of readers, and lanes of arrows, as far as there are any. */
const heights = { node: 44, gap: 40, top: { titles: 32, labels: 46, lanes: 58 } };
const frameInset = 6;
/** Holders beyond this many begin another column. */
const holdersInColumn = 8;
/** A semaphore may have any number of leases; the label gives the number of free ones, the drawing shows at most this many. */
const freeSlotsDrawn = 24;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedContender {
  contender: PictureContender;
  box: Box;
}

export interface Frame {
  key: string;
  box: Box;
  /** How many consecutive readers wait together, on the first of the rows that they fill; 0 on the others. */
  readers: number;
}

export interface Edge {
  key: string;
  path: string;
  deadlock: DeadlockLevel | undefined;
  /** The contender that it waits for is folded away: the arrow is a stub. */
  isCut: boolean;
}

export interface PictureLayout {
  width: number;
  height: number;
  nodes: PlacedContender[];
  freeSlots: Box[];
  holders: Box | undefined;
  readers: Frame[];
  edges: Edge[];
  /** Left end of the base line of each area's title. */
  titles: { holders: { x: number; y: number }; waiters: { x: number; y: number } | undefined };
}

/**
 * Where everything of a picture goes: holders and free slots in the left columns, waiters in grant order in the other
 * columns, row by row. With room for one column, waiters stand below the holders. Pure; `width` is what is there to draw on.
 */
export function layOut(picture: Picture, width: number): PictureLayout {
  const holders = picture.contenders.filter(contender => contender.isHolder);
  const waiters = picture.contenders.filter(contender => !contender.isHolder);
  const free = Math.min(freeSlotsDrawn, Math.max(0, (picture.slots ?? 0) - holders.length));
  const most = gridOf(width).columns;
  const slotCount = Math.max(1, holders.length + free);
  const beside = Math.min(holderColumns(slotCount, waiters.length, most), slotCount);
  const isStacked = waiters.length > 0 && leavesHole(slotCount / beside, waiters.length / (most - beside));
  const left = isStacked ? Math.min(most, slotCount) : beside;
  const fitting = gridOf(width, isStacked ? most : Math.max(1, Math.min(most, left + waiters.length)));
  const holderRows = Math.ceil((holders.length + free) / Math.max(1, left));
  const placeHolder = (index: number): Place => ({ column: index % left, row: Math.floor(index / left) });
  const area = isStacked
    ? { from: 0, columns: fitting.columns, row: holderRows }
    : { from: left, columns: fitting.columns - left, row: 0 };
  const placeWaiter = (index: number): Place => ({
    column: area.from + (index % area.columns),
    row: area.row + Math.floor(index / area.columns),
  });
  const places = new Map<string, Place>();
  holders.forEach(({ name }, index) => places.set(name, placeHolder(index)));
  waiters.forEach(({ name }, index) => places.set(name, placeWaiter(index)));
  const grid = { ...fitting, top: topOf(picture, waiters, places) };
  const rows = Math.max(holderRows, area.row + Math.ceil(waiters.length / Math.max(1, area.columns)));
  const slots = Array.from({ length: free }, (_, index) => boxAt(grid, placeHolder(holders.length + index)));
  const nodes = picture.contenders.flatMap(contender => placed(contender, places, grid));
  return {
    width: 2 * widths.margin + grid.columns * (grid.nodeWidth + widths.gap) - widths.gap,
    height: grid.top + rows * heights.node + Math.max(0, rows - 1) * heights.gap + widths.margin,
    nodes,
    freeSlots: slots,
    holders: around([...nodes.filter(node => node.contender.isHolder).map(node => node.box), ...slots]),
    readers: readerFrames(waiters, places, grid),
    edges: picture.contenders.flatMap(contender => edgeOf(contender, places, grid)),
    titles: {
      holders: { x: widths.margin, y: 16 },
      waiters: waiters.length === 0 || isStacked ? undefined : { x: boxAt(grid, placeWaiter(0)).x, y: 16 },
    },
  };
}

/** Whether there would be more than a row of nothing below the holders, with the waiters beside them. */
function leavesHole(holderRows: number, waiterRows: number): boolean {
  return Math.ceil(waiterRows) > Math.ceil(holderRows) + 1;
}

/** As many columns as fit, but no more than there is something for. */
function gridOf(width: number, mostColumns = Infinity): Grid {
  const room = Math.max(widths.nodeLeast, width - 2 * widths.margin);
  const columnsOf = (node: number): number => Math.floor((room + widths.gap) / (node + widths.gap));
  const fitting = Math.max(1, Math.min(2, columnsOf(widths.nodeLeast)), columnsOf(widths.nodeWanted));
  const columns = Math.min(fitting, mostColumns);
  const node = Math.min(widths.nodeMost, (room - (columns - 1) * widths.gap) / columns);
  return {
    columns,
    nodeWidth: Math.floor(node),
    nodeHeight: heights.node,
    gapX: widths.gap,
    gapY: heights.gap,
    left: widths.margin,
    top: heights.top.titles,
  };
}

/** No more space above the first row than what is drawn there. */
function topOf(
  { contenders }: Picture,
  waiters: readonly PictureContender[],
  places: ReadonlyMap<string, Place>,
): number {
  const leaves = ({ name, waitsFor }: PictureContender): boolean => {
    const from = places.get(name);
    return from !== undefined && waitsFor !== undefined && leavesFirstRow(from, places.get(waitsFor));
  };
  if (contenders.some(leaves)) return heights.top.lanes;
  const isLabelled = runsOfReaders(waiters).some(([first]) => first !== undefined && places.get(first.name)?.row === 0);
  return isLabelled ? heights.top.labels : heights.top.titles;
}

function holderColumns(slots: number, waiters: number, columns: number): number {
  if (waiters === 0) return columns;
  return Math.max(1, Math.min(Math.ceil(slots / holdersInColumn), Math.floor(columns / 2)));
}

function boxAt(grid: Grid, { column, row }: Place): Box {
  return {
    x: grid.left + column * (grid.nodeWidth + grid.gapX),
    y: grid.top + row * (grid.nodeHeight + grid.gapY),
    width: grid.nodeWidth,
    height: grid.nodeHeight,
  };
}

function placed(contender: PictureContender, places: ReadonlyMap<string, Place>, grid: Grid): PlacedContender[] {
  const place = places.get(contender.name);
  return place === undefined ? [] : [{ contender, box: boxAt(grid, place) }];
}

function around(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map(box => box.x)) - frameInset;
  const y = Math.min(...boxes.map(box => box.y)) - frameInset;
  return {
    x,
    y,
    width: Math.max(...boxes.map(box => box.x + box.width)) + frameInset - x,
    height: Math.max(...boxes.map(box => box.y + box.height)) + frameInset - y,
  };
}

/** Two or more readers that stand next to each other will be let in together; a frame for each row that they fill. */
function readerFrames(waiters: readonly PictureContender[], places: ReadonlyMap<string, Place>, grid: Grid): Frame[] {
  return runsOfReaders(waiters).flatMap(run => {
    const rows = Map.groupBy(run, ({ name }) => places.get(name)?.row ?? 0);
    return [...rows.values()].flatMap((inRow, index) => {
      const box = around(inRow.flatMap(contender => placed(contender, places, grid)).map(node => node.box));
      const name = inRow[0]?.name ?? '';
      return box === undefined ? [] : [{ key: name, box, readers: index === 0 ? run.length : 0 }];
    });
  });
}

function runsOfReaders(waiters: readonly PictureContender[]): PictureContender[][] {
  const runs: PictureContender[][] = [];
  let run: PictureContender[] = [];
  for (const [index, waiter] of waiters.entries()) {
    const isNext = waiters[index - 1]?.position === waiter.position - 1;
    if (waiter.kind !== 'read' || !isNext) run = [];
    if (waiter.kind !== 'read') continue;
    run.push(waiter);
    if (run.length === 2) runs.push(run);
  }
  return runs;
}

function edgeOf(contender: PictureContender, places: ReadonlyMap<string, Place>, grid: Grid): Edge[] {
  const from = places.get(contender.name);
  if (from === undefined || contender.waitsFor === undefined) return [];
  const to = places.get(contender.waitsFor);
  return [
    {
      key: contender.name,
      path: route(grid, from, to),
      deadlock: deadlockLevel(contender.marks),
      isCut: to === undefined,
    },
  ];
}
