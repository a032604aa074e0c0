import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { RecordedPast, RecorderSource, RecorderState } from '../../../../src/app/clusters/clusterRecorder.ts';
import type { JournalEntry } from '../../../../src/journal/entry.ts';
import { JournalState } from '../../../../src/journal/journalState.ts';

/** Recorders that do what a test says; one state and one past for all clusters. */
export class FakeRecorders implements RecorderSource {
  shown: RecorderState = { kind: 'off' };
  known: RecordedPast | undefined;
  private readonly changed = new Emitter<string>(nullLogger);
  readonly onChange = this.changed.event;

  state(): RecorderState {
    return this.shown;
  }

  past(): RecordedPast | undefined {
    return this.known;
  }

  /** Another state, or more of the past. */
  change(id: string, state: RecorderState = this.shown, past = this.known): void {
    this.shown = state;
    this.known = past;
    this.changed.fire(id);
  }
}

export const recordingState: Extract<RecorderState, { kind: 'recording' }> = {
  kind: 'recording',
  since: 0,
  watches: 1,
  locks: 2,
  entries: 3,
  bytes: 3_400_000,
  requestsPerMinute: 12.4,
};

/** The name of a contender of Curator's mutex. */
export function contenderName(digit: number, sequence: number): string {
  const group = (length: number): string => String(digit).repeat(length);
  const id = [8, 4, 4, 4, 12].map(group).join('-');
  return `_c_${id}-lock-${String(sequence).padStart(10, '0')}`;
}

/** What a recorder has seen of the lock `/locks/a` by the servers' clock; each entry has the next zxid. */
export class FakePast {
  readonly state = new JournalState();
  private readonly startMs: number;
  private zxid = 10n;

  /** @param startMs epoch ms of second 0 */
  constructor(startMs: number) {
    this.startMs = startMs;
    this.apply({ type: 'begin', at: this.at(0) }, { type: 'complete', at: this.at(0) });
  }

  at(second: number): { zxid: bigint; time: number } {
    return { zxid: this.zxid, time: this.startMs + 1_000 * second };
  }

  apply(...entries: JournalEntry[]): void {
    for (const entry of entries) this.state.apply(entry);
  }

  /** A contender queues. @returns its czxid */
  come(name: string, second: number, owner = 0x100n): bigint {
    this.zxid++;
    const { zxid, time } = this.at(second);
    const times = { czxid: zxid, mzxid: zxid, ctime: time, mtime: time, version: 0 };
    const node = { path: `/locks/a/${name}`, ...times, owner, data: new Uint8Array(0) };
    this.apply({ type: 'node', at: { zxid, time }, node });
    return zxid;
  }

  go(name: string, czxid: bigint, second: number): void {
    this.zxid++;
    this.apply({ type: 'gone', at: this.at(second), path: `/locks/a/${name}`, czxid });
  }
}
