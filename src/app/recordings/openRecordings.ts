import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { Incident } from '../../incident/incident.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { Recorded } from '../clusters/clusterBrowser.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { ClusterSource } from '../clusters/clusterRegistry.ts';
import { isReplaced } from '../../incident/fileStamp.ts';

/** A recording whose files are open. */
export interface OpenedRecording extends Recorded {
  /** Its cluster; the name may change when the recording grows. */
  readonly profile: ClusterProfile;
  /** Of an incident file: what was known besides the nodes. */
  readonly incident?: Incident;
  /** By what its file differs from one that is written in its place. */
  readonly stamp?: string;
  /** A session that reads at the moment. */
  openSession(): ZooKeeperClient;
  /** Closes its files. */
  close(): Promise<void>;
}

/** The recordings that this window has opened, as clusters of the list: in no setting, and gone with the window. */
export class OpenRecordings implements ClusterSource {
  readonly onChange: Event<undefined>;
  private readonly changed: Emitter<undefined>;
  private readonly opened = new Map<string, OpenedRecording>();
  private readonly opening = new Map<string, Promise<OpenedRecording>>();

  constructor(logger: Logger) {
    this.changed = new Emitter(logger);
    this.onChange = this.changed.event;
  }

  get profiles(): readonly ClusterProfile[] {
    return [...this.opened.values()].map(({ profile }) => profile);
  }

  /** @param id of a cluster */
  get(id: string): OpenedRecording | undefined {
    return this.opened.get(id);
  }

  /** The one that was read from a folder. @param folder absolute */
  find(folder: string): OpenedRecording | undefined {
    return [...this.opened.values()].find(({ time }) => time.folder === folder);
  }

  /**
   * Adds the recording of a folder, unless it is open or opens already.
   *
   * @param folder absolute
   * @throws what `open` throws
   */
  async open(folder: string, open: () => Promise<OpenedRecording>): Promise<OpenedRecording> {
    const known = this.find(folder);
    if (known !== undefined) return known;
    const opening = this.opening.get(folder) ?? this.begin(folder, open);
    this.opening.set(folder, opening);
    return opening;
  }

  /** Closes the recording of a file that was written again since it was read. @returns whether it was */
  async closeReplaced(path: string): Promise<boolean> {
    const opened = this.find(path);
    if (opened === undefined || !(await isReplaced(path, opened.stamp))) return false;
    await this.close(opened.profile.id);
    return true;
  }

  /** Takes a recording from the list and closes its files; nothing for another id. */
  async close(id: string): Promise<void> {
    const opened = this.opened.get(id);
    if (!this.opened.delete(id)) return;
    this.changed.fire(undefined);
    await opened?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.opened.keys()].map(id => this.close(id)));
    this.changed.dispose();
  }

  private async begin(folder: string, open: () => Promise<OpenedRecording>): Promise<OpenedRecording> {
    try {
      const opened = await open();
      this.opened.set(opened.profile.id, opened);
      this.followName(opened);
      this.changed.fire(undefined);
      return opened;
    } finally {
      this.opening.delete(folder);
    }
  }

  private followName(opened: OpenedRecording): void {
    let { name } = opened.profile;
    opened.time.onMove(() => {
      if (opened.profile.name === name) return;
      ({ name } = opened.profile);
      this.changed.fire(undefined);
    });
  }
}
