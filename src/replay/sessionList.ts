import type { Moment } from '../history/hold.ts';
import type { Transaction } from '../dataTree/transaction.ts';
import type { RecordedSession } from './recording.ts';
import type { StoredData } from './storedData.ts';

/** The sessions that logs and snapshots show. */
export class SessionList {
  private readonly byId = new Map<bigint, RecordedSession>();

  get all(): ReadonlyMap<bigint, RecordedSession> {
    return this.byId;
  }

  /** A snapshot has it: it was open. */
  noteOpen(id: bigint, timeoutMs: number): void {
    const session = this.byId.get(id);
    if (session === undefined) this.byId.set(id, { timeoutMs });
    else session.timeoutMs ??= timeoutMs;
  }

  /** A transaction was applied. */
  note({ sessionId, cxid, zxid, time, change }: Transaction<StoredData>): void {
    if (change.type === 'createSession') this.open(sessionId, change.timeoutMs, { zxid, time });
    // What a client asks for has the number of its request, what the server does by itself has none.
    else if (change.type === 'closeSession') this.end(sessionId, cxid === 0 ? 'expired' : 'closed', { zxid, time });
  }

  private open(id: bigint, timeoutMs: number, opened: Moment): void {
    this.byId.set(id, { opened, timeoutMs });
  }

  private end(id: bigint, how: 'closed' | 'expired', ended: Moment): void {
    const session = this.byId.get(id) ?? {};
    this.byId.set(id, session);
    session.ended ??= ended;
    session.how ??= how;
  }
}
