import type { Moment } from '../history/hold.ts';
import type { Gap, GapCause } from '../replay/recording.ts';

/** The parts of a journal of which not everything is known, by their begins. */
export class GapList {
  private readonly closed: Gap[] = [];
  private readonly newestKept: number;
  private open: { from: Moment; why: GapCause } | undefined;

  constructor(newestKept: number) {
    this.newestKept = newestKept;
  }

  /** Since when one lasts now. */
  get since(): Moment | undefined {
    return this.open?.from;
  }

  /** @param to the last moment that is known */
  until(to: Moment): readonly Gap[] {
    return this.open === undefined ? [...this.closed] : [...this.closed, { ...this.open, to, lastsAtEnd: true }];
  }

  /** One begins, unless one lasts already. */
  begin(from: Moment, why: GapCause): void {
    this.open ??= { from, why };
  }

  end(to: Moment): void {
    if (this.open === undefined) return;
    this.closed.push({ ...this.open, to });
    if (this.closed.length > this.newestKept) this.closed.shift();
    this.open = undefined;
  }
}
