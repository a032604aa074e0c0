import type { SeededRandom } from './seededRandom.ts';

/** What a path is used for. Where one node is the lock there is no queue: at most one waits, since the order would be chance. */
type Use =
  | { readonly recipe: 'mutex' | 'shared'; readonly dialect?: 'curator' | 'kazoo' | 'go-zookeeper' }
  | { readonly recipe: 'semaphore'; readonly limit: number; readonly dialect?: 'curator' | 'kazoo' }
  | { readonly recipe: 'exclusive' };

interface Place {
  readonly session: string;
  readonly kind: 'all' | 'read' | 'write';
  readonly attempt: Attempt;
}

interface Attempt {
  readonly session: string;
  readonly paths: readonly string[];
  /** Of a multi-lock: how many of its paths it has queued up at. */
  joined: number;
  /** Of a mutex: how often it was taken. */
  count: number;
}

/**
 * Who holds and who waits, by the rules in the documentation of the recipes, written independently of the product: first come, first
 * served; readers pass readers; a semaphore serves its first ones.
 */
export class ScenarioModel {
  readonly uses = new Map<string, Use>();
  /** The latest outcome of each session at each path that no queue shows. */
  readonly ended = new Map<string, 'times out' | 'lost'>();
  private readonly places = new Map<string, Place[]>();
  private readonly granted = new Set<string>();
  private attempts: Attempt[] = [];
  /** Paths that several attempts have joined in one step, one after the other by chance. */
  private races = 0;

  constructor(uses: Iterable<readonly [string, Use]>) {
    for (const [path, use] of uses) this.change(path, use);
  }

  /** An empty path gets another use. */
  change(path: string, use: Use): void {
    this.uses.set(path, use);
    this.places.set(path, []);
  }

  copy(): ScenarioModel {
    const copy = new ScenarioModel(this.uses);
    const attempts = new Map(this.attempts.map(attempt => [attempt, { ...attempt }]));
    for (const [path, places] of this.places) {
      copy.places.set(
        path,
        places.map(place => ({ ...place, attempt: attempts.get(place.attempt)! })),
      );
    }
    copy.attempts = [...attempts.values()];
    for (const path of this.granted) copy.granted.add(path);
    for (const [key, end] of this.ended) copy.ended.set(key, end);
    return copy;
  }

  /** Whether chance has decided something in the last step. */
  get hasRaced(): boolean {
    return this.races > 0;
  }

  holders(path: string): string[] {
    return this.at(path)
      .filter((_, index) => this.holdsAt(path, index))
      .map(({ session }) => session);
  }

  waiters(path: string): string[] {
    return this.at(path)
      .filter((_, index) => !this.holdsAt(path, index))
      .map(({ session }) => session);
  }

  /** For whom a session waits, where the recipe watches one contender. */
  blocker(session: string, path: string): string | undefined {
    const use = this.uses.get(path)!;
    const places = this.at(path);
    const index = places.findIndex(place => place.session === session);
    const before = places.slice(0, index);
    if (use.recipe === 'semaphore') return undefined;
    if (places[index]?.kind !== 'read') return before.at(-1)?.session;
    const writers = before.filter(({ kind }) => kind === 'write');
    return (use.recipe === 'shared' && use.dialect === 'kazoo' ? writers.at(-1) : writers[0])?.session;
  }

  isEmpty(path: string): boolean {
    return this.at(path).length === 0;
  }

  hasGranted(path: string): boolean {
    return this.granted.has(path);
  }

  isIdle(session: string): boolean {
    return !this.attempts.some(attempt => attempt.session === session);
  }

  isAt(session: string, path: string): boolean {
    return this.attempts.some(attempt => attempt.session === session && attempt.paths.includes(path));
  }

  isWaiting(session: string): boolean {
    return [...this.places.keys()].some(path => this.waiters(path).includes(session));
  }

  /** Sessions that wait for each other in a circle; each waits for one lock at most. */
  circle(): string[] {
    const next = new Map<string, string>();
    for (const path of this.places.keys()) {
      for (const session of this.waiters(path)) next.set(session, this.blocker(session, path)!);
    }
    for (const start of next.keys()) {
      const seen: string[] = [];
      for (let at: string | undefined = start; at !== undefined && !seen.includes(at); at = next.get(at)) seen.push(at);
      if (seen.length > 1 && next.get(seen.at(-1)!) === start) return seen;
    }
    return [];
  }

  acquire(session: string, paths: readonly string[], kind: Place['kind'] = 'all'): void {
    this.begin();
    const [path = ''] = paths;
    for (const each of paths) this.ended.delete(`${session} ${each}`);
    const again = this.attempts.find(each => each.session === session && each.paths[0] === path);
    if (again !== undefined) again.count++;
    else {
      const attempt = { session, paths, joined: 0, count: 1 };
      this.attempts.push(attempt);
      this.join(attempt, kind);
    }
    this.goOn();
  }

