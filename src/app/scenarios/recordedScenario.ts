import type { LeaseCause } from '../../recipes/lock.ts';
import type { ScenarioRecipe } from '../../scenario/scenario.ts';
import type { TestLock, TestLockRequest } from '../testLocks/testLock.ts';
import type { TestLockEvent } from '../testLocks/testLockLog.ts';
import { asLibrary, isWritable, recipeWords, ScenarioWriter, sessionName } from './scenarioWriter.ts';

/** Comments of a recorded scenario. */
export interface RecordedComments {
  head: string;
  /** Beside a session that stands for contenders of other programs. */
  standIn(name: string): string;
}

/** A contender of the scenario: a test lock, or what stands for one of another program. */
interface Player {
  readonly name: string;
  readonly recipe: ScenarioRecipe;
  readonly paths: readonly string[];
  readonly dialect: TestLockRequest['dialect'];
  isHeld: boolean;
}

/**
 * What was done by hand, as a scenario: each test lock is a session, in the order in which they were taken and released; at the end stands
 * what is held and waited for now. A test lock that waited for another program waits for a session that stands for that one, so that the
 * file plays alike where that program is not.
 *
 * @param events of one cluster
 * @returns `undefined` when no lock was taken that a scenario can name
 */
export function recordedScenario(events: readonly TestLockEvent[], comments: RecordedComments): string | undefined {
  const usable = events.filter(({ lock }) => pathsOf(lock.request).every(isWritable));
  const taken = usable.filter(({ to }) => to.kind === 'waiting' || to.kind === 'held');
  if (taken.length === 0) return undefined;
  const writer = new ScenarioWriter(
    taken.flatMap(({ lock }) => pathsOf(lock.request)),
    comments.head,
  );
  const play = new Play(writer, comments);
  for (const event of usable) play.take(event);
  play.expectNow();
  return writer.text;
}

/** Several locks in one directory that differ by their names do not exclude each other, and a scenario has no names for them. */
function pathsOf({ paths, lockName }: TestLockRequest): readonly string[] {
  return lockName === undefined ? paths : paths.map(path => `${path}/${lockName}`);
}

function recipeOf({ recipe, paths, maxLeases = 1 }: TestLockRequest): ScenarioRecipe {
  if (recipe === 'semaphore') return { name: recipe, maxLeases };
  if (recipe === 'several') return { name: paths.length > 1 ? 'multi' : 'mutex' };
  return { name: recipe };
}

/** It leaves the queue, however that ends. */
const endKinds: ReadonlySet<TestLockEvent['to']['kind']> = new Set(['releasing', 'auto-released', 'gone']);

class Play {
  private readonly writer: ScenarioWriter;
  private readonly comments: RecordedComments;
  /** In the order of the queues. */
  private queue: Player[] = [];
  private readonly players = new Map<TestLock, Player>();
  private readonly paths = new Set<string>();
  private sessions = 0;
  private others = 0;

  constructor(writer: ScenarioWriter, comments: RecordedComments) {
    this.writer = writer;
    this.comments = comments;
  }

  take({ lock, to }: TestLockEvent): void {
    const player = this.players.get(lock);
    if (to.kind === 'waiting') this.players.set(lock, player ?? this.wait(lock.request));
    else if (to.kind === 'held') this.hold(lock, player);
    else if (to.kind === 'lost') this.lose(player, to.cause);
    else if (endKinds.has(to.kind)) this.release(player);
  }

  /** What is held and waited for, and which paths are free. */
  expectNow(): void {
    // Who waits for a lock of one node is not in the tree: only its holder can be stated.
    const isStated = ({ isHeld, recipe }: Player): boolean => isHeld || recipe.name !== 'exclusive';
    const isShown = (player: Player): boolean => !this.isStandIn(player) || player.recipe.name === 'exclusive';
    const free = [...this.paths].filter(path => !this.queue.some(({ paths }) => paths.includes(path)));
    this.writer.expect([
      ...this.queue
        .filter(player => isShown(player) && isStated(player))
        .map(({ name, isHeld }) => `${name} ${isHeld ? 'holds' : 'waits'}`),
      ...free.map(path => this.writer.claim('empty', path)),
    ]);
  }

