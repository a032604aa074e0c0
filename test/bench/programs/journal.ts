import { setTimeout as sleep } from 'node:timers/promises';
import { lockPast } from '../../../src/app/recordings/lockPast.ts';
import { RecordedSteps } from '../../../src/app/recordings/steps.ts';
import { inTurns } from '../../../src/base/interruptible.ts';
import { severalAtOnce } from '../../../src/base/severalAtOnce.ts';
import { longestWaitingTimes } from '../../../src/history/whatHappened.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { entriesOf, openJournal } from '../../../src/journal/journalRecording.ts';
import type { Recording } from '../../../src/replay/recording.ts';
import { answerLines } from './answerLines.ts';
import { LongestBlock, type Block } from './longestBlock.ts';

// Opens a recording in a program of its own, and looks at it as the views do. Ends when its standard input ends.

/** What a person does first, each over all locks. */
const looks: Readonly<Record<string, (recording: Recording) => Promise<unknown>>> = {
  async 'all queues at a moment'(recording) {
    const client = recording.at({ zxid: recording.from.zxid + (recording.to.zxid - recording.from.zxid) / 2n });
    await severalAtOnce(recording.locks(), 8, async ({ path }) => {
      await readQueues(client, path);
    });
  },
  'a step': recording => new RecordedSteps(recording).momentsOf('hand-over'),
  'what happened to one lock': recording => {
    const [lock = { path: '/' }] = recording.locks();
    return inTurns(lockPast(recording, lock, recording));
  },
  'longest waits': recording =>
    inTurns(longestWaitingTimes(recording.holds(), recording.waits(), { most: 200, end: recording.to })),
  async 'its entries, for an incident file'(recording) {
    let count = 0;
    for await (const entry of entriesOf(recording, recording)) count += Number(entry.type === 'node');
    return count;
  },
};

const longest = new LongestBlock(5);

await answerLines(
  {
    async open({ folder }) {
      globalThis.gc?.();
      await sleep(50);
      const { rss } = process.memoryUsage();
      longest.leaveOut();
      const begun = performance.now();
      const recording = await openJournal(String(folder));
      const ms = performance.now() - begun;
      const opening = longest.take();
      const bytes = process.resourceUsage().maxRSS * 1024 - rss;
      const atLook: Record<string, Block> = {};
      for (const [name, look] of Object.entries(looks)) {
        await sleep(50);
        longest.leaveOut();
        await look(recording);
        atLook[name] = longest.take();
      }
      return { ms, bytes, entries: recording.transactions, opening, looks: atLook };
    },
  },
  () => Promise.resolve(),
);
process.exit(0);
