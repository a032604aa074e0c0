import { setTimeout as sleep } from 'node:timers/promises';
import { openLogs } from '../../../src/replay/openLogs.ts';
import { answerLines } from './answerLines.ts';

// Opens logs in a program of its own, whose memory is theirs alone. Ends when its standard input ends.

await answerLines(
  {
    /** Opens a folder and looks at moments all over it. */
    async open({ folder, moments }) {
      // What starting the program leaves.
      globalThis.gc?.();
      await sleep(50);
      const { rss } = process.memoryUsage();
      const begun = performance.now();
      const recording = await openLogs(String(folder));
      const ms = performance.now() - begun;
      const bytes = process.resourceUsage().maxRSS * 1024 - rss;
      const atMs: number[] = [];
      const span = recording.to.zxid - recording.from.zxid;
      for (let each = 0; each < Number(moments); each++) {
        // In no order, and never the same twice.
        const zxid = recording.from.zxid + (span * BigInt((each * 7 + 6) % Number(moments))) / BigInt(Number(moments));
        const before = performance.now();
        await recording.at({ zxid }).getChildren('/');
        atMs.push(performance.now() - before);
      }
      return { ms, bytes, atMs, transactions: recording.transactions, holds: recording.holds().length };
    },
  },
  () => Promise.resolve(),
);
process.exit(0);
