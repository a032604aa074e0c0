import { expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import { openAcl } from '../../../src/dataTree/acl.ts';
import type { Change } from '../../../src/dataTree/transaction.ts';
import { RecordedPast } from '../../../src/replay/recordedPast.ts';
import type { StoredData } from '../../../src/replay/storedData.ts';

const spacing = 100;

const setData = (length: number): Change<StoredData> => {
  return { type: 'setData', path: '/a', data: { file: 'log.1', offset: 0, length }, version: 1 };
};
const create = (path: string, length = 0): Change<StoredData> => {
  const data = { file: 'log.1', offset: 0, length };
  return { type: 'create', path, data, acl: openAcl, owner: 0n, parentChildrenCreated: -1 };
};

/** How often the nodes are kept while a change happens again and again. */
function checkpointsOf(change: Change<StoredData>, times: number): number {
  const past = new RecordedPast(() => undefined, { spacing, bytes: 100_000_000 });
  let kept = 0;
  for (let zxid = 1n; zxid <= times; zxid++) {
    if (past.isCheckpointDue) {
      atOnce(past.keep({ file: 0, offset: Number(zxid) }, false));
      kept++;
    }
    past.apply({ sessionId: 1n, cxid: 1, zxid, time: Number(zxid), change: zxid === 1n ? create('/a') : change });
  }
  return kept;
}

it('small transactions have a checkpoint each time that so many of them have been', () => {
  expect(checkpointsOf({ type: 'error', code: -101 }, 1_001)).toBe(10);
  expect(checkpointsOf(setData(10), 1_001)).toBeLessThanOrEqual(11);
});

it.each<[string, Change<StoredData>]>([
  ['parts', { type: 'multi', parts: Array.from({ length: 49 }, () => setData(0)) }],
  ['data', setData(100_000)],
  ['data within a multi', { type: 'multi', parts: [{ type: 'check', path: '/a', version: -1 }, setData(60_000)] }],
  ['nodes of a session', { type: 'closeSession', paths: Array.from({ length: 60 }, (_, at) => `/b${at}`) }],
])('transactions with many %s have more of them: replay takes as long', (_, change) => {
  expect(checkpointsOf(change, 1_001)).toBeGreaterThanOrEqual(490);
});
