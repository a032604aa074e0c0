/** Remembers what a test said of each key. */
export function cached<K>(test: (key: K) => boolean): (key: K) => boolean {
  const results = new Map<K, boolean>();
  return key => {
    const result = results.get(key) ?? test(key);
    results.set(key, result);
    return result;
  };
}
