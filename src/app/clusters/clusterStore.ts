import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { readProfiles, type ClusterProfile, type SavedClusters } from './clusterProfile.ts';

export interface ClusterSetting {
  read(): unknown;
  write(clusters: readonly unknown[]): Promise<void>;
  onChange(listener: () => void): Disposable;
}

/** Several changes that are written at once. */
export interface ClusterExchange {
  add: readonly ClusterProfile[];
  /** By the id of the entry that is replaced; the profile may have another one. */
  replace: ReadonlyMap<string, ClusterProfile>;
}

/** The saved clusters. Entries that cannot be used stay in the setting as they are, so that nothing written by hand is lost. */
export class ClusterStore implements Disposable {
  readonly onChange: Event<readonly ClusterProfile[]>;
  private readonly owned = new DisposableStore();
  private readonly setting: ClusterSetting;
  private readonly logger: Logger;
  private readonly changed: Emitter<readonly ClusterProfile[]>;
  private saved: SavedClusters;

  constructor(setting: ClusterSetting, logger: Logger) {
    this.setting = setting;
    this.logger = logger;
    this.changed = this.owned.add(new Emitter(logger));
    this.onChange = this.changed.event;
    this.saved = this.load();
    this.owned.add(setting.onChange(() => this.reload()));
  }

  get profiles(): readonly ClusterProfile[] {
    return this.saved.profiles;
  }

  /** Entries of the setting that cannot be used. */
  get refused(): SavedClusters['refused'] {
    return this.saved.refused;
  }

  async add(profile: ClusterProfile): Promise<void> {
    await this.exchange({ add: [profile], replace: new Map() });
  }

  async replace(profile: ClusterProfile): Promise<void> {
    await this.exchange({ add: [], replace: new Map([[profile.id, profile]]) });
  }

  async remove(id: string): Promise<void> {
    await this.write(this.entries().filter(entry => idOf(entry) !== id));
  }

  /**
   * Adds and replaces in one step; fields of replaced entries that this version does not know stay.
   *
   * @returns takes the change back, except for entries that were changed since; resolves with whether all of it was taken back
   */
  async exchange({ add, replace }: ClusterExchange): Promise<() => Promise<boolean>> {
    /** The entry that was there before, by the text of the entry that was written. */
    const formers = new Map<string, unknown>();
    const written = (profile: ClusterProfile, former?: unknown): Record<string, unknown> => {
      const entry = entryOf(profile, former);
      formers.set(JSON.stringify(entry), former);
      return entry;
    };
    const replaced = this.entries().map(entry => {
      const profile = replace.get(idOf(entry) ?? '');
      return profile === undefined ? entry : written(profile, entry);
    });
    await this.write([...replaced, ...add.map(profile => written(profile))]);
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

/** In the order in which they are written. */
const profileFields = [
  'id', 'name', 'connectString', 'environment', 'lockRoots', 'readOnly', 'auth', 'tls',
] as const satisfies (keyof ClusterProfile)[]; // prettier-ignore

/** @param former the entry that the profile replaces: its fields that this version does not know stay */
function entryOf(profile: ClusterProfile, former: unknown = {}): Record<string, unknown> {
  const known: ReadonlySet<string> = new Set(profileFields);
  const unknownFields = Object.entries(former as object).filter(([name]) => !known.has(name));
  const fields = profileFields.map(name => [name, profile[name]] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...unknownFields, ...fields]);
}