  release(session: string, path: string): void {
    this.begin();
    const attempt = this.attempts.findLast(each => each.session === session && each.paths.includes(path))!;
    attempt.count--;
    if (attempt.count === 0) this.leave(attempt);
    this.goOn();
  }

  timeOut(session: string, path: string): void {
    this.ended.set(`${session} ${path}`, 'times out');
  }

  /** Its session ends. */
  expire(session: string): void {
    this.begin();
    for (const attempt of this.attempts.filter(each => each.session === session)) {
      for (const path of attempt.paths) this.ended.set(`${session} ${path}`, 'lost');
      this.leave(attempt);
    }
    this.goOn();
  }

  /** Its node is deleted by force. */
  delete(session: string, path: string): void {
    this.begin();
    const attempt = this.attempts.find(each => each.session === session && each.paths.includes(path))!;
    this.ended.set(`${session} ${path}`, 'lost');
    this.leave(attempt);
    this.goOn();
  }

  private begin(): void {
    this.races = 0;
  }

  private at(path: string): Place[] {
    return this.places.get(path)!;
  }

  private holdsAt(path: string, index: number): boolean {
    const use = this.uses.get(path)!;
    const places = this.at(path);
    if (use.recipe === 'semaphore') return index < use.limit;
    if (places[index]?.kind !== 'read') return index === 0;
    return places.slice(0, index).every(({ kind }) => kind === 'read');
  }

  private join(attempt: Attempt, kind: Place['kind']): void {
    const path = attempt.paths[attempt.joined]!;
    this.at(path).push({ session: attempt.session, kind, attempt });
    attempt.joined++;
  }

  private leave(attempt: Attempt): void {
    for (const [path, places] of this.places)
      this.places.set(
        path,
        places.filter(place => place.attempt !== attempt),
      );
    this.attempts = this.attempts.filter(each => each !== attempt);
  }

  /** Multi-locks that hold what they waited for queue up at their next path. */
  private goOn(): void {
    const joins: string[] = [];
    for (let hasJoined = true; hasJoined;) {
      hasJoined = false;
      for (const attempt of this.attempts) {
        const path = attempt.paths[attempt.joined - 1]!;
        if (attempt.joined === attempt.paths.length || !this.holders(path).includes(attempt.session)) continue;
        joins.push(attempt.paths[attempt.joined]!);
        this.join(attempt, 'all');
        hasJoined = true;
      }
    }
    this.races = joins.length - new Set(joins).size;
    for (const { session, paths, joined } of this.attempts) {
      const [path = ''] = paths;
      if (joined === paths.length && paths.every(each => this.holders(each).includes(session))) this.granted.add(path);
    }
  }
}

/** One random scenario, and what it expects. */
export interface GeneratedScenario {
  readonly text: string;
  readonly claims: number;
}

const sessions = ['A', 'B', 'C', 'D', 'E'] as const;

/** How often another step is tried where the chosen one is not possible. */
const mostTries = 20;

/**
 * @param folder in which its paths are
 * @param expires whether a session ends in it, which takes seconds on a real server
 */
export function generateScenario(random: SeededRandom, folder: string, expires: boolean): GeneratedScenario {
  return new Generator(random, folder).generate(8 + random.below(10), expires);
}

class Generator {
  private readonly random: SeededRandom;
  private readonly lines: string[] = [];
  private readonly paths: readonly string[];
  private model: ScenarioModel;
  private claims = 0;

  constructor(random: SeededRandom, folder: string) {
    this.random = random;
    this.paths = ['one', 'two', 'three'].map(name => `${folder}/${name}`);
    // Some have nothing but mutexes, so that several at once may lead to a deadlock.
    const isPlain = random.below(3) === 0;
    this.model = new ScenarioModel(this.paths.map(path => [path, isPlain ? { recipe: 'mutex' } : this.randomUse()]));
  }

  generate(steps: number, expires: boolean): GeneratedScenario {
    const expireAt = expires ? 3 + this.random.below(steps - 3) : -1;
    for (let at = 0; at < steps; at++) {
      const before = this.lines.length;
      if (at === expireAt) this.expire();
      for (let tries = 0; tries < mostTries && this.lines.length === before; tries++) this.step();
      if (this.lines.length > before) this.expect();
    }
    return { text: `limit: 2min\n${this.lines.join('\n')}\n`, claims: this.claims };
  }

