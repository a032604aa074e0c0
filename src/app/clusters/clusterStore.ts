import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { readProfiles, type ClusterProfile, type SavedClusters } from './clusterProfile.ts';

/** Where the raw setting lives; `settings.ts` in the extension. */
export interface ClusterSetting {
  read(): unknown;
  write(clusters: readonly unknown[]): Promise<void>;
  onChange(listener: () => void): Disposable;
}

/** Several changes that are written at once. */
export interface ClusterExchange {
  add: readonly ClusterProfile[];
  /** By the id of the entry that goes; the profile may bring another one. */
  replace: ReadonlyMap<string, ClusterProfile>;
}

/** The saved clusters. Entries that cannot be used are left in the setting untouched, so that nothing a person wrote is lost. */
export class ClusterStore implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly setting: ClusterSetting;
  private readonly logger: Logger;
  private readonly changed: Emitter<readonly ClusterProfile[]>;
  private saved: SavedClusters;

  constructor(setting: ClusterSetting, logger: Logger) {
    this.setting = setting;
    this.logger = logger;
    this.changed = this.owned.add(new Emitter(logger));
    this.saved = this.load();
    this.owned.add(
      setting.onChange(() => {
        this.reload();
      }),
    );
  }

  get profiles(): readonly ClusterProfile[] {
    return this.saved.profiles;
  }

  /** Entries of the setting that are not shown because something in them is wrong. */
  get refused(): SavedClusters['refused'] {
    return this.saved.refused;
  }

  onChange(listener: (profiles: readonly ClusterProfile[]) => void): Disposable {
    return this.changed.event(listener);
  }

  async add(profile: ClusterProfile): Promise<void> {
    await this.write([...this.entries(), toEntry(profile)]);
  }

  /** Replaces the entry with the id of `profile`; fields that this version does not know stay. */
  async replace(profile: ClusterProfile): Promise<void> {
    await this.write(
      this.entries().map(entry =>
        idOf(entry) === profile.id ? { ...furtherFields(entry as object), ...toEntry(profile) } : entry,
      ),
    );
  }

  async remove(id: string): Promise<void> {
    await this.write(this.entries().filter(entry => idOf(entry) !== id));
  }

  /**
   * Adds and replaces in one step; fields that this version does not know stay.
   *
   * @returns takes it back, as far as nobody has changed the entries since; resolves with whether all of it was
   */
  async exchange({ add, replace }: ClusterExchange): Promise<() => Promise<boolean>> {
    const formers = new Map<string, unknown>();
    const note = (entry: Record<string, unknown>, former: unknown): Record<string, unknown> => {
      formers.set(JSON.stringify(entry), former);
      return entry;
    };
    const replaced = this.entries().map(entry => {
      const profile = replace.get(idOf(entry) ?? '');
      return profile === undefined ? entry : note({ ...furtherFields(entry as object), ...toEntry(profile) }, entry);
    });
    await this.write([...replaced, ...add.map(profile => note(toEntry(profile), undefined))]);
    return async () => {
      let undone = 0;
      const entries = this.entries().flatMap(entry => {
        const text = JSON.stringify(entry);
        if (!formers.has(text)) return [entry];
        undone++;
        const former = formers.get(text);
        return former === undefined ? [] : [former];
      });
      await this.write(entries);
      return undone === formers.size;
    };
  }

  dispose(): void {
    this.owned.dispose();
  }

  private entries(): unknown[] {
    const raw = this.setting.read();
    return Array.isArray(raw) ? [...(raw as unknown[])] : [];
  }

  private async write(entries: readonly unknown[]): Promise<void> {
    await this.setting.write(entries);
    this.reload();
  }

  private reload(): void {
    const before = JSON.stringify(this.saved);
    this.saved = this.load();
    if (JSON.stringify(this.saved) !== before) this.changed.fire(this.saved.profiles);
  }

  private load(): SavedClusters {
    const saved = readProfiles(this.setting.read());
    for (const { index, fault } of saved.refused) {
      this.logger.warn(`Saved cluster number ${String(index + 1)} is left out: ${fault}`);
    }
    return saved;
  }
}

function idOf(entry: unknown): string | undefined {
  return readProfiles([entry]).profiles[0]?.id;
}

const knownFields: ReadonlySet<string> = new Set([
  'id', 'name', 'connectString', 'environment', 'lockRoots', 'readOnly', 'auth', 'tls',
] satisfies (keyof ClusterProfile)[]); // prettier-ignore

function furtherFields(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !knownFields.has(name)));
}

function toEntry(profile: ClusterProfile): Record<string, unknown> {
  const { id, name, connectString, environment, lockRoots, readOnly, auth, tls } = profile;
  return {
    id,
    name,
    connectString,
    environment,
    lockRoots: [...lockRoots],
    ...(readOnly === true ? { readOnly } : {}),
    ...(auth === undefined ? {} : { auth: auth.map(({ scheme, user }) => ({ scheme, user })) }),
    ...(tls === undefined ? {} : { tls: { ...tls } }),
  };
}
