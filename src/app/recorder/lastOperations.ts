import type { OwnerConnection } from '../../inspector/owners/ownerFacts.ts';
import type { Author } from './endCauses.ts';
import type { KnownDeed, KnownTransactions } from './knownTransactions.ts';

/** Deletions are seen within seconds of what the servers say of them. */
const keptTransactions = 5_000;

/** Operations that may delete a node. */
const deleting = new Set(['DELE', 'MULT', 'CLOS']);

/** What operations do that end no session. `NA`, one that is not known, may be any. */
const deeds = new Map<string, KnownDeed>([
  ...['SESS', 'CREA', 'SETD', 'SETA', 'CHEC', 'RECO'].map(name => [name, 'wrote'] as const),
  ['DELE', 'deleted-one'],
  ['MULT', 'deleted'],
]);

function deedOf(operation: string, areSessionsGlobal: boolean): KnownDeed | undefined {
  return areSessionsGlobal || operation !== 'SESS' ? deeds.get(operation) : undefined;
}

/** Which session made which transaction, by what the servers say of the last operation of each connection. */
export class LastOperations {
  private readonly byZxid = new Map<bigint, Author[]>();

  /**
   * @param known gets the transactions that ended no session
   * @param areSessionsGlobal no session is local: the begin of a local one is no transaction, and its server says that of another client
   */
  note(connections: ReadonlyMap<bigint, OwnerConnection>, known: KnownTransactions, areSessionsGlobal: boolean): void {
    for (const [session, { last }] of connections) {
      if (last === undefined) continue;
      const deed = deedOf(last.name, areSessionsGlobal);
      if (deed !== undefined) known.note(last.zxid, deed);
      if (!deleting.has(last.name)) continue;
      const authors = this.byZxid.get(last.zxid) ?? [];
      if (authors.some(author => author.session === session)) continue;
      authors.push({ session, operation: last.name });
      this.byZxid.set(last.zxid, authors);
    }
    for (const zxid of this.byZxid.keys()) {
      if (this.byZxid.size <= keptTransactions) break;
      this.byZxid.delete(zxid);
    }
  }

  /** Who says that it made that transaction; more than one where one of them was refused. */
  authorsOf(zxid: bigint): readonly Author[] {
    return this.byZxid.get(zxid) ?? [];
  }

  /** Other transactions may get the same numbers: of another ensemble, or of one that lost its data. */
  clear(): void {
    this.byZxid.clear();
  }
}