  private randomUse(): Use {
    const dialect = this.random.pick([undefined, 'curator', 'kazoo'] as const);
    const named = dialect === undefined ? {} : { dialect };
    switch (this.random.below(6)) {
      case 0:
        return { recipe: 'shared', ...named };
      case 1:
        return { recipe: 'semaphore', limit: 1 + this.random.below(3), ...named };
      case 2:
        return { recipe: 'exclusive' };
      case 3:
        return { recipe: 'mutex', dialect: 'go-zookeeper' };
      default:
        return { recipe: 'mutex', ...named };
    }
  }

  /** Does a step in a copy first: what chance would decide is not written. */
  private try(line: string, change: (model: ScenarioModel) => void): void {
    const next = this.model.copy();
    change(next);
    if (next.hasRaced) return;
    this.model = next;
    this.lines.push(line);
  }

  private step(): void {
    const { random } = this;
    const steps = [
      this.acquire,
      this.acquire,
      this.acquire,
      this.release,
      this.release,
      this.multi,
      this.delete,
    ] as const;
    const rare = [this.timeOut, this.cut, this.parallel, this.repeat, this.again, this.changeUse] as const;
    (random.below(3) === 0 ? random.pick(rare) : random.pick(steps)).call(this);
  }

  private readonly acquire = (): void => {
    const [session, path] = [this.random.pick(sessions), this.random.pick(this.paths)];
    if (!this.canJoin(session, path)) return;
    const [words, kind] = this.wordsOf(path);
    this.try(`${session}: acquire ${words}`, model => model.acquire(session, [path], kind));
  };

  private readonly multi = (): void => {
    const session = this.random.pick(sessions);
    const mutexes = this.paths.filter(
      path => this.model.uses.get(path)?.recipe === 'mutex' && this.canJoin(session, path),
    );
    // It names no library: it joins those in use, and the usual one where there is none.
    const hasOther = (path: string): boolean => 'dialect' in (this.model.uses.get(path) ?? {});
    if (mutexes.length < 2 || mutexes.some(path => this.model.isEmpty(path) && hasOther(path))) return;
    const paths = this.random.below(2) === 0 ? mutexes : mutexes.toReversed();
    this.try(`${session}: acquire multi ${paths.join(', ')}`, model => model.acquire(session, paths));
  };

  private readonly release = (): void => {
    const [session, path] = [this.random.pick(sessions), this.random.pick(this.paths)];
    if (!this.model.isAt(session, path)) return;
    this.try(`${session}: release ${path}`, model => model.release(session, path));
  };

  /** A mutex once more, by its holder. */
  private readonly again = (): void => {
    const path = this.random.pick(this.paths);
    const [session] = this.model.holders(path);
    if (session === undefined || this.model.uses.get(path)?.recipe !== 'mutex' || this.model.isWaiting(session)) return;
    const isMulti = this.lines.some(line => line.startsWith(`${session}: acquire multi`));
    if (isMulti || this.lines.some(line => line.includes('repeat'))) return;
    const taken = this.lines.findLast(line => line.startsWith(`${session}: acquire`) && line.includes(path));
    if (taken !== undefined) this.try(taken, model => model.acquire(session, [path]));
  };

  private readonly delete = (): void => {
    const [session, path] = [this.random.pick(sessions), this.random.pick(this.paths)];
    const { recipe } = this.model.uses.get(path)!;
    const isOne = recipe === 'mutex' || recipe === 'shared';
    if (!isOne || !this.model.isAt(session, path) || this.lines.some(line => line.includes('multi'))) return;
    if (this.lines.some(line => line.startsWith(`${session}: acquire multi`))) return;
    this.try(`delete ${session} ${path}`, model => model.delete(session, path));
  };

  private readonly timeOut = (): void => {
    const [session, path] = [this.random.pick(sessions), this.random.pick(this.paths)];
    const next = this.model.copy();
    if (!this.canJoin(session, path)) return;
    const [words, kind] = this.wordsOf(path);
    next.acquire(session, [path], kind);
    if (next.holders(path).includes(session)) return;
    this.lines.push(`${session}: acquire ${words} within ${this.random.pick(['0ms', '40ms'])}`);
    this.lines.push(`expect: ${session} times out ${path}`);
    this.claims++;
    this.model.timeOut(session, path);
  };

  private readonly cut = (): void => {
    const session = this.random.pick(sessions);
    const path = this.paths.find(each => this.model.isAt(session, each));
    if (path === undefined) return;
    this.lines.push(`disconnect ${session}`, `expect: ${session} uncertain ${path}`, `reconnect ${session}`);
    this.claims++;
  };

  private readonly parallel = (): void => {
    const [first, second] = [this.random.pick(sessions), this.random.pick(sessions)];
    const [one = '', other = ''] = this.paths;
    if (first === second || !this.model.isEmpty(one) || !this.model.isEmpty(other)) return;
    if (!this.canJoin(first, one) || !this.canJoin(second, other)) return;
    const [[words, kind], [otherWords, otherKind]] = [this.wordsOf(one), this.wordsOf(other)];
    this.model.acquire(first, [one], kind);
    this.model.acquire(second, [other], otherKind);
    this.lines.push('parallel {', `  ${first}: acquire ${words}`, `  ${second}: acquire ${otherWords}`, '}');
  };

