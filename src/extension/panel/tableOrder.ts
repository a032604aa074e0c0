import type { Contender } from '../../locks/lockQueue.ts';
import type { PanelView, TableColumn } from '../../protocol.ts';
import { kindText } from '../words/kindText.ts';

type Sort = NonNullable<PanelView['sort']>;
type Key = string | number | bigint;

/** What the keys are made of besides the contender. */
export interface OrderFacts {
  /** Addresses of owner sessions, as far as somebody asked for them. A new map for every answer. */
  addresses: ReadonlyMap<bigint, string>;
}

interface Sorted extends Sort {
  addresses: OrderFacts['addresses'];
  order: Uint32Array;
}

/**
 * The rows of the table in the order that the person chose, as places in the queue. The last order of each queue is kept:
 * a view that scrolls or filters sorts nothing, and a queue that is gone takes its order with it.
 */
export class TableOrder {
  private readonly known = new WeakMap<readonly Contender[], Sorted>();

  /** @returns `undefined` for grant order, which needs no list */
  of(contenders: readonly Contender[], sort: PanelView['sort'], { addresses }: OrderFacts): Uint32Array | undefined {
    if (sort === undefined || (sort.column === 'position' && !sort.descending)) return undefined;
    const known = this.known.get(contenders);
    if (known?.column === sort.column && known.descending === sort.descending && known.addresses === addresses) {
      return known.order;
    }
    const order = sorted(contenders, sort, addresses);
    this.known.set(contenders, { ...sort, addresses, order });
    return order;
  }
}

/** Equal keys stay in grant order in both directions; an empty key comes last in both, since it tells nothing. */
function sorted(contenders: readonly Contender[], sort: Sort, addresses: OrderFacts['addresses']): Uint32Array {
  const keyOf = keys[sort.column];
  const known = contenders.map((contender, at) => keyOf(contender, at, addresses));
  const direction = sort.descending ? -1 : 1;
  return Uint32Array.from(known.keys()).sort((left, right) => {
    const one = known[left] ?? '';
    const other = known[right] ?? '';
    if (one === other) return left - right;
    if (one === '') return 1;
    if (other === '') return -1;
    return one < other ? -direction : direction;
  });
}

type KeyOf = (contender: Contender, at: number, addresses: OrderFacts['addresses']) => Key;

/** Compared by value where there is a number behind the text, so that 9 comes before 10. An empty text: nothing is known. */
const keys: Record<TableColumn, KeyOf> = {
  position: (_contender, at) => at,
  kind: ({ kind }) => kindText(kind),
  who: ({ identifier }) => identifier.trim().toLowerCase(),
  address: ({ ownerSession }, _at, addresses) => addresses.get(ownerSession) ?? '',
  // The younger one is less.
  age: ({ createdAt }) => -createdAt,
  waitsFor: ({ waitsFor }) => waitsFor ?? '',
  session: ({ ownerSession }) => (ownerSession === 0n ? '' : BigInt.asUintN(64, ownerSession)),
  sequence: ({ sequence }) => sequence ?? '',
  czxid: ({ czxid }) => czxid,
};
