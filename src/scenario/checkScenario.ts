import { contenderNaming } from '../locks/libraries/registry.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import type { Problem, ProblemFacts } from './problem.ts';
import type { AcquireStep, BlockStep, Claim, ExpectStep, Scenario, Span, Step, Written } from './scenario.ts';

/** Steps of one run, repeats counted. */
const mostSteps = 10_000;

/** The paths that each step and claim is about; those that name none are about these. */
export type PathsOf = ReadonlyMap<Step | Claim, readonly string[]>;

/** A scenario that was checked. It runs only without errors. */
export interface Checked {
  readonly paths: PathsOf;
  readonly problems: readonly Problem[];
}

/** A session so far. */
interface Known {
  isAttached: boolean;
  /** Of its latest step that names some. */
  paths: readonly string[];
  hasTaken: boolean;
}

/**
 * Checks what the grammar cannot: sessions that are never opened, paths, what a library has no recipe for.
 *
 * A step or claim about a session that writes no path is about the path that this session was last taken to; all others are about the
 * path in the header. A `release` without a path has none here: it gives back the newest lock that its session still has.
 */
export function checkScenario(scenario: Scenario): Checked {
  const checker = new Checker(scenario);
  checker.check();
  return checker;
}

class Checker implements Checked {
  readonly paths = new Map<Step | Claim, readonly string[]>();
  readonly problems: Problem[] = [];
  private readonly scenario: Scenario;
  private readonly known = new Map<string, Known>();
  private count = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
  }

  check(): void {
    const { path, steps } = this.scenario;
    if (path !== undefined) this.checkPath(path);
    this.checkSteps(steps, 1);
    if (steps.length === 0) this.warn({ line: 0, from: 0, to: 0 }, { kind: 'no-steps' });
    if (this.count > mostSteps) this.refuse(steps[0]?.span, { kind: 'too-many-steps', most: mostSteps });
  }

  private checkSteps(steps: readonly Step[], times: number): void {
    for (const step of steps) {
      this.count += times;
      if ('steps' in step) this.checkSteps(step.steps, times * step.times);
      else if (step.kind === 'expect') for (const claim of step.claims) this.checkClaim(claim);
      else this.checkStep(step);
    }
  }

  private checkStep(step: Exclude<Step, BlockStep | ExpectStep>): void {
    switch (step.kind) {
      case 'wait':
        return;
      case 'acquire':
        this.checkAcquire(step);
        return;
      case 'leave':
        this.checkDialect(step, step.dialect, 'mutex');
        this.open(step, this.pathsAt(step, step.path), false);
        return;
      case 'attach':
        this.open(step, this.pathsAt(step, step.path), true);
        return;
      case 'herd':
        this.paths.set(step, this.pathsAt(step, step.path));
        return;
      default:
        this.checkUse(step);
    }
  }

  private checkAcquire(step: AcquireStep): void {
    const { paths, dialect, recipe } = step;
    const written = paths.map(({ text }) => text);
    const seen = new Set<string>();
    for (const path of paths) {
      this.checkPath(path);
      if (seen.has(path.text)) this.refuse(path.span, { kind: 'twice', text: path.text });
      seen.add(path.text);
    }
    this.checkDialect(step, dialect, recipe.name);
    this.open(step, paths.length > 0 ? written : this.pathsAt(step, undefined), false);
  }

  private checkDialect({ span }: Step, dialect: DialectId | undefined, recipe: AcquireStep['recipe']['name']): void {
    if (dialect !== undefined && !hasRecipe(dialect, recipe)) this.refuse(span, { kind: 'no-recipe', dialect, recipe });
  }

  /** A session begins, or takes another lock. */
  private open(
    step: Extract<Step, { kind: 'acquire' | 'leave' | 'attach' }>,
    paths: readonly string[],
    attaches: boolean,
  ): void {
    const { text, span } = step.session;
    const known = this.known.get(text);
    if (known !== undefined && (attaches || known.isAttached)) {
      this.refuse(span, { kind: attaches ? 'already-open' : 'only-attached', session: text });
    }
    this.paths.set(step, paths);
    this.known.set(text, {
      isAttached: attaches,
      paths,
      hasTaken: step.kind === 'acquire' || known?.hasTaken === true,
    });
  }

  private checkUse(
    step: Extract<Step, { kind: 'release' | 'delete' | 'expire' | 'disconnect' | 'reconnect' | 'lose reply' }>,
  ): void {
    const { text, span } = step.session;
    const known = this.known.get(text);
    // A release without a path is of the newest lock that the session still has, which only the run knows.
    if (step.kind !== 'release' || step.path !== undefined) {
      this.paths.set(step, this.pathsOfSession('path' in step ? step.path : undefined, text));
    }
    // The first create of a session may be the one whose reply is lost.
    if (step.kind === 'lose reply' && known === undefined) return;
    if (known === undefined) this.refuse(span, { kind: 'never-opened', session: text });
    else if (known.isAttached) this.refuse(span, { kind: 'only-attached', session: text });
    else if (step.kind === 'release' && !known.hasTaken)
      this.refuse(span, { kind: 'nothing-to-release', session: text });
  }

  private checkClaim(claim: Claim): void {
    for (const { text, span } of sessionsOf(claim)) {
      const known = this.known.get(text);
      if (known === undefined) this.refuse(span, { kind: 'never-opened', session: text });
      else if (known.isAttached && ownStates.has(claim.kind)) {
        this.refuse(span, { kind: 'only-queue', session: text });
      }
    }
    if ('session' in claim) this.paths.set(claim, this.pathsOfSession(claim.path, claim.session.text));
    else if (claim.path !== undefined || needsPath(claim)) this.paths.set(claim, this.pathsAt(claim, claim.path));
  }

  /** The path that is written, or those that the session was last taken to. */
  private pathsOfSession(path: Written | undefined, session: string): readonly string[] {
    if (path === undefined) return this.known.get(session)?.paths ?? [];
    this.checkPath(path);
    return [path.text];
  }

  private pathsAt({ span }: { readonly span: Span }, path: Written | undefined): string[] {
    const at = path ?? this.scenario.path;
    if (path !== undefined) this.checkPath(path);
    if (at === undefined) this.refuse(span, { kind: 'no-path' });
    return at === undefined ? [] : [at.text];
  }

  private checkPath({ text, span }: Written): void {
    if (!isPath(text)) this.refuse(span, { kind: 'path', text });
    else if (text === '/zookeeper' || text.startsWith('/zookeeper/')) this.refuse(span, { kind: 'guarded-path', text });
  }

  private refuse(span: Span | undefined, facts: ProblemFacts): void {
    this.problems.push({ span: span ?? { line: 0, from: 0, to: 0 }, facts, severity: 'error' });
  }

  private warn(span: Span, facts: ProblemFacts): void {
    this.problems.push({ span, facts, severity: 'warning' });
  }
}

