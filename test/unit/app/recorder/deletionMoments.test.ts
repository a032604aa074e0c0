import { expect, it } from 'vitest';
import { startObserver } from '../../../../src/app/recorder/lockObserver.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { childPath, lastSegment } from '../../../../src/base/paths.ts';
import { JournalState } from '../../../../src/journal/journalState.ts';
import { ZooKeeperError } from '../../../../src/zookeeper/errors.ts';
import type { ReadRequest, ReadResult, Stat, TreeEvent, ZooKeeperClient } from '../../../../src/zookeeper/client.ts';
import { eventually } from '../../../support/eventually.ts';

const directory = '/locks/orders';
const nodes = new Map([
  ['lock-0000000001', { czxid: 11n, owner: 1n }],
  ['lock-0000000002', { czxid: 12n, owner: 1n }],
  ['lock-0000000003', { czxid: 13n, owner: 1n }],
  ['lock-0000000004', { czxid: 14n, owner: 2n }],
]);

function statOf(path: string, there: ReadonlySet<string>, pzxid: bigint): Stat {
  const node = nodes.get(lastSegment(path));
  const { czxid, owner } = node ?? { czxid: 1n, owner: 0n };
  return {
    ...{ czxid, mzxid: czxid, ctime: Number(czxid), mtime: Number(czxid), version: 0, cversion: 0, aversion: 0 },
    ...{ ephemeralOwner: owner, dataLength: 0, pzxid: node ? czxid : pzxid, numChildren: node ? 0 : there.size },
  };
}

/** Four contenders, of which three are of one session. Every look at the clock takes a second. */
async function endOfSession(zxid: bigint | undefined, pzxid: bigint): Promise<JournalState> {
  const there = new Set(nodes.keys());
  let listener: (event: TreeEvent) => void = () => undefined;
  let isOver = false;
  const answer = (path: string, op: ReadRequest['op']): ReadResult => {
    if (op === 'getChildren') return { op, path, children: path === directory ? [...there] : [] };
    return { op, path, data: new Uint8Array(0), stat: statOf(path, there, isOver ? pzxid : 25n) };
  };
  const client: Partial<ZooKeeperClient> = {
    sessionId: 9n,
    state: 'connected',
    watchTree: (_, call) => {
      listener = call;
      return Promise.resolve({ dispose: () => undefined });
    },
    onState: () => ({ dispose: () => undefined }),
    readMany: (requests, { onResult } = {}) => {
      const results = requests.map(({ op, path }) => {
        const isMissing = path !== directory && !there.has(lastSegment(path));
        return isMissing ? { op: 'error' as const, path, error: new ZooKeeperError(-101, op, path) } : answer(path, op);
      });
      results.forEach((result, at) => onResult?.(result, at));
      return Promise.resolve(results);
    },
  };
  const state = new JournalState();
  let now = 0;
  const observer = await startObserver(client as ZooKeeperClient, {
    roots: [directory],
    maxNodes: 100,
    isWholeData: false,
    concerns: path => state.concerns(path),
    onEntries: entries => entries.forEach(entry => state.apply(entry)),
    onFailure: error => expect(error).toBeUndefined(),
    clocks: { now: () => now, monotonicNow: () => (now += 1_000) },
    logger: nullLogger,
    signal: new AbortController().signal,
  });
  await eventually(() => expect(state.nodes).toBe(5));
  isOver = true;
  for (const name of [...nodes.keys()].slice(0, 3)) {
    there.delete(name);
    listener({ type: 'deleted', path: childPath(directory, name), ...(zxid === undefined ? {} : { zxid }) });
  }
  await eventually(() => expect(state.nodes).toBe(2));
  observer.dispose();
  return state;
}

it.each<[string, bigint | undefined, bigint]>([
  ['whose transaction is known', 20n, 25n],
  ['whose transaction is not known', undefined, 30n],
])('the nodes of a session that ends go at one moment, %s: none holds in between', async (_, zxid, pzxid) => {
  const state = await endOfSession(zxid, pzxid);
  expect(state.holds().map(({ name }) => name)).toEqual(['lock-0000000001', 'lock-0000000004']);
  expect(state.waits().map(({ name, to }) => [name, to === undefined])).toEqual([
    ['lock-0000000002', false],
    ['lock-0000000003', false],
  ]);
});
