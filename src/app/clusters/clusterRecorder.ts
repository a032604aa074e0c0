import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { Hold, Moment, Wait } from '../../history/hold.ts';
import type { Gap, RecordedSession } from '../../replay/recording.ts';

/**
 * How the recording of a cluster stands. `waiting`: it is wanted, and there is no connection. `standby`: another window records this
 * cluster. `failed`: until it is started again.
 */
export type RecorderState =
  | { kind: 'off' }
  | { kind: 'waiting' }
  | { kind: 'starting' }
  | {
      kind: 'recording';
      /** Epoch ms of this machine's clock. */
      since: number;
      watches: number;
      /** That were seen. */
      locks: number;
      /** Since then. */
      entries: number;
      /** Of the journal on disk, former files included. */
      bytes: number;
      requestsPerMinute: number;
    }
  | { kind: 'standby' }
  | { kind: 'failed'; error: unknown };

/** What the recorder of this window has seen of the locks of one cluster, within the limits of its memory; it grows. */
export interface RecordedPast {
  readonly from: Moment;
  readonly to: Moment;
  readonly gaps: readonly Gap[];
  /** How much it has seen: another number means that something was added. */
  readonly entries: number;
  /** Ordered by `from.zxid`. @param path of a lock; default: of all */
  holds(path?: string): Hold[];
  /** Ordered by `queued.zxid`. @param path of a lock; default: of all */
  waits(path?: string): Wait[];
  /** The hold that a node has now. @param path of the node */
  holdOf(path: string, czxid: bigint): Hold | undefined;
  /** Those that are known, gone ones too, by id. */
  sessions(): ReadonlyMap<bigint, RecordedSession>;
}

/** The recorder of one cluster, as its rows and panels need it. */
export interface ClusterRecorder {
  readonly state: RecorderState;
  /** While this window records. */
  readonly past: RecordedPast | undefined;
  /** @param listener called when the state is another one, or more is known of the past */
  onChange(listener: () => void): Disposable;
}

/** The recorders of the clusters of this window. */
export interface RecorderSource {
  /** The id of a cluster: its state is another one, or more is known of its past. */
  readonly onChange: Event<string>;
  state(id: string): RecorderState;
  past(id: string): RecordedPast | undefined;
}

/** Records nothing until the real source is set, which needs the list of clusters. */
export class DeferredRecorders implements RecorderSource {
  readonly onChange: Event<string>;
  private readonly changed: Emitter<string>;
  private source: RecorderSource | undefined;

  constructor(logger: Logger) {
    this.changed = new Emitter(logger);
    this.onChange = this.changed.event;
  }

  state(id: string): RecorderState {
    return this.source?.state(id) ?? { kind: 'off' };
  }

  past(id: string): RecordedPast | undefined {
    return this.source?.past(id);
  }

  /** Sets the source, once. */
  follow(source: RecorderSource): void {
    if (this.source !== undefined) return;
    this.source = source;
    source.onChange(id => this.changed.fire(id));
  }
}

/** The recorder of one cluster. */
export function recorderOf(source: RecorderSource, id: string): ClusterRecorder {
  return {
    get state() {
      return source.state(id);
    },
    get past() {
      return source.past(id);
    },
    onChange: listener =>
      source.onChange(changed => {
        if (changed === id) listener();
      }),
  };
}
