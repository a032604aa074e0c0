/**
 * Locks by key, in the order in which they came, and by path: with thousands of them, each reading would otherwise look through
 * all for those of its path.
 */
export class LockTable<Lock extends { readonly path: string }> extends Map<string, Lock> {
  /** In the order of the table; no list is empty. */
  private readonly keysAt = new Map<string, string[]>();

  /** @returns the locks that are read at `path`, in a list of its own that follows no later change */
  at(path: string): Lock[] {
    return (this.keysAt.get(path) ?? []).flatMap(key => this.get(key) ?? []);
  }

  /** A lock of another path than the one that had the key comes last; otherwise it takes that one's place. */
  override set(key: string, lock: Lock): this {
    if (this.get(key)?.path === lock.path) return super.set(key, lock);
    this.delete(key);
    const keys = this.keysAt.get(lock.path);
    if (keys === undefined) this.keysAt.set(lock.path, [key]);
    else keys.push(key);
    return super.set(key, lock);
  }

  override delete(key: string): boolean {
    const path = this.get(key)?.path;
    if (path === undefined) return false;
    const keys = (this.keysAt.get(path) ?? []).filter(other => other !== key);
    if (keys.length === 0) this.keysAt.delete(path);
    else this.keysAt.set(path, keys);
    return super.delete(key);
  }

  override clear(): void {
    super.clear();
    this.keysAt.clear();
  }
}
