import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders } from '../../support/curatorContenders.ts';
import { startKazooContenders } from '../../support/kazooContenders.ts';
import { startObserver, type Observer } from '../../support/observer.ts';
import type { Part } from '../truth/programs.ts';

/** Long enough for a loaded machine, short enough to wait for. */
const victimTimeoutMs = 6_000;

type Library = Extract<Part['library'], 'curator' | 'kazoo'>;

/** Programs with real lock libraries, of which two will be killed, and a client that looks on and interferes. */
export class Troupe {
  readonly observer: Observer;
  /** A session that does nothing but delete nodes of others. */
  readonly interferer: Observer;
  /** Of the programs that will be killed. */
  readonly victimTimeoutMs = victimTimeoutMs;
  private readonly actors: Record<Library, Contenders<string>>;
  private readonly victims: Record<Library, Contenders<string>>;

  constructor(
    observer: Observer,
    interferer: Observer,
    actors: Record<Library, Contenders<string>>,
    victims: Record<Library, Contenders<string>>,
  ) {
    this.observer = observer;
    this.interferer = interferer;
    this.actors = actors;
    this.victims = victims;
  }

  of(library: Part['library'], isVictim: boolean): Contenders<string> {
    return (isVictim ? this.victims : this.actors)[library as Library];
  }

  /** Ends the victims' programs suddenly: their sessions run out. */
  async killVictims(): Promise<void> {
    await Promise.all(Object.values(this.victims).map(program => program.kill()));
  }

  async stop(): Promise<void> {
    const programs = [...Object.values(this.actors), ...Object.values(this.victims)];
    await Promise.all(programs.map(program => program.stop()));
    await this.observer.stop();
  }
}

export async function startTroupe(connectString: string): Promise<Troupe> {
  const start = () => ({
    curator: startCuratorContenders(connectString),
    kazoo: startKazooContenders(connectString),
  });
  const observer = await startObserver(connectString);
  return new Troupe(observer, await observer.openSession(), start(), start());
}
