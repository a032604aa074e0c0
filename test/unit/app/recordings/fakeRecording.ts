import type { Hold, Moment, Wait } from '../../../../src/history/hold.ts';
import type { Instant, RecordedSession, Recording } from '../../../../src/replay/recording.ts';
import { FakeClient } from '../../../support/fakeClient.ts';

/** One transaction of a fake recording: a node below `/locks/a` comes or goes. */
export interface FakeChange {
  /** Seconds. */
  at: number;
  put?: string;
  drop?: string;
  owner?: bigint;
}

/** `/locks` and `/locks/a` were made before. */
const firstZxid = 3n;

export const at = (zxid: bigint, seconds: number): Moment => ({ zxid, time: seconds * 1_000 });

/** A hold of `/locks/a`, over when `to` is given. */
export function holdOf(name: string, from: Moment, to?: Moment, fields: Partial<Hold> = {}): Hold {
  return {
    path: '/locks/a',
    name,
    kind: 'exclusive',
    identifier: name,
    ownerSession: 0x100n,
    czxid: from.zxid,
    queued: from,
    from,
    ...(to === undefined ? {} : { to, ended: 'released' }),
    ...fields,
  };
}

/** A wait at `/locks/a`, over when `to` is given. */
export function waitOf(name: string, queued: Moment, to?: Moment, fields: Partial<Wait> = {}): Wait {
  return {
    path: '/locks/a',
    name,
    kind: 'exclusive',
    identifier: name,
    ownerSession: 0x200n,
    czxid: queued.zxid,
    queued,
    ...(to === undefined ? {} : { to, ended: 'released' }),
    ...fields,
  };
}

/** What a test says of the past. The state at a moment is that of the changes up to it, whose zxids are 3, 4, 5, … */
export class FakeRecording implements Recording {
  sureFrom: Moment;
  gaps: Recording['gaps'] = [];
  problems: Recording['problems'] = [];
  /** What `readMore` finds. */
  coming: FakeChange[] = [];
  isClosed = false;
  allHolds: Hold[] = [];
  allWaits: Wait[] = [];
  readonly allSessions = new Map<bigint, RecordedSession>();
  private readonly changes: FakeChange[];

  constructor(changes: readonly FakeChange[] = [{ at: 0 }]) {
    this.changes = [...changes];
    this.sureFrom = this.from;
  }

  get from(): Moment {
    return this.momentOf(0);
  }

  get to(): Moment {
    return this.momentOf(this.changes.length - 1);
  }

  get transactions(): number {
    return this.changes.length;
  }

  locks() {
    return [{ path: '/locks/a', dialect: 'curator' as const }];
  }

  holds(path?: string): Hold[] {
    return this.allHolds.filter(hold => path === undefined || hold.path === path);
  }

  waits(path?: string): Wait[] {
    return this.allWaits.filter(wait => path === undefined || wait.path === path);
  }

  session(id: bigint) {
    return this.allSessions.get(id);
  }

  sessions() {
    return this.allSessions;
  }

  momentAt(instant: Instant): Moment {
    const isBefore = (moment: Moment): boolean =>
      'zxid' in instant ? moment.zxid <= instant.zxid : moment.time <= instant.time;
    const moments = this.changes.map((_, index) => this.momentOf(index));
    return moments.findLast(isBefore) ?? this.from;
  }

  at(instant: Instant): FakeClient {
    const client = new FakeClient();
    client.put('/locks/a');
    const { zxid } = this.momentAt(instant);
    for (const { put, drop, owner = 0x100n } of this.changes.slice(0, Number(zxid - firstZxid) + 1)) {
      if (put !== undefined) client.put(`/locks/a/${put}`, { owner });
      if (drop !== undefined) client.drop(`/locks/a/${drop}`);
      // Every transaction counts.
      if (put === undefined && drop === undefined) client.change('/locks', '');
    }
    return client;
  }

  readMore(): Promise<boolean> {
    const found = this.coming;
    this.coming = [];
    this.changes.push(...found);
    return Promise.resolve(found.length > 0);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  private momentOf(index: number): Moment {
    return at(firstZxid + BigInt(index), this.changes[index]?.at ?? 0);
  }
}
