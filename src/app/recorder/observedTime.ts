import { ServerClock, type WallAndSteadyClock } from '../../history/clocks.ts';
import type { Moment } from '../../history/hold.ts';
import type { JournalNode } from '../../journal/entry.ts';

/** The time of the servers, by the events of new nodes, for what carries none of its own: deletions, and that nothing happens. */
export class ObservedTime {
  private readonly clocks: WallAndSteadyClock;
  private readonly server: ServerClock;
  /** While an event is noted: when it came. */
  private eventAt: number | undefined;

  constructor(clocks: WallAndSteadyClock) {
    this.clocks = clocks;
    this.server = new ServerClock({
      now: () => clocks.now(),
      monotonicNow: () => this.eventAt ?? clocks.monotonicNow(),
    });
  }

  /** Ms of the monotonic clock. */
  get steady(): number {
    return this.clocks.monotonicNow();
  }

  /** Epoch ms of the server's clock. @param steady ms of the monotonic clock; default now */
  at(steady = this.steady): number {
    return Math.round(steady + this.server.base);
  }

  /** A node came. @param seenAt when its event came, steady ms; absent: it was read only, so it may be old */
  note({ czxid, ctime }: JournalNode, seenAt?: number): void {
    this.eventAt = seenAt;
    this.server.note([{ czxid, createdAt: ctime }], seenAt !== undefined);
    this.eventAt = undefined;
  }

  /** What comes may be from another leader. */
  restart(): void {
    this.server.restart();
  }

  /** The time at which the last confirmed contact was. @param wall epoch ms of this machine, as `ZooKeeperClient.lastContactAt` */
  ofContact(wall: number): number {
    return this.at(this.steady - Math.max(0, this.clocks.now() - wall));
  }
}

/** The later of two moments in the order of transactions, with a time that does not go back. */
export function notBefore(before: Moment, at: Moment): Moment {
  return { zxid: at.zxid > before.zxid ? at.zxid : before.zxid, time: Math.max(at.time, before.time) };
}
