import type { SecretVault } from '../../../../src/app/security/clusterSecrets.ts';

/** A keyring; one that is `broken` rejects every call, as VS Code's does on a machine without any. */
export class FakeVault implements SecretVault {
  readonly secrets = new Map<string, string>();
  broken = false;

  get(key: string): Promise<string | undefined> {
    return this.answer(() => this.secrets.get(key));
  }

  store(key: string, value: string): Promise<void> {
    return this.answer(() => void this.secrets.set(key, value), value);
  }

  delete(key: string): Promise<void> {
    return this.answer(() => void this.secrets.delete(key));
  }

  private answer<T>(run: () => T, secret = ''): Promise<T> {
    // A keyring may well put what it was given into its error.
    if (this.broken) return Promise.reject(new Error(`no keyring for ${secret}`));
    return Promise.resolve(run());
  }
}
