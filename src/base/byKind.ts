/**
 * A function of a union, put together from one row for each kind. A missing kind is a type error.
 *
 * @param rows each gets the value, narrowed to its kind, and the further arguments
 */
export function byKind<U extends { kind: string }, R, Rest extends unknown[] = []>(rows: {
  [K in U['kind']]: (value: U & { kind: K }, ...rest: Rest) => R;
}): (value: U, ...rest: Rest) => R {
  return (value, ...rest) => rows[value.kind as U['kind']](value, ...rest);
}
