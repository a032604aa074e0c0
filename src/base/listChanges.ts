/** First look so far ahead for a value that both lists have, then ever farther. */
const firstReach = 16;

/**
 * What a list has that an earlier one had not, by identity. Where both share long stretches it compares pointers only and looks into
 * no value, so that 100,000 of them take a fraction of a ms. A value that moved to another place may be among the results.
 */
export function additionsTo<T extends object>(before: readonly T[], after: readonly T[]): T[] {
  const added: T[] = [];
  let from = 0;
  let to = 0;
  while (to < after.length) {
    if (after[to] === before[from]) {
      from++;
      to++;
      continue;
    }
    const next = nextShared(before, from, after, to);
    for (const each of after.slice(to, next.to)) added.push(each);
    ({ from, to } = next);
  }
  return added;
}

/** Where the lists go on together; their ends if they do not. */
function nextShared<T>(
  before: readonly T[],
  from: number,
  after: readonly T[],
  to: number,
): { from: number; to: number } {
  for (let reach = firstReach; ; reach *= 4) {
    const places = new Map(before.slice(from, from + reach).map((each, at) => [each, from + at]));
    const end = Math.min(after.length, to + reach);
    for (let at = to; at < end; at++) {
      const place = places.get(after[at] as T);
      if (place !== undefined) return { from: place, to: at };
    }
    if (from + reach >= before.length && end === after.length) return { from: before.length, to: after.length };
  }
}
