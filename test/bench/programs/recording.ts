import { JournalFolder } from '../../../src/app/recorder/journalFolder.ts';
import { observeLocks } from '../../../src/app/recorder/observeLocks.ts';
import { Recorder } from '../../../src/app/recorder/recorder.ts';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import { callLater } from '../../../src/base/timer.ts';
import { answerLines } from './answerLines.ts';
import { LongestBlock } from './longestBlock.ts';
import { openSession } from './sessions.ts';

// Records the locks below a root, in a program of its own that does nothing else. Ends when its standard input ends.

const [hosts = '', root = '', folder = '', megabytes = '', questionsPerMinute = ''] = process.argv.slice(2);
const bytes = Number(megabytes) * 1_000_000;
const settings = {
  whileConnected: false,
  days: 7,
  megabytes: Number(megabytes),
  questionsPerMinute: Number(questionsPerMinute),
  nodeData: false,
  maxNodes: 50_000,
};
const profile = {
  id: 'bench',
  name: 'bench',
  connectString: hosts,
  environment: 'development',
  lockRoots: [root],
} as const;
const ownerQuery = { adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } };

const client = await openSession(hosts);
const begun = Promise.withResolvers<undefined>();
const recorder = new Recorder({
  id: '000000000000',
  folder: () => new JournalFolder(folder),
  observe: (session, sink) => observeLocks(session, { profile, settings, ownerQuery, logger: nullLogger }, sink),
  isWanted: () => true,
  onUnwanted: () => undefined,
  limits: () => ({ bytes, ageMs: settings.days * 86_400_000 }),
  onChange: () => {
    const { state } = recorder;
    if (state.kind === 'recording') begun.resolve(undefined);
    if (state.kind === 'failed') begun.reject(state.error);
  },
  schedule: callLater,
  now: monotonicNow,
  wallNow: () => Date.now(),
  logger: nullLogger,
});
const longest = new LongestBlock(20);
/** Processor time, and of how long, since the last answer; without the times in which blocks are measured. */
let share = { cpuMs: 0, ms: 0 };
let shareFrom: { cpu: NodeJS.CpuUsage; nowMs: number } | undefined;

function endShare(): void {
  if (shareFrom === undefined) return;
  const { user, system } = process.cpuUsage(shareFrom.cpu);
  share = { cpuMs: share.cpuMs + (user + system) / 1000, ms: share.ms + performance.now() - shareFrom.nowMs };
  shareFrom = undefined;
}

await answerLines(
  {
    /** Begins, and answers once all locks have been seen. */
    async record() {
      const before = performance.now();
      recorder.setClient(client);
      await begun.promise;
      return { ms: performance.now() - before, ...longest.take() };
    },
    /** From now on. @param what `share` or `blocks` */
    measure({ what }) {
      endShare();
      if (what === 'blocks') longest.resume();
      else {
        longest.pause();
        shareFrom = { cpu: process.cpuUsage(), nowMs: performance.now() };
      }
      return Promise.resolve({});
    },
    /** Ends what is measured. Processor time and longest block since the last answer; the other figures since the start of the program. */
    async usage() {
      endShare();
      const { blockMs, ownMs } = longest.take();
      longest.pause();
      globalThis.gc?.();
      const { heapUsed, external, rss } = process.memoryUsage();
      const onDisk = await new JournalFolder(folder).bytes();
      const { state } = recorder;
      if (state.kind === 'failed') throw state.error;
      if (state.kind !== 'recording') throw new Error(`The recorder is ${state.kind}.`);
      const { requestsPerMinute, locks } = state;
      const holds = recorder.past?.holds().length ?? 0;
      const entries = recorder.past?.entries ?? 0;
      const figures = { entries, requestsPerMinute, locks, holds, onDisk, blockMs, ownMs };
      const { cpuMs, ms } = share;
      share = { cpuMs: 0, ms: 0 };
      return { ...figures, used: heapUsed + external, rss, cpuMs, ms };
    },
  },
  async () => {
    await recorder.close();
    await client.close();
  },
);
process.exit(0);