  private wait(request: TestLockRequest): Player {
    const player = this.newPlayer(sessionName(this.sessions++), request);
    while (!this.isBlocked(player)) this.standIn(player);
    this.acquire(player);
    return player;
  }

  private hold(lock: TestLock, known: Player | undefined): void {
    if (known?.isHeld === true) return;
    const player = known ?? this.newPlayer(sessionName(this.sessions++), lock.request);
    for (const other of [...this.queue]) {
      if (this.isStandIn(other) && this.isBlocked(player)) this.leave(other);
    }
    if (known === undefined) this.acquire(player);
    else this.writer.expect([`${player.name} holds`]);
    player.isHeld = true;
    this.players.set(lock, player);
  }

  private lose(player: Player | undefined, cause: LeaseCause | undefined): void {
    if (player === undefined || !this.queue.includes(player)) return;
    const isDeleted = cause?.kind === 'node-deleted' || cause?.kind === 'node-replaced';
    this.queue = this.queue.filter(each => each !== player);
    this.writer.step(isDeleted ? `delete ${player.name}` : `expire ${player.name}`);
    this.writer.expect([`${player.name} lost`]);
  }

  private release(player: Player | undefined): void {
    if (player !== undefined && this.queue.includes(player)) this.leave(player);
  }

  private leave(player: Player): void {
    this.queue = this.queue.filter(each => each !== player);
    this.writer.step(`${player.name}: release`);
  }

  /** A contender of another program, of a kind that the player has to wait for. */
  private standIn(player: Player): void {
    const { recipe } = player;
    const name = this.others++ === 0 ? 'Other' : `Other${this.others}`;
    if (this.others === 1) this.writer.note(this.comments.standIn(name));
    const kind = recipe.name === 'read' ? 'write' : recipe.name === 'multi' ? 'mutex' : recipe.name;
    const other = {
      ...player,
      ...{ name, isHeld: true, paths: player.paths.slice(0, 1) },
      recipe: recipe.name === 'semaphore' ? recipe : ({ name: kind } as ScenarioRecipe),
    };
    this.acquire(other);
  }

  private isStandIn(player: Player): boolean {
    return ![...this.players.values()].includes(player);
  }

  private newPlayer(name: string, request: TestLockRequest): Player {
    return { name, recipe: recipeOf(request), paths: pathsOf(request), dialect: request.dialect, isHeld: false };
  }

  private acquire(player: Player): void {
    const { name, recipe, paths, dialect } = player;
    this.queue.push(player);
    for (const path of paths) this.paths.add(path);
    this.writer.stepAt(`${name}: acquire ${recipeWords(recipe)}`, paths, asLibrary(dialect, recipe.name, paths));
  }

  /** Whether those before it in the queue leave it no place. */
  private isBlocked(player: Player): boolean {
    const at = this.queue.indexOf(player);
    const ahead = this.queue.filter((other, place) => (at < 0 || place < at) && isInTheWay(other, player));
    return ahead.length >= (player.recipe.name === 'semaphore' ? player.recipe.maxLeases : 1);
  }
}

const families: Record<ScenarioRecipe['name'], string> = {
  mutex: 'mutex',
  multi: 'mutex',
  exclusive: 'exclusive',
  read: 'shared',
  write: 'shared',
  semaphore: 'semaphore',
};

function isInTheWay(other: Player, player: Player): boolean {
  if (!other.paths.some(path => player.paths.includes(path))) return false;
  if (families[other.recipe.name] !== families[player.recipe.name]) return false;
  if (other.recipe.name === 'read' && player.recipe.name === 'read') return false;
  return other.dialect === undefined || player.dialect === undefined || other.dialect === player.dialect;
}
