/**
 * The part of an attempt's id that stands in a node's data where the name holds none. Short, since people read it; together
 * with the owner session 32 bits are plenty.
 */
export function dataId(attemptId: string): string {
  return attemptId.slice(0, 8);
}
