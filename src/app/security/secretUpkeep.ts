import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { ClusterStore } from '../clusters/clusterStore.ts';
import { purposesOf, secretKey, type ClusterSecrets, type SecretPurpose } from './clusterSecrets.ts';

/**
 * How long an entry may be missing before its secrets go, ms. Commands remove them at once; this is for people who edit the
 * setting by hand, where half a line is saved now and then.
 */
export const graceMs = 60_000;

interface Owned {
  clusterId: string;
  purpose: SecretPurpose;
}

function secretsOf(profiles: readonly ClusterProfile[]): Map<string, Owned> {
  const owned = new Map<string, Owned>();
  for (const profile of profiles) {
    for (const purpose of purposesOf(profile)) {
      owned.set(secretKey(profile.id, purpose), { clusterId: profile.id, purpose });
    }
  }
  return owned;
}

/** Removes secrets whose cluster, log-in or key file has gone from the settings. */
export function removeOrphanedSecrets(
  store: Pick<ClusterStore, 'profiles' | 'onChange'>,
  secrets: Pick<ClusterSecrets, 'forget'>,
  schedule: (callback: () => void, ms: number) => Disposable,
): Disposable {
  const owned = new DisposableStore();
  const timers = new Set<Disposable>();
  let former = secretsOf(store.profiles);
  const removeUnlessBack = (gone: readonly (readonly [string, Owned])[]): void => {
    const present = secretsOf(store.profiles);
    for (const [key, { clusterId, purpose }] of gone) {
      if (!present.has(key)) void secrets.forget(clusterId, [purpose]);
    }
  };
  owned.add(
    store.onChange(profiles => {
      const present = secretsOf(profiles);
      const gone = [...former].filter(([key]) => !present.has(key));
      former = present;
      if (gone.length === 0) return;
      const timer = schedule(() => {
        timers.delete(timer);
        removeUnlessBack(gone);
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
