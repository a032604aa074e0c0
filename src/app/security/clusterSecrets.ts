import type { Logger } from '../../base/logger.ts';
import type { AuthScheme, ClusterSecurity } from '../clusters/clusterSecurity.ts';

/** Where secrets live for good: VS Code's secret storage, which uses the keyring of the machine. Every call may reject. */
export interface SecretVault {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** What a secret is for. */
export type SecretPurpose =
  { kind: 'password'; scheme: AuthScheme; user: string } | { kind: 'passphrase'; keyFile: string };

/** The secrets that a cluster with these fields may have. */
export function purposesOf({ auth = [], tls }: ClusterSecurity): SecretPurpose[] {
  const passwords = auth.map(({ scheme, user }) => ({ kind: 'password', scheme, user }) as const);
  return tls?.keyFile === undefined ? passwords : [...passwords, { kind: 'passphrase', keyFile: tls.keyFile }];
}

/** Names a secret by what is no secret: the cluster's id and the purpose. */
export function secretKey(clusterId: string, purpose: SecretPurpose): string {
  const what =
    purpose.kind === 'password' ? [purpose.kind, purpose.scheme, purpose.user] : [purpose.kind, purpose.keyFile];
  return JSON.stringify(['cluster', clusterId, ...what]);
}

export interface ClusterSecretsParts {
  vault: SecretVault;
  /** Told once: secrets are kept in this window's memory only. */
  onUnavailable(): void;
  logger: Logger;
}

/**
 * Passwords and passphrases. The only place that keeps them: in the vault, or in the memory of this window when the person
 * wants that or the machine has no keyring.
 */
export class ClusterSecrets {
  private readonly parts: ClusterSecretsParts;
  private readonly remembered = new Map<string, string>();
  private available = true;

  constructor(parts: ClusterSecretsParts) {
    this.parts = parts;
  }

  /** Whether the vault has worked so far. */
  get canSave(): boolean {
    return this.available;
  }

  async get(clusterId: string, purpose: SecretPurpose): Promise<string | undefined> {
    const key = secretKey(clusterId, purpose);
    return this.remembered.get(key) ?? (await this.attempt(() => this.parts.vault.get(key)));
  }

  /** @param save in the vault; otherwise, or if that fails, until this window closes */
  async keep(clusterId: string, purpose: SecretPurpose, secret: string, save: boolean): Promise<void> {
    const key = secretKey(clusterId, purpose);
    // In memory too until it is known to be saved: whoever asks in between gets the new one.
    this.remembered.set(key, secret);
    if (!save) {
      // A former one that was saved would come back in the next window.
      await this.attempt(() => this.parts.vault.delete(key));
      return;
    }
    const isSaved = await this.attempt(async () => {
      await this.parts.vault.store(key, secret);
      return true;
    });
    if (isSaved === true) this.remembered.delete(key);
  }

  async forget(clusterId: string, purposes: readonly SecretPurpose[]): Promise<void> {
    const keys = purposes.map(purpose => secretKey(clusterId, purpose));
    for (const key of keys) this.remembered.delete(key);
    await Promise.all(keys.map(key => this.attempt(() => this.parts.vault.delete(key))));
  }

  private async attempt<T>(call: () => PromiseLike<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      // The text comes from the keyring, which has seen the secret: only the kind of the error is logged.
      this.parts.logger.warn(`The secret storage failed: ${error instanceof Error ? error.name : typeof error}`);
      if (this.available) {
        this.available = false;
        this.parts.onUnavailable();
      }
      return undefined;
    }
  }
}
