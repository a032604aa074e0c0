import { Recorder } from '../../../src/app/recorder/recorder.ts';
import { JournalFolder } from '../../../src/app/recorder/journalFolder.ts';
import type { Sink } from '../../../src/app/recorder/recordingRun.ts';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import { callEvery, callLater } from '../../../src/base/timer.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { answerLines } from '../../bench/programs/answerLines.ts';

// A window that records a lock whose holder changes every few ms, without a server. Ends when its standard input ends.

const [folder = '', id = ''] = process.argv.slice(2);
const everyMs = 2;
let given = 0;

/** Numbers of contenders go up by one, over all windows: their zxid is the time. */
function play(sink: Sink): void {
  const time = Date.now();
  const at = { zxid: BigInt(time) * 1_000n + BigInt(given % 1_000), time };
  given++;
  const path = `/locks/orders/_c_00000000-0000-4000-8000-000000000000-lock-${String(given).padStart(10, '0')}`;
  const [czxid, data] = [at.zxid, new Uint8Array(8)];
  const node = { path, czxid, mzxid: czxid, ctime: time, mtime: time, version: 0, owner: 7n, data };
  sink.onEntries([
    { type: 'node', at, node },
    { type: 'gone', at, path, czxid },
  ]);
}

const recorder = new Recorder({
  id,
  folder: () => new JournalFolder(folder),
  observe: (_, sink) => {
    const at = { zxid: BigInt(Date.now()) * 1_000n, time: Date.now() };
    sink.onEntries([
      { type: 'begin', at },
      { type: 'complete', at },
    ]);
    const timer = callEvery(() => play(sink), everyMs);
    return Promise.resolve({ watches: 1, requestsPerMinute: 0, dispose: () => timer.dispose() });
  },
  isWanted: () => true,
  onUnwanted: () => undefined,
  limits: () => ({ bytes: 50_000_000, ageMs: 86_400_000 }),
  onChange: () => undefined,
  schedule: callLater,
  now: monotonicNow,
  wallNow: () => Date.now(),
  logger: nullLogger,
});
const client: Partial<ZooKeeperClient> = { state: 'connected', onState: () => toDisposable(() => undefined) };
recorder.setClient(client as ZooKeeperClient);

await answerLines(
  {
    /** How many contenders have been given to the recorder. */
    status: () => Promise.resolve({ kind: recorder.state.kind, given }),
  },
  () => recorder.close(),
);
process.exit(0);
