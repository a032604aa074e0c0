import { randomUUID } from 'node:crypto';
import { Emitter, type Event } from '../../base/event.ts';
import { FactError } from '../../base/factError.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { ClusterSource } from '../clusters/clusterRegistry.ts';

/** A server of this process, and what lives on it. */
export interface RunningSandbox {
  readonly connectString: string;
  stop(): Promise<void>;
}

/** The sandbox could not be started. `detail`: the system's code, or a sentence in English. */
export class SandboxNotStarted extends FactError {
  readonly detail: string;

  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super('SandboxNotStarted', message, { cause });
    const detail = cause instanceof Error && 'code' in cause ? String(cause.code) : message;
    this.detail = detail;
  }
}

/** The sandbox of this window, as a cluster of the list: one at most, in no setting, and gone with the window. */
export class SandboxCluster implements ClusterSource {
  readonly onChange: Event<undefined>;
  private readonly changed: Emitter<undefined>;
  private readonly name: string;
  private readonly run: () => Promise<RunningSandbox>;
  private current: Promise<{ sandbox: RunningSandbox; profile: ClusterProfile }> | undefined;
  private listed: readonly ClusterProfile[] = [];

  /** @param run starts a server with its example locks */
  constructor(name: string, run: () => Promise<RunningSandbox>, logger: Logger) {
    this.name = name;
    this.run = run;
    this.changed = new Emitter(logger);
    this.onChange = this.changed.event;
  }

  get profiles(): readonly ClusterProfile[] {
    return this.listed;
  }

  /** Starts it unless it runs already. @returns the id of its cluster @throws SandboxNotStarted */
  async start(): Promise<string> {
    const attempt = (this.current ??= this.begin());
    try {
      return (await attempt).profile.id;
    } catch (error) {
      if (this.current === attempt) this.current = undefined;
      throw new SandboxNotStarted(error);
    }
  }

  /** Takes its cluster from the list and ends it. */
  async stop(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    // A start that failed has left nothing.
    const started = await current?.catch(() => undefined);
    if (started === undefined) return;
    this.list(this.listed.filter(profile => profile !== started.profile));
    await started.sandbox.stop();
  }

  private async begin(): Promise<{ sandbox: RunningSandbox; profile: ClusterProfile }> {
    const sandbox = await this.run();
    const profile: ClusterProfile = {
      // Another one each time: rows, panels and questions about a former sandbox are not about this one.
      id: randomUUID(),
      name: this.name,
      connectString: sandbox.connectString,
      environment: 'development',
      lockRoots: ['/'],
      isSandbox: true,
    };
    this.list([...this.listed, profile]);
    return { sandbox, profile };
  }

  private list(profiles: readonly ClusterProfile[]): void {
    this.listed = profiles;
    this.changed.fire(undefined);
  }
}
