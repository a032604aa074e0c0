import { setImmediate } from 'node:timers/promises';
import { inTurns } from '../base/interruptible.ts';
import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import type { Znode } from '../dataTree/znode.ts';
import { ownerKind } from '../dataTree/znode.ts';
import type { Moment } from '../history/hold.ts';
import type { LogRecording } from '../replay/logRecording.ts';
import type { Gap, Instant, Recording } from '../replay/recording.ts';
import { keptBytes, type StoredData } from '../replay/storedData.ts';
import type { ReadRequest, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import type { JournalEntry, JournalNode } from './entry.ts';
import type { JournalPast } from './journalPast.ts';
import { keptData } from './keptData.ts';
import { SpanEntries } from './spanEntries.ts';
import { WantedPaths } from './wantedPaths.ts';

/** A part of the recorded time. */
export interface Span {
  from: Moment;
  to: Moment;
}

/** Moments that are gone through between two pauses. */
const momentsAtOnce = 512;
const noData = new Uint8Array(0);

/** A moment without a zxid has a time only. */
function instantOf({ zxid, time }: Moment): Instant {
  return zxid === 0n ? { time } : { zxid };
}

/** The part of a journal, from what is in memory of it. */
export async function* recordedSpan(
  recording: Recording,
  past: JournalPast,
  span: Span,
  paths: readonly string[] | undefined,
): AsyncGenerator<JournalEntry> {
  const { moments } = past;
  if (moments.count === 0) return;
  const wanted = paths && new WantedPaths(paths);
  const first = moments.find(instantOf(span.from));
  const last = Math.max(first, moments.find(instantOf(span.to)));
  const entries = new SpanEntries(recording.sessions());
  await inTurns(entries.takeEnds(recording, moments.get(first).zxid, moments.get(last).zxid));
  yield* entries.list(moments.get(first), nodesAt(past, first, wanted));
  const gap = past.gapBehind(first);
  if (gap !== undefined) yield entries.gap(moments.get(first));
  for (let at = first + 1; at <= last; at++) {
    yield* changesAt(past, at, entries, wanted);
    if (at % momentsAtOnce === 0) await setImmediate();
  }
  const { to } = recording;
  yield* entries.end(last === moments.count - 1 && span.to.time >= to.time ? to : moments.get(last));
}

function* changesAt(
  past: JournalPast,
  at: number,
  entries: SpanEntries,
  wanted: WantedPaths | undefined,
): Iterable<JournalEntry> {
  const moment = past.moments.get(at);
  const gapBefore = past.gapBehind(at - 1);
  const gap = past.gapBehind(at);
  if (gapBefore !== undefined && gap !== gapBefore) yield* entries.list(moment, nodesAt(past, at, wanted));
  else if (gapBefore === undefined) {
    for (const { path } of past.changes(at - 1, at)) {
      if (wanted?.has(path) !== false) yield* entries.change(moment, path, nodeAt(past, path, at));
    }
  }
  if (gap !== undefined && gap !== gapBefore) yield entries.gap(gap);
}

function nodeAt(past: JournalPast, path: string, at: number): JournalNode | undefined {
  const node = past.node(path, at);
  if (node === undefined || node.isMadeUp) return undefined;
  const { znode, isUnread } = node;
  return { ...factsOf(path, znode), data: keptBytes(znode.data) ?? noData, ...(isUnread && { isUnread }) };
}

function* nodesAt(past: JournalPast, at: number, wanted: WantedPaths | undefined): Iterable<JournalNode> {
  for (const path of wanted === undefined ? allPaths(past, at) : wantedAt(past, at, wanted)) {
    const node = nodeAt(past, path, at);
    if (node !== undefined) yield node;
  }
}

function* allPaths(past: JournalPast, at: number): Iterable<string> {
  const open = ['/'];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    yield directory;
    for (const name of past.namesAt(directory, at)) open.push(childPath(directory, name));
  }
}

function wantedAt(past: JournalPast, at: number, wanted: WantedPaths): Set<string> {
  const paths = new Set(wanted.alone());
  for (const directory of wanted.directories) {
    for (const name of past.namesAt(directory, at)) paths.add(childPath(directory, name));
  }
  return paths;
}

