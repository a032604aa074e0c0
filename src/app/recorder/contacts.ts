import type { OwnerConnection } from '../../inspector/owners/ownerFacts.ts';

interface Contact {
  /** Of the last answer to it, as its server says. */
  answeredAt: number | undefined;
  /** It was in contact at that moment or later, steady ms. */
  since: number | undefined;
  timeoutMs: number | undefined;
  /** When the server was asked that listed it last, steady ms. */
  listedAt: number;
}

interface ServerContacts {
  /** When it was asked last, steady ms. */
  askedAt: number;
  bySession: Map<bigint, Contact>;
  /** Some that it listed were forgotten. */
  isCut: boolean;
}

/** A session cannot run out within its time-out; so much of it is left away, since clocks of two machines run differently. */
const certainPart = 0.98;
/** Of one server: more are not kept, so that memory stays flat. */
const mostSessions = 50_000;
/** Of a session whose server does not say it, ms: the longest that servers grant by default. */
const longestTimeoutMs = 40_000;

/**
 * When sessions were in contact with their servers, by comparing what a server says of its connections with what it said before. No
 * clock of a server is compared with ours: a connection that was answered since the last question was in contact since then.
 *
 * A session that moved may be listed by its former server, too, until that one notices: what servers say is kept apart. The leader lets
 * sessions expire, and hears from its followers now and then only, from one that is cut off not at all: contacts with those prove nothing.
 */
export class Contacts {
  private readonly servers = new Map<string, ServerContacts>();

  /** @param askedAt steady ms, before the question */
  note(server: string, connections: ReadonlyMap<bigint, OwnerConnection>, askedAt: number): void {
    const before = this.servers.get(server);
    const bySession = before?.bySession ?? new Map<bigint, Contact>();
    for (const [session, { last, timeoutMs }] of connections) {
      const known = bySession.get(session);
      const since = sinceOf(known, last, before);
      const granted = timeoutMs ?? known?.timeoutMs;
      bySession.set(session, { answeredAt: last?.at, since, timeoutMs: granted, listedAt: askedAt });
    }
    this.servers.set(server, { askedAt, bySession, isCut: bySession.size > mostSessions });
    forget(bySession, askedAt);
  }

  timeoutOf(session: bigint): number | undefined {
    const all = this.contactsOf(session).flatMap(({ timeoutMs }) => timeoutMs ?? []);
    return all.length === 0 ? undefined : Math.min(...all);
  }

  /**
   * Whether a session cannot have run out before a moment.
   *
   * @param at steady ms
   * @param leader that would have let it expire, or the lone server
   * @param since it was in contact with that one then or later, by other evidence; steady ms
   * @param shortestMs of all time-outs that the servers grant
   */
  cannotExpireBefore(session: bigint, at: number, leader: string, since = -Infinity, shortestMs = 0): boolean {
    const last = Math.max(since, this.servers.get(leader)?.bySession.get(session)?.since ?? -Infinity);
    return at < last + certainPart * (this.timeoutOf(session) ?? shortestMs);
  }

  /** Servers may have been started again. */
  restart(): void {
    this.servers.clear();
  }

  private contactsOf(session: bigint): Contact[] {
    return Array.from(this.servers.values(), ({ bySession }) => bySession.get(session) ?? []).flat();
  }
}

/** @param before what its server said before */
function sinceOf(
  known: Contact | undefined,
  last: OwnerConnection['last'],
  before: ServerContacts | undefined,
): number | undefined {
  const isSame = known !== undefined && known.answeredAt === last?.at;
  // The request that was answered may have come before the former question.
  if (isSame || before === undefined) return known?.since;
  // One that is not known may have been forgotten: then nothing shows that its connection is new.
  if (known === undefined && before.isCut) return undefined;
  return before.askedAt - (last?.latencyMs ?? Infinity);
}

/** Those that were not listed for a whole time-out prove nothing any more. */
function forget(bySession: Map<bigint, Contact>, now: number): void {
  for (const [session, { listedAt, timeoutMs = longestTimeoutMs }] of bySession) {
    if (now - listedAt > timeoutMs || bySession.size > mostSessions) bySession.delete(session);
  }
}
