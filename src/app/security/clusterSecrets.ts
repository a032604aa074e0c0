import { FactError } from '../../base/factError.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import type { ClusterProfile, AuthScheme, ClusterSecurity } from '../clusters/clusterProfile.ts';
import type { ClusterStore } from '../clusters/clusterStore.ts';
import type { Logger } from '../../base/logger.ts';

/** Where secrets are saved: VS Code's secret storage, which uses the keyring of the machine. Every call may reject. */
export interface SecretVault {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** What a secret is for. The parts of a purpose are not secret. */
export type SecretPurpose =
  { kind: 'password'; scheme: AuthScheme; user: string } | { kind: 'passphrase'; keyFile: string };

/** The secrets that a cluster with these fields may have. */
export function purposesOf({ auth = [], tls }: ClusterSecurity): SecretPurpose[] {
  const passwords = auth.map(({ scheme, user }) => ({ kind: 'password', scheme, user }) as const);
  return tls?.keyFile === undefined ? passwords : [...passwords, { kind: 'passphrase', keyFile: tls.keyFile }];
}

/** The key of a secret in the vault. */
export function secretKey(clusterId: string, purpose: SecretPurpose): string {
  const what =
    purpose.kind === 'password' ? [purpose.kind, purpose.scheme, purpose.user] : [purpose.kind, purpose.keyFile];
  return JSON.stringify(['cluster', clusterId, ...what]);
}

/** The user was asked for a password or passphrase and gave none. */
export class MissingSecretError extends FactError {
  readonly purpose: SecretPurpose;

  constructor(purpose: SecretPurpose) {
    super('MissingSecretError', purpose.kind);
    this.purpose = purpose;
  }
}

export interface ClusterSecretsParts {
  vault: SecretVault;
  /** Called once, at the first failure of the vault: from then on secrets are kept in this window's memory only. */
  onUnavailable(): void;
  logger: Logger;
}

/**
 * Passwords and passphrases. The only place that keeps them: in the vault, or in the memory of this window when the user
 * chooses that or the machine has no keyring.
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
    // In memory too until it is saved, so that a `get` in between returns the new one.
    this.remembered.set(key, secret);
    if (!save) {
      // Otherwise the next window would use the former one.
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
      // The message comes from the keyring and may contain the secret: only the kind of the error is logged.
      this.parts.logger.warn(`The secret storage failed: ${error instanceof Error ? error.name : typeof error}`);
      if (this.available) {
        this.available = false;
        this.parts.onUnavailable();
      }
      return undefined;
    }
  }
}

/**
 * How long an entry may be missing before its secrets are deleted, ms. Commands delete them at once; this is for editing the
 * setting by hand, where a half-written entry may be saved.
 */
export const graceMs = 60_000;

interface StoredSecret {
  clusterId: string;
  purpose: SecretPurpose;
}

function secretsOf(profiles: readonly ClusterProfile[]): Map<string, StoredSecret> {
  const all = profiles.flatMap(profile => purposesOf(profile).map(purpose => ({ clusterId: profile.id, purpose })));
  return new Map(all.map(secret => [secretKey(secret.clusterId, secret.purpose), secret]));
}

/** Deletes secrets whose cluster, log-in or key file was removed from the settings. */
export function removeOrphanedSecrets(
  store: Pick<ClusterStore, 'profiles' | 'onChange'>,
  secrets: Pick<ClusterSecrets, 'forget'>,
  schedule: (callback: () => void, ms: number) => Disposable,
): Disposable {
  const owned = new DisposableStore();
  const timers = new Set<Disposable>();
  let former = secretsOf(store.profiles);
  owned.add(
    store.onChange(profiles => {
      const present = secretsOf(profiles);
      const gone = [...former].filter(([key]) => !present.has(key));
      former = present;
      if (gone.length === 0) return;
      const timer = schedule(() => {
        timers.delete(timer);
        const now = secretsOf(store.profiles);
        for (const [key, { clusterId, purpose }] of gone) {
          if (!now.has(key)) void secrets.forget(clusterId, [purpose]);
        }
      }, graceMs);
      timers.add(timer);
    }),
  );
  owned.add(
    toDisposable(() => {
      for (const timer of timers) timer.dispose();
    }),
  );
  return owned;
}