  private readonly repeat = (): void => {
    const [session, path] = [this.random.pick(sessions), this.random.pick(this.paths)];
    if (!this.model.isEmpty(path) || !this.canJoin(session, path)) return;
    const [words, kind] = this.wordsOf(path);
    this.model.acquire(session, [path], kind);
    this.model.release(session, path);
    this.lines.push('repeat 3 {', `  ${session}: acquire ${words}`, `  expect: ${session} holds ${path}`);
    this.lines.push(`  ${session}: release ${path}`, '}');
    this.claims += 3;
  };

  private readonly changeUse = (): void => {
    const path = this.random.pick(this.paths);
    // A semaphore keeps its directories, by which the path is known.
    if (!this.model.isEmpty(path) || this.model.uses.get(path)?.recipe === 'semaphore') return;
    if (this.model.uses.get(path)?.recipe === 'exclusive' || this.model.hasGranted(path)) {
      if (this.model.uses.get(path)?.recipe !== 'mutex') return;
      this.model.change(path, {
        recipe: 'mutex',
        dialect: this.random.pick(['curator', 'kazoo', 'go-zookeeper'] as const),
      });
    }
  };

  private expire(): void {
    const session = sessions.find(each => !this.model.isIdle(each));
    if (session === undefined) return;
    this.try(`expire ${session}`, model => model.expire(session));
  }

  private canJoin(session: string, path: string): boolean {
    if (this.model.isAt(session, path) || this.model.isWaiting(session)) return false;
    return this.model.uses.get(path)?.recipe !== 'exclusive' || this.model.waiters(path).length === 0;
  }

  /** What stands behind `acquire`: the library is named where the path is empty, or anywhere. */
  private wordsOf(path: string): [words: string, kind: Place['kind']] {
    const use = this.model.uses.get(path)!;
    const names = 'dialect' in use && (this.model.isEmpty(path) || this.random.below(2) === 0);
    const as = names ? ` as ${use.dialect}` : '';
    switch (use.recipe) {
      case 'semaphore':
        return [`semaphore ${use.limit} ${path}${as}`, 'all'];
      case 'shared': {
        const kind = this.random.pick(['read', 'read', 'write'] as const);
        return [`${kind} ${path}${as}`, kind];
      }
      default:
        return [`${use.recipe} ${path}${as}`, 'all'];
    }
  }

  private expect(): void {
    const claims = this.paths.flatMap(path => (this.random.below(3) === 0 ? [] : this.claimsAt(path)));
    // Otherwise one that comes next might overtake the one who waits.
    for (const [path, { recipe }] of this.model.uses) {
      const [holder] = recipe === 'exclusive' ? this.model.holders(path) : [];
      if (holder !== undefined) claims.push(`${holder} holds ${path}`);
    }
    const known = new Set(this.lines.flatMap(line => /^\s*([A-E]):/u.exec(line)?.[1] ?? []));
    const ends = [...this.model.ended].filter(([key]) => known.has(key.slice(0, 1)));
    if (ends.length > 0) {
      const [key, end] = this.random.pick(ends);
      const [session, path] = key.split(' ');
      claims.push(`${session!} ${end} ${path!}`);
    }
    if ([...this.model.uses.values()].every(({ recipe }) => recipe === 'mutex')) {
      const circle = this.model.circle();
      claims.push(circle.length === 0 ? 'no deadlock' : `deadlock between ${circle.join(' and ')}`);
    }
    if (claims.length === 0) return;
    this.claims += claims.length;
    this.lines.push(`expect: ${claims.join(', ')}`);
  }

  private claimsAt(path: string): string[] {
    const { model, random } = this;
    const [holders, waiters] = [model.holders(path), model.waiters(path)];
    const claims = [
      ...(model.isEmpty(path) ? [`${path} empty`] : []),
      holders.length === 0 ? `no holders ${path}` : `holders ${holders.join(' and ')} ${path}`,
      waiters.length === 0 ? `no waiters ${path}` : `waiters ${waiters.join(' then ')} ${path}`,
      ...(model.hasGranted(path) ? [`tokens grow ${path}`] : []),
    ];
    const [waiter] = waiters;
    const blocker = waiter === undefined ? undefined : model.blocker(waiter, path);
    if (waiter !== undefined) claims.push(`${waiter} waits${blocker === undefined ? '' : ` for ${blocker}`} ${path}`);
    return claims.filter(() => random.below(4) > 0);
  }
}
