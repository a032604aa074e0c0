import type { Contender } from '../../locks/lockQueue.ts';

/** The contender that another one waits for. */
export interface Ahead {
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
}

/** Most wait for one of those right before them, or for one at the head. */
const nearby = 64;

/**
 * Finds who a contender waits for. Goes through the whole queue once at most, and only for one that waits for a contender that is
 * neither near nor at the head.
 */
export function startAheadOf(
  contenders: readonly Contender[],
): (contender: Contender, at: number) => Ahead | undefined {
  let indexOf: Map<string, number> | undefined;
  const find = (name: string, at: number): number => {
    for (let index = at - 1; index >= Math.max(0, at - nearby); index--)
      if (contenders[index]?.name === name) return index;
    for (let index = 0; index < nearby; index++) if (contenders[index]?.name === name) return index;
    indexOf ??= new Map(contenders.map((contender, index) => [contender.name, index]));
    return indexOf.get(name) ?? -1;
  };
  return ({ waitsFor }, at) => {
    const index = waitsFor === undefined ? -1 : find(waitsFor, at);
    const contender = contenders[index];
    return contender === undefined ? undefined : { contender, position: index + 1 };
  };
}