function sessionsOf(claim: Claim): readonly Written[] {
  if ('sessions' in claim) return claim.sessions;
  if (claim.kind === 'waits' && claim.blocker !== undefined) return [claim.session, claim.blocker];
  return 'session' in claim ? [claim.session] : [];
}

/** What only the program of a session knows. */
const ownStates: ReadonlySet<Claim['kind']> = new Set(['times out', 'lost', 'uncertain']);

/** Deadlocks, stale nodes and notifications are those of all paths of the file. */
function needsPath({ kind }: Claim): boolean {
  return kind === 'holders' || kind === 'waiters' || kind === 'empty' || kind === 'tokens grow';
}

/** Whether a library has a lock of this kind. */
export function hasRecipe(dialect: DialectId, recipe: AcquireStep['recipe']['name']): boolean {
  // A single node is the same in every library.
  if (recipe === 'exclusive') return false;
  return contenderNaming(dialect, recipe === 'multi' ? 'mutex' : recipe) !== undefined;
}

/** As PathUtils.validatePath in ZooKeeper, without the root. */
function isPath(path: string): boolean {
  // Its units are those of UTF-16, so that everything above U+FFFF is refused.
  if (!/^(?:\/[^/]+)+$/u.test(path) || /[\p{Cc}\p{Cs}\u{e000}-\u{f8ff}\u{fff0}-\u{10ffff}]/u.test(path)) return false;
  return !path.split('/').some(segment => segment === '.' || segment === '..');
}
