import type { RecordedSession } from '../replay/recording.ts';
import type { JournalSession } from './entry.ts';

/** The sessions of a journal: what is known of each grows. */
export class JournalSessions {
  private readonly byId = new Map<bigint, RecordedSession>();

  get all(): ReadonlyMap<bigint, RecordedSession> {
    return this.byId;
  }

  note({ id, address, host, process, timeoutMs, ended, how }: JournalSession): void {
    const session = this.byId.get(id) ?? {};
    this.byId.set(id, session);
    if (address !== undefined) session.address = address;
    if (host !== undefined) session.host = host;
    if (process !== undefined) session.process = process;
    if (timeoutMs !== undefined) session.timeoutMs = timeoutMs;
    if (ended !== undefined) session.ended = ended;
    if (how !== undefined) session.how = how;
  }

  /** As an entry says it. */
  entryOf(id: bigint): JournalSession {
    return sessionEntry(id, this.byId.get(id) ?? {});
  }

  /** Forgets all other ones. */
  keep(wanted: ReadonlySet<bigint>): void {
    for (const id of this.byId.keys()) if (!wanted.has(id)) this.byId.delete(id);
  }
}

/** What is known of a session as an entry says it. */
export function sessionEntry(
  id: bigint,
  { address, host, process, timeoutMs, ended, how }: RecordedSession,
): JournalSession {
  return {
    id,
    ...(address !== undefined && { address }),
    ...(host !== undefined && { host }),
    ...(process !== undefined && { process }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(ended !== undefined && { ended }),
    ...(how !== undefined && { how }),
  };
}
