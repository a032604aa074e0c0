import type { Contender } from '../../../locks/lockQueue.ts';
import { timelineLanes, type History, type Hold } from '../../../protocol.ts';

const newestKept = 100;

export interface OpenHold {
  contender: Contender;
  shown: Hold;
}

/** The holds of a history: all that last still, and the newest. */
export class Holds {
  private readonly lasting = new Map<string, OpenHold>();
  private newest: Hold[] = [];

  /** Those that last still, oldest first. */
  get open(): Iterable<OpenHold> {
    return this.lasting.values();
  }

  get areOpen(): boolean {
    return this.lasting.size > 0;
  }

  /** What the page is sent of them; as many as can be drawn. */
  get sent(): Pick<History, 'holds' | 'leftOut'> {
    const newest = new Set(this.newest);
    const older = [...this.lasting.values()].map(({ shown }) => shown).filter(hold => !newest.has(hold));
    const sent = older.slice(0, timelineLanes);
    return { holds: [...sent, ...newest], leftOut: older.length - sent.length };
  }

  has(path: string): boolean {
    return this.lasting.has(path);
  }

  begin(hold: OpenHold): void {
    this.lasting.set(hold.contender.path, hold);
    this.newest.push(hold.shown);
    if (this.newest.length > newestKept) this.newest.shift();
  }

  end({ contender, shown }: OpenHold, until: number): void {
    shown.until = until;
    this.lasting.delete(contender.path);
  }

  clear(): void {
    this.lasting.clear();
    this.newest = [];
  }
}
