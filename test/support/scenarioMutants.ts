import { isPlayable, readScenario } from '../../src/scenario/readScenario.ts';
import { allSteps, type Claim, type ExpectStep, type Step } from '../../src/scenario/scenario.ts';

/** A scenario with one claim that is not true. */
export interface Mutant {
  /** The claim as it was, and what stands in its place. */
  readonly change: string;
  readonly text: string;
  /** Of the expectation with the wrong claim, from 0. */
  readonly line: number;
  /** Which of its claims is wrong. */
  readonly at: number;
}

/**
 * All wrong versions of all claims of a scenario. The expectation stands once more, with one claim exchanged, behind itself: so all
 * its other claims are true, and the wrong one has had its time. Versions that say nothing (a session that begins later) are left out.
 */
export function mutantsOf(text: string): Mutant[] {
  const { scenario } = readScenario(text);
  const steps = [...allSteps(scenario.steps)];
  const lines = text.split('\n');
  return steps
    .filter(step => step.kind === 'expect')
    .flatMap(step =>
      step.claims.flatMap((claim, at) =>
        wrongVersions(claim, step, steps).map(wrong => {
          const written = step.claims.map(({ span }) => (lines[span.line] ?? '').slice(span.from, span.to));
          const all = written.map((one, index) => (index === at ? wrong : one)).join(', ');
          // Notifications are counted since the expectation before.
          const line = step.span.line + (claim.kind === 'woken' && claim.recipe === undefined ? 0 : 1);
          const changed = [...lines.slice(0, line), `expect: ${all}`, ...lines.slice(step.span.line + 1)].join('\n');
          return { change: `line ${step.span.line + 1}: ${written[at] ?? ''} -> ${wrong}`, text: changed, line, at };
        }),
      ),
    )
    .filter(mutant => isPlayable(readScenario(mutant.text)));
}

function wrongVersions(claim: Claim, step: ExpectStep, steps: readonly Step[]): string[] {
  const path = claim.path === undefined ? '' : ` ${claim.path.text}`;
  return (versions[claim.kind] as Versions<Claim['kind']>)(claim, contextOf(step, steps)).map(one => one + path);
}

interface Context {
  /** All sessions of the file. */
  readonly sessions: readonly string[];
  /** Those that may hold and wait at once, as far as the expectation says. */
  readonly waiting: ReadonlySet<string>;
  /** At most one session holds at a time. */
  readonly hasOneHolder: boolean;
}

function contextOf(step: ExpectStep, steps: readonly Step[]): Context {
  const acquires = steps.filter(each => each.kind === 'acquire');
  const sessions = [...new Set(acquires.map(({ session }) => session.text))];
  const waiting = step.claims.flatMap(claim => {
    if (claim.kind === 'waits') return [claim.session.text];
    return claim.kind === 'waiters' ? claim.sessions.map(({ text }) => text) : [];
  });
  const shares = acquires.some(({ recipe, dialect }) => recipe.name === 'semaphore' || dialect !== undefined);
  const readers = new Set(acquires.filter(({ recipe }) => recipe.name === 'read').map(({ session }) => session.text));
  return { sessions, waiting: new Set(waiting), hasOneHolder: !shares && readers.size < 2 };
}

type Versions<Kind extends Claim['kind']> = (claim: Extract<Claim, { kind: Kind }>, context: Context) => string[];

const texts = (names: readonly { readonly text: string }[]) => names.map(({ text }) => text);

const versions: { readonly [Kind in Claim['kind']]: Versions<Kind> } = {
  holds: ({ session: { text: name } }, { sessions, waiting, hasOneHolder }) => [
    `${name} times out`,
    `${name} lost`,
    `${name} uncertain`,
    `${name} stale`,
    'empty',
    'no holders',
    ...(waiting.has(name) ? [] : [`${name} waits`]),
    ...sessions.filter(other => other !== name && (hasOneHolder || waiting.has(other))).map(other => `${other} holds`),
  ],
  waits: ({ session: { text: name }, blocker }, { sessions }) => [
    `${name} times out`,
    `${name} lost`,
    `${name} uncertain`,
    'empty',
    'no waiters',
    ...(blocker === undefined
      ? []
      : sessions.filter(other => other !== blocker.text).map(other => `${name} waits for ${other}`)),
    ...(blocker === undefined ? [] : [`${blocker.text} waits for ${name}`]),
  ],
  holders: ({ sessions: named }, { sessions }) => {
    const names = texts(named);
    const others = sessions.filter(name => !names.includes(name));
    return [
      ...(names.length > 0 ? ['no holders', 'empty'] : []),
      ...(names.length > 1 ? names.map(left => `holders ${names.filter(name => name !== left).join(' and ')}`) : []),
      ...others.map(other => `holders ${[...names, other].join(' and ')}`),
      ...others.map(other => `holders ${[other, ...names.slice(1)].join(' and ')}`),
    ];
  },
  waiters: ({ sessions: named }, { sessions }) => {
    const names = texts(named);
    const others = sessions.filter(name => !names.includes(name));
    return [
      ...(names.length > 0 ? ['no waiters', 'empty'] : []),
      ...(names.length > 1 ? [`waiters ${names.toReversed().join(' then ')}`] : []),
      ...(names.length > 1 ? names.map(left => `waiters ${names.filter(name => name !== left).join(' then ')}`) : []),
      ...others.map(other => `waiters ${[...names, other].join(' then ')}`),
      ...others.map(other => `waiters ${[other, ...names.slice(1)].join(' then ')}`),
    ];
  },
  empty: (_, { sessions }) =>
    sessions.flatMap(name => [`${name} holds`, `${name} waits`, `waiters ${name}`, `holders ${name}`]),
  stale: ({ session: { text: name } }) => ['nothing stale', `${name} lost`],
  'nothing stale': (_, { sessions }) => sessions.map(name => `${name} stale`),
  'tokens grow': () => ['tokens grow /never/taken'],
  woken: ({ recipe, compare, count }) => {
    const word = recipe === undefined ? 'woken' : `${recipe} woken`;
    return compare === 'at most'
      ? [`${word} at least ${count + 1}`, `${word} at most ${Math.floor(count / 2)}`]
      : [`${word} at most ${count - 1}`, `${word} at least ${count * 10}`];
  },
  deadlock: ({ sessions: named }, { sessions }) => {
    const names = texts(named);
    if (names.length === 0) return [`deadlock between ${sessions.slice(0, 2).join(' and ')}`];
    const others = sessions.filter(name => !names.includes(name));
    return [
      'no deadlock',
      ...others.map(other => `deadlock between ${[other, ...names.slice(1)].join(' and ')}`),
      ...others.map(other => `deadlock between ${[...names, other].join(' and ')}`),
    ];
  },
  'times out': ({ session: { text: name } }) => [`${name} holds`, `${name} lost`, `${name} waits`],
  lost: ({ session: { text: name } }) => [`${name} holds`, `${name} uncertain`, `${name} times out`],
  uncertain: ({ session: { text: name } }) => [`${name} holds`, `${name} lost`, `${name} times out`],
};
