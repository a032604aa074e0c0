import type { Interruptible } from '../base/interruptible.ts';
import type { Moment } from '../history/hold.ts';
import type { LockFollower } from './lockFollower.ts';
import type { Gap, GapCause } from './recording.ts';

/** Since when the picture is not sure, and why. */
interface Doubt {
  from: Moment;
  why: 'no snapshot' | 'fuzzy snapshot';
}

/**
 * From when to when the nodes that are known are those that were there, and what the history of the locks makes of it: behind a gap it
 * begins with what is there; of a fuzzy snapshot it waits for the end.
 */
export class Certainty {
  private readonly follower: LockFollower;
  private readonly past: Gap[] = [];
  private doubt: Doubt | undefined;
  private firstSure: Moment | undefined;
  private isFollowed = false;

  constructor(follower: LockFollower) {
    this.follower = follower;
  }

  /** Whether changes of nodes are changes that happened, for the history of the locks. */
  get isFollowing(): boolean {
    return this.isFollowed;
  }

  get isSure(): boolean {
    return this.doubt === undefined;
  }

  get isFuzzy(): boolean {
    return this.doubt?.why === 'fuzzy snapshot';
  }

  /** Ordered by `from`. @param last the last moment that is known */
  gaps(last: Moment): Gap[] {
    return this.doubt === undefined ? [...this.past] : [...this.past, { ...this.doubt, to: last, lastsAtEnd: true }];
  }

  /** @param last the last moment that is known */
  sureFrom(last: Moment): Moment {
    return this.firstSure ?? last;
  }

  /** Nothing is known of what was between two moments. What is there from then on is in doubt. */
  cross(from: Moment, to: Moment, why: GapCause): void {
    if (this.doubt !== undefined) this.past.push({ ...this.doubt, to: from, lastsAtEnd: true });
    this.doubt = undefined;
    this.stop(from);
    this.past.push({ from, to, why });
  }

  /** The nodes are those of a snapshot, in part as they were later. */
  beginFuzzy(from: Moment): void {
    this.endDoubt(from);
    this.stop(from);
    this.doubt = { from, why: 'fuzzy snapshot' };
  }

  /** What was there before is not known, but what happens from now on is. */
  *beginUnsure(from: Moment): Interruptible<void> {
    this.doubt = { from, why: 'no snapshot' };
    this.isFollowed = true;
    // That a node is still among those that are known proves nothing: none of the files says that it is there.
    yield* this.follower.begin(from, false);
  }

  /** From now on the nodes that are known are those that are there. */
  *beginSure(from: Moment): Interruptible<void> {
    this.endDoubt(from);
    this.stop(from);
    this.firstSure ??= from;
    this.isFollowed = true;
    yield* this.follower.begin(from);
  }

  /** The files end before the end of a fuzzy snapshot. */
  *lookAtFuzzy(last: Moment): Interruptible<void> {
    if (this.isFollowed) return;
    this.isFollowed = true;
    yield* this.follower.begin(last);
  }

  private endDoubt(to: Moment): void {
    if (this.doubt !== undefined) this.past.push({ ...this.doubt, to });
    this.doubt = undefined;
  }

  private stop(moment: Moment): void {
    if (this.isFollowed) this.follower.interrupt(moment);
    this.isFollowed = false;
  }
}