type Facts = Pick<Znode<StoredData>, 'czxid' | 'mzxid' | 'ctime' | 'mtime' | 'version' | 'owner'>;

function factsOf(path: string, node: Facts): Omit<JournalNode, 'data'> {
  const { czxid, mzxid, ctime, mtime, version, owner } = node;
  return { path, czxid, mzxid, ctime, mtime, version, owner };
}

/** The part of transaction logs, from their files. */
export async function* loggedSpan(
  recording: LogRecording,
  span: Span,
  paths: readonly string[] = recording.locks().map(({ path }) => path),
): AsyncGenerator<JournalEntry> {
  const wanted = new WantedPaths(paths);
  const to = recording.momentAt(instantOf(span.to));
  let from = recording.momentAt(instantOf(span.from));
  const entries = new SpanEntries(recording.sessions());
  await inTurns(entries.takeEnds(recording, from.zxid, to.zxid));
  yield* entries.list(from, await readNodes(recording.at({ zxid: from.zxid }), wanted));
  for (const gap of blindGaps(recording.gaps, from, to)) {
    if (gap.from.zxid > from.zxid) yield* loggedChanges(recording, { from, to: gap.from }, entries, wanted);
    yield entries.gap(gap.from.zxid > from.zxid ? gap.from : from);
    if (gap.to.zxid > to.zxid || gap.lastsAtEnd === true) {
      yield* entries.end(to);
      return;
    }
    from = gap.to;
    yield* entries.list(from, await readNodes(recording.at({ zxid: from.zxid }), wanted));
  }
  yield* loggedChanges(recording, { from, to }, entries, wanted);
  yield* entries.end(to);
}

/** Of the other ones it is not sure what is there, but transactions say what happened. */
function blindGaps(gaps: readonly Gap[], from: Moment, until: Moment): Gap[] {
  const isBlind = ({ why }: Gap): boolean => why !== 'no snapshot' && why !== 'fuzzy snapshot';
  return gaps.filter(gap => isBlind(gap) && gap.to.zxid > from.zxid && gap.from.zxid < until.zxid);
}

async function* loggedChanges(
  recording: LogRecording,
  { from, to }: Span,
  entries: SpanEntries,
  wanted: WantedPaths,
): AsyncGenerator<JournalEntry> {
  for await (const { moment, changed, tree } of recording.changes(from.zxid, to.zxid)) {
    for (const path of changed) {
      if (!wanted.has(path)) continue;
      const node = tree.get(path);
      yield* entries.change(moment, path, node && loggedNode(path, node));
    }
  }
}

function loggedNode(path: string, node: Znode<StoredData>): JournalNode {
  return withKeptData(path, factsOf(path, node), keptBytes(node.data) ?? noData);
}

function withKeptData(path: string, facts: Omit<JournalNode, 'data'>, data: Uint8Array): JournalNode {
  const { czxid, ctime, mtime, version } = facts;
  const owner = ownerKind(facts.owner) === 'session' ? facts.owner : 0n;
  const node = { name: lastSegment(path), path, data, czxid, createdAt: ctime, modifiedAt: mtime, version };
  const kept = keptData(parentPath(path), { ...node, ephemeralOwner: owner, numChildren: 0 }, false);
  return { ...facts, owner, data: kept };
}

/** Reads the wanted nodes that are there. */
async function readNodes(client: ZooKeeperClient, wanted: WantedPaths): Promise<JournalNode[]> {
  const paths = new Set(wanted.alone());
  for (const directory of wanted.directories) {
    if ((await client.exists(directory)) === undefined) continue;
    for (const name of (await client.getChildren(directory)).children) paths.add(childPath(directory, name));
  }
  const nodes: JournalNode[] = [];
  const take = (path: string, data: Uint8Array, stat: Stat): void => {
    const { czxid, mzxid, ctime, mtime, version, ephemeralOwner: owner } = stat;
    nodes.push(withKeptData(path, factsOf(path, { czxid, mzxid, ctime, mtime, version, owner }), data));
  };
  const reads: ReadRequest[] = Array.from(paths, path => ({ op: 'getData', path }));
  await client.readMany(reads, {
    onResult: result => {
      if (result.op === 'getData') take(result.path, result.data, result.stat);
    },
  });
  return nodes;
}
