import { createHash } from 'node:crypto';

/** VS Code's state of the workspace. */
export interface OfferMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'recommendedClusters';
const mostRemembered = 50;

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The files of recommended clusters that a workspace has offered, by the hash of their content. */
export class OfferedFiles {
  private readonly memory: OfferMemory;

  constructor(memory: OfferMemory) {
    this.memory = memory;
  }

  /** Whether this content was not offered yet, and offers were not stopped. */
  mayOffer(bytes: Uint8Array): boolean {
    const { never, offered } = this.stored;
    return !never && !offered.includes(hashOf(bytes));
  }

  async remember(bytes: Uint8Array): Promise<void> {
    const { never, offered } = this.stored;
    await this.memory.update(key, { never, offered: [...offered, hashOf(bytes)].slice(-mostRemembered) });
  }

  /** Offers nothing any more in this workspace. */
  async stop(): Promise<void> {
    await this.memory.update(key, { ...this.stored, never: true });
  }

  /** `offered`: hashes, the newest last. A value that another version wrote may have another form. */
  private get stored(): { never: boolean; offered: readonly string[] } {
    const stored = this.memory.get(key);
    if (typeof stored !== 'object' || stored === null) return { never: false, offered: [] };
    const { never, offered } = stored as { never?: unknown; offered?: unknown };
    const texts = Array.isArray(offered) ? offered.filter((hash): hash is string => typeof hash === 'string') : [];
    return { never: never === true, offered: texts };
  }
}
