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

/** Which session made which transaction, by what the servers say of the last operation of each connection. */
export class LastOperations {
  private readonly byZxid = new Map<bigint, Author[]>();

  /** @param known gets the transactions that ended no session */
  note(connections: ReadonlyMap<bigint, OwnerConnection>, known: KnownTransactions): void {
    for (const [session, { last }] of connections) {
      if (last === undefined) continue;
      const deed = deeds.get(last.name);
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
