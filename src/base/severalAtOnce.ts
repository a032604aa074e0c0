/**
 * Calls for each value of a list, with some calls under way at the same time. After a failure no further call begins.
 *
 * @param most calls at the same time
 * @throws what the first failing call throws
 */
export async function severalAtOnce<T>(
  all: readonly T[],
  most: number,
  call: (each: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const callOn = async (): Promise<void> => {
    while (next < all.length) {
      const at = next++;
      try {
        await call(all[at] as T);
      } catch (error) {
        next = all.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, callOn));
}
