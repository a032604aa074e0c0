import type { Lease } from '../recipes/lock.ts';
import type { ScenarioRecipe } from './scenario.ts';

/** The fencing token of one grant, and the highest of those that it must exceed. */
export interface Grant {
  readonly token: bigint;
  readonly above: bigint;
}

/**
 * The grants of each lock, in their order. Kleppmann ("How to do distributed locking", 2016): a store that refuses a token which is
 * not above all that it has seen needs tokens that grow from one holder to the next. Readers and leases that hold together have no
 * order among themselves, so theirs are compared with those that had ended before.
 */
export class Grants {
  private readonly byPath = new Map<string, { readonly lease: Lease; readonly grant: Grant }[]>();

  /** @param path of the lock; a multi-lock has the token of its first lock */
  note(path: string, lease: Lease, { name }: ScenarioRecipe): void {
    const known = this.byPath.get(path) ?? [];
    const { fencingToken: token } = lease;
    // A mutex that a session takes once more keeps its token.
    if (known.at(-1)?.grant.token === token) return;
    const mayShare = name === 'read' || name === 'semaphore';
    const before = known.filter(each => !mayShare || each.lease.state === 'released' || each.lease.state === 'lost');
    const above = before.reduce((most, { grant }) => (grant.token > most ? grant.token : most), 0n);
    known.push({ lease, grant: { token, above } });
    this.byPath.set(path, known);
  }

  at(path: string): readonly Grant[] {
    return (this.byPath.get(path) ?? []).map(({ grant }) => grant);
  }
}
