import type { JsonLines } from '../support/jsonLines.ts';
import type { SeededRandom } from '../support/seededRandom.ts';
import type { ClientNetwork } from '../support/proxyGroup.ts';

/** What can go wrong for one contender. */
export interface Victim {
  program: JsonLines;
  proxy: ClientNetwork;
}

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

const opcodes = [1, 2, 4, 5, 9, 12, 15, 19, 22];

/** Named, so that a report can say what happened how often. Each ends with the victim healed, or is healed by `heal`. */
const faults = {
  async cut({ proxy }: Victim) {
    proxy.cut();
    return Promise.resolve();
  },
  async unplug({ proxy }: Victim, random: SeededRandom) {
    await proxy.setAccepting(false);
    proxy.cut();
    await sleep(random.below(400));
    await proxy.setAccepting(true);
  },
  async blackHole({ proxy }: Victim, random: SeededRandom) {
    proxy.blackHole(random.pick(['up', 'down', 'both'] as const));
    await sleep(random.below(500));
    proxy.blackHole('none');
  },
  async delay({ proxy }: Victim, random: SeededRandom) {
    const direction = random.pick(['up', 'down'] as const);
    proxy.delay(direction, random.below(60));
    await sleep(random.below(300));
    proxy.delay(direction, 0);
  },
  /** The connection breaks at the request or at the reply of one kind. */
  async loseOne({ proxy }: Victim, random: SeededRandom) {
    const kind = random.pick(opcodes);
    const atReply = random.below(3) > 0;
    let wanted: number | undefined;
    let isOver = false;
    proxy.onRequest(({ xid, opcode }) => {
      if (isOver || opcode !== kind || xid === undefined || xid <= 0) return 'forward';
      if (atReply) wanted ??= xid;
      else isOver = true;
      return atReply ? 'forward' : 'cut';
    });
    proxy.onReply(({ xid }) => {
      if (isOver || wanted === undefined || xid !== wanted) return 'forward';
      isOver = true;
      return 'cut';
    });
    return Promise.resolve();
  },
  async loseNotification({ proxy }: Victim) {
    let isOver = false;
    proxy.onReply(({ xid }) => {
      if (isOver || xid !== -1) return 'forward';
      isOver = true;
      return 'cut';
    });
    return Promise.resolve();
  },
  async freeze({ program }: Victim, random: SeededRandom) {
    program.pause();
    await sleep(random.below(1_400));
    program.resume();
  },
};

export type FaultName = keyof typeof faults | 'restart';

/**
 * Does harm for a while, one fault after the other, and heals everything.
 *
 * @param restart of the server: is done once if given
 * @param gapMs between two faults at most
 * @returns what was done
 */
export async function doHarm(
  victims: readonly Victim[],
  random: SeededRandom,
  durationMs: number,
  restart: (() => Promise<void>) | undefined,
  gapMs = 60,
): Promise<FaultName[]> {
  const done: FaultName[] = [];
  const end = performance.now() + durationMs;
  if (restart !== undefined) {
    await sleep(random.below(100));
    await restart();
    done.push('restart');
  }
  while (performance.now() < end) {
    await sleep(random.below(gapMs));
    const name = random.pick(Object.keys(faults) as (keyof typeof faults)[]);
    await faults[name](random.pick(victims), random);
    done.push(name);
  }
  for (const { proxy } of victims) proxy.forwardAll();
  return done;
}
