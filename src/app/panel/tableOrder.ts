import type { Contender } from '../../locks/lockQueue.ts';
import type { PanelView } from '../../protocol.ts';
import { startAheadOf } from './aheadOf.ts';

/** Addresses of owner sessions, as far as they were looked up. A new map for each look-up, so a change shows by identity. */
export type Addresses = ReadonlyMap<bigint, string>;

/** What the rows are sorted by. */
type Sort = NonNullable<PanelView['sort']>;

/**
 * Sorts the rows of a table of contenders. The last order of each queue is cached: turning a page or typing a filter sorts nothing,
 * and the cache entry goes with its queue.
 */
export class TableOrder {
  private readonly kindText: (kind: Contender['kind']) => string;
  private readonly cache = new WeakMap<readonly Contender[], Sort & { addresses: Addresses; order: Uint32Array }>();

  /** @param kindText a kind as the table shows it */
  constructor(kindText: (kind: Contender['kind']) => string) {
    this.kindText = kindText;
  }

  /** @returns indexes into `contenders`; `undefined` for grant order */
  of(contenders: readonly Contender[], sort: Sort | undefined, addresses: Addresses): Uint32Array | undefined {
    if (sort === undefined || (sort.column === 'position' && !sort.descending)) return undefined;
    const last = this.cache.get(contenders);
    if (last?.column === sort.column && last.descending === sort.descending && last.addresses === addresses) {
      return last.order;
    }
    const order = sorted(contenders, this.keyOf(sort.column, contenders, addresses), sort.descending ? -1 : 1);
    this.cache.set(contenders, { ...sort, addresses, order });
    return order;
  }

  /** A column of numbers is compared as numbers, so 9 comes before 10. An empty text stands for a missing value. */
  private keyOf(column: Sort['column'], contenders: readonly Contender[], addresses: Addresses): KeyOf {
    switch (column) {
      case 'position':
        return (_contender, at) => at;
      case 'kind':
        return ({ kind }) => this.kindText(kind);
      case 'who':
        return ({ identifier }) => identifier.trim().toLowerCase();
      case 'address':
        return ({ ownerSession }) => addresses.get(ownerSession) ?? '';
      case 'age':
        // The youngest first when ascending.
        return ({ createdAt, heldSince, isUnread }) => (isUnread === true ? '' : -(heldSince?.earliest ?? createdAt));
      case 'waitsFor': {
        const ahead = startAheadOf(contenders);
        return (contender, at) => ahead(contender, at)?.position ?? '';
      }
      case 'session':
        return ({ ownerSession }) => (ownerSession === 0n ? '' : BigInt.asUintN(64, ownerSession));
      case 'sequence':
        return ({ sequence }) => sequence ?? '';
      case 'czxid':
        return ({ czxid, isUnread }) => (isUnread === true ? '' : czxid);
    }
  }
}

type KeyOf = (contender: Contender, at: number) => string | number | bigint;

/** Equal keys stay in grant order, and an empty key comes last, both in either direction. */
function sorted(contenders: readonly Contender[], keyOf: KeyOf, direction: number): Uint32Array {
  const keys = contenders.map(keyOf);
  return Uint32Array.from(keys.keys()).sort((left, right) => {
    const one = keys[left] ?? '';
    const other = keys[right] ?? '';
    if (one === other) return left - right;
    if (one === '') return 1;
    if (other === '') return -1;
    return one < other ? -direction : direction;
  });
}
