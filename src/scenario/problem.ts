import type { DialectId } from '../locks/lockQueue.ts';
import type { Span } from './scenario.ts';

/** What may stand at a place: this word, or something of a kind. */
export type Expected =
  /** `endOf`: the words that belong together and that it ends. */
  | { readonly word: string; readonly endOf?: string }
  | {
      readonly what:
        'session' | 'new session' | 'path' | 'dialect' | 'number' | 'duration' | 'text' | 'cluster' | 'end of line';
    };

/** Why a file is not a scenario, or not one that can run, as a closed list that an interface can translate. Texts are of the file. */
export type ProblemFacts =
  /** `nearest`: the word that was probably meant. */
  | {
      readonly kind: 'expected';
      readonly found: string;
      readonly expected: readonly Expected[];
      readonly nearest?: string;
    }
  | {
      readonly kind: 'text-not-closed' | 'block-not-closed' | 'no-block' | 'too-deep' | 'no-path' | 'no-steps';
    }
  | {
      readonly kind: 'header-late' | 'header-twice' | 'reserved' | 'path' | 'guarded-path' | 'twice';
      readonly text: string;
    }
  | { readonly kind: 'number' | 'duration'; readonly found: string; readonly least: number; readonly most: number }
  /** `only-queue`: what is claimed of contenders of other programs is not to be seen in a queue. */
  | {
      readonly kind: 'never-opened' | 'only-attached' | 'only-queue' | 'already-open' | 'nothing-to-release';
      readonly session: string;
    }
  | { readonly kind: 'no-recipe'; readonly dialect: DialectId; readonly recipe: string }
  | { readonly kind: 'too-many-steps' | 'too-large'; readonly most: number };

export interface Problem {
  readonly span: Span;
  readonly facts: ProblemFacts;
  /** `warning`: it can run, and probably not as it was meant. */
  readonly severity: 'error' | 'warning';
}
