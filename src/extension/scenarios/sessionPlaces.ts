import type { Claim, Scenario, Span, Step, Written } from '../../scenario/scenario.ts';
import { allSteps } from '../../scenario/scenario.ts';

/** A place of a file where a session is named. */
export interface SessionPlace {
  readonly name: string;
  readonly span: Span;
  /** `opens`: a lock is taken, or contenders get this name; `asks`: an expectation is about it. */
  readonly use: 'opens' | 'uses' | 'asks';
}

/** All of them, in the order of the file. */
export function placesOfSessions({ steps }: Pick<Scenario, 'steps'>): SessionPlace[] {
  return [...allSteps(steps)].flatMap(step =>
    step.kind === 'expect'
      ? step.claims.flatMap(claim => places(named(claim), 'asks'))
      : places(named(step), useIn(step)),
  );
}

/** Where the session is named that is named at this position; the first place that opens it is its definition. */
export function placesOfSession(scenario: Pick<Scenario, 'steps'>, line: number, column: number): SessionPlace[] {
  const all = placesOfSessions(scenario);
  const here = all.find(({ span }) => span.line === line && span.from <= column && column <= span.to);
  return all.filter(({ name }) => name === here?.name);
}

function places(sessions: readonly Written[], use: SessionPlace['use']): SessionPlace[] {
  return sessions.map(({ text, span }) => ({ name: text, span, use }));
}

function useIn({ kind }: Step): SessionPlace['use'] {
  return kind === 'acquire' || kind === 'leave' || kind === 'attach' ? 'opens' : 'uses';
}

function named(about: Step | Claim): readonly Written[] {
  if ('sessions' in about) return about.sessions;
  if (!('session' in about)) return [];
  return 'blocker' in about && about.blocker !== undefined ? [about.session, about.blocker] : [about.session];
}
