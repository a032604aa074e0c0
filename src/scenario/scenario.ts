import type { DialectId } from '../locks/lockQueue.ts';

/** Where something stands in a file: line and columns from 0, in UTF-16 units; `to` is exclusive. */
export interface Span {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** A name or a path as it is written. */
export interface Written {
  readonly text: string;
  readonly span: Span;
}

/** What a session takes. A multi-lock is a mutex at several paths. */
export type ScenarioRecipe =
  | { readonly name: 'mutex' | 'exclusive' | 'read' | 'write' | 'multi' }
  | { readonly name: 'semaphore'; readonly maxLeases: number };

/** How contenders of other programs are found in a queue. */
export type AttachedBy =
  | { readonly kind: 'identifier' | 'address'; readonly text: string }
  | { readonly kind: 'dialect'; readonly dialect: DialectId };

interface Stated {
  readonly span: Span;
}

/** Without a path: see `pathsOf` in checkScenario.ts. */
interface OfSession extends Stated {
  readonly session: Written;
  readonly path?: Written;
}

export interface AcquireStep extends Stated {
  readonly kind: 'acquire';
  readonly session: Written;
  readonly recipe: ScenarioRecipe;
  /** At most one, but for a multi-lock. */
  readonly paths: readonly Written[];
  readonly dialect?: DialectId;
  /** The attempt ends by itself after this, ms. 0: it tries once. */
  readonly timeoutMs?: number;
}

export interface ExpectStep extends Stated {
  readonly kind: 'expect';
  readonly claims: readonly Claim[];
  /** How long the claims have to become true, ms. */
  readonly withinMs?: number;
}

export interface BlockStep extends Stated {
  readonly kind: 'parallel' | 'repeat';
  /** 1 for `parallel`. */
  readonly times: number;
  readonly steps: readonly Step[];
  /** Line of the closing brace. */
  readonly endLine: number;
}

export type Step =
  | AcquireStep
  | ExpectStep
  | BlockStep
  | (OfSession & { readonly kind: 'release'; readonly recipe?: ScenarioRecipe['name'] })
  | (OfSession & { readonly kind: 'leave'; readonly dialect?: DialectId })
  | (OfSession & { readonly kind: 'delete' })
  | (OfSession & { readonly kind: 'attach'; readonly by: AttachedBy })
  | (Stated & { readonly kind: 'expire' | 'disconnect' | 'reconnect' | 'lose reply'; readonly session: Written })
  | (Stated & { readonly kind: 'wait'; readonly ms: number })
  | (Stated & { readonly kind: 'herd'; readonly contenders: number; readonly path?: Written });

/** One type for each of these kinds. */
type AboutSession<Kind> = Kind extends string ? { readonly kind: Kind; readonly session: Written } : never;

type AboutSessions<Kind> = Kind extends string ? { readonly kind: Kind; readonly sessions: readonly Written[] } : never;

/** One thing that an `expect` states. `path`: of the lock, where it is written. */
export type Claim = Stated & { readonly path?: Written } & (
    | AboutSession<'holds' | 'stale' | 'times out' | 'lost' | 'uncertain'>
    | { readonly kind: 'waits'; readonly session: Written; readonly blocker?: Written }
    /** All of them: holders in any order, waiters in the order of the queue. */
    | AboutSessions<'holders' | 'waiters'>
    /** Exactly these; none: there is no deadlock. */
    | { readonly kind: 'deadlock'; readonly sessions: readonly Written[] }
    | { readonly kind: 'empty' }
    | { readonly kind: 'nothing stale' }
    | { readonly kind: 'tokens grow' }
    | {
        readonly kind: 'woken';
        /** Of the last `herd`; absent: since the last `expect`. */
        readonly recipe?: 'naive' | 'predecessor';
        readonly compare: 'at most' | 'at least';
        readonly count: number;
      }
  );

/** The word of the header `cluster` for a server of its own; a cluster of that name is chosen by hand. */
export const sandboxWord = 'sandbox';

export interface Scenario {
  /** As in the header; absent: the person is asked. */
  readonly cluster?: Written;
  /** Of all steps and claims that write none. */
  readonly path?: Written;
  /** For the whole run without its clean-up, ms. */
  readonly limitMs: number;
  readonly steps: readonly Step[];
}

/** All `expect` steps in the order of the file, once each. */
export function expectsOf({ steps }: Pick<Scenario, 'steps'>): ExpectStep[] {
  return [...allSteps(steps)].filter(step => step.kind === 'expect');
}

/** All steps in the order of the file, those in blocks included, once. */
export function* allSteps(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    if ('steps' in step) yield* allSteps(step.steps);
  }
}
