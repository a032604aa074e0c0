import type { Problem, ProblemFacts } from '../../scenario/problem.ts';
import { headerOf } from '../../scenario/parseScenario.ts';
import type { ReadScenario } from '../../scenario/readScenario.ts';
import type { Span } from '../../scenario/scenario.ts';
import { tokensOf, written } from '../../scenario/tokens.ts';
import { l10n, nameText } from '../words/language.ts';
import { placesOfSessions } from './sessionPlaces.ts';

/** A piece of a line and what stands there instead, or whole lines: so many are removed `at` a line, and these are put there. */
export type FileEdit =
  | { readonly span: Span; readonly text: string }
  | { readonly at: number; readonly removes: 0 | 1; readonly lines: readonly string[] };

/** A change that makes a problem go away. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly FileEdit[];
}

/** A file with a problem. */
export interface FixContext {
  readonly lines: readonly string[];
  readonly read: ReadScenario;
  readonly problem: Problem;
  /** A path for a file that has none. */
  readonly usualPath: string;
}

type Fixer<Kind extends ProblemFacts['kind']> = (
  facts: ProblemFacts & { kind: Kind },
  context: FixContext,
) => Fix | undefined;

const fixers: { readonly [Kind in ProblemFacts['kind']]?: Fixer<Kind> } = {
  expected: ({ nearest }, { problem }) => (nearest === undefined ? undefined : changeTo(problem.span, nearest)),
  duration: ({ found }, { problem: { span } }) => (/^\d{1,3}$/u.test(found) ? changeTo(span, `${found}s`) : undefined),
  number: ({ found, least, most }, { problem: { span } }) =>
    /^-?\d+$/u.test(found) ? changeTo(span, String(Number(found) > most ? most : least)) : undefined,
  'text-not-closed': (_, { lines, problem: { span } }) => {
    const rest = (lines[span.line] ?? '').slice(span.from);
    const text = rest.trimEnd();
    // A quotation mark behind a backslash would be part of the text.
    const isEscaped = (/\\*$/u.exec(text)?.[0].length ?? 0) % 2 === 1;
    const edit = { span: { ...span, to: span.from + rest.length }, text: `${text}${isEscaped ? '\\' : ''}"` };
    return { title: l10n.t('Close the text'), edits: [edit] };
  },
  'block-not-closed': (_, context) => {
    const { lines, read, problem } = context;
    const inner = read.problems.filter(
      ({ facts, span }) => facts.kind === problem.facts.kind && !isBefore(span, problem.span),
    );
    const braces = inner.map((__, at) => `${'  '.repeat(depthOf(problem, read) + inner.length - 1 - at)}}`);
    return { title: l10n.t('Close the block'), edits: [insert(lines.length, braces)] };
  },
  'no-block': (_, { lines, problem: { span } }) => {
    const isAlone = (lines[span.line] ?? '').trim() === '}';
    return { title: l10n.t('Remove the brace'), edits: [isAlone ? remove(span.line) : { span, text: '' }] };
  },
  'no-path': (_, context) => ({
    title: l10n.t('Add a path for the whole file'),
    edits: [insert(firstStep(context), [`path: ${written(context.usualPath)}`, ''])],
  }),
  'no-steps': (_, { lines }) => firstAcquire('A', lines.length),
  'header-late': ({ text }, context) => {
    const { lines, problem } = context;
    const content = (lines[problem.span.line] ?? '').trim();
    const first = firstStep(context);
    const isTwice = lines.slice(0, first).some(line => headerOf(tokensOf(line, 0)) === text);
    if (isTwice) return withoutLine(context);
    const edits = [insert(first, [content]), remove(problem.span.line)];
    return { title: l10n.t('Move {0} before the first step', text), edits };
  },
  'header-twice': (_, context) => withoutLine(context),
  reserved: ({ text }, { read: { problems, scenario } }) => {
    const names = new Set(placesOfSessions(scenario).map(({ name }) => name));
    const name = firstFree(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`, names);
    const all = problems.filter(({ facts }) => facts.kind === 'reserved' && facts.text === text);
    return { title: l10n.t('Rename to {0}', name), edits: all.map(({ span }) => ({ span, text: name })) };
  },
  path: ({ text }, { problem: { span } }) => {
    const names = text.split('/').filter(name => !['', '.', '..'].includes(name));
    const path = `/${names.join('/')}`;
    return names.length === 0 || path === text ? undefined : changeTo(span, written(path));
  },
  'never-opened': ({ session }, context) => acquireBefore(session, context),
  'nothing-to-release': ({ session }, context) => acquireBefore(session, context),
  'no-recipe': ({ dialect }, { lines, problem: { span } }) => {
    const tokens = tokensOf((lines[span.line] ?? '').slice(0, span.to), span.line);
    const at = tokens.findLastIndex(token => token.text === 'as' && token.span.from >= span.from);
    const [as, library] = tokens.slice(at, at + 2);
    if (as === undefined || library === undefined) return undefined;
    const around = { ...span, from: tokens[at - 1]?.span.to ?? as.span.from, to: library.span.to };
    return { title: l10n.t('Remove "{0}"', `as ${dialect}`), edits: [{ span: around, text: '' }] };
  },
};

/** @returns absent for problems that only a person can solve */
export function fixOf(context: FixContext): Fix | undefined {
  const { facts } = context.problem;
  const fixer = fixers[facts.kind] as Fixer<ProblemFacts['kind']> | undefined;
  return fixer?.(facts, context);
}

function changeTo(span: Span, text: string): Fix {
  return { title: l10n.t('Change to {0}', nameText(text, 60)), edits: [{ span, text }] };
}

function withoutLine({ problem: { span } }: FixContext): Fix {
  return { title: l10n.t('Remove the line'), edits: [remove(span.line)] };
}

function insert(at: number, lines: readonly string[]): FileEdit {
  return { at, removes: 0, lines };
}

function remove(at: number): FileEdit {
  return { at, removes: 1, lines: [] };
}

function firstAcquire(session: string, at: number, indent = ''): Fix {
  const step = `${session}: acquire mutex`;
  return { title: l10n.t('Add the step {0}', step), edits: [insert(at, [`${indent}${step}`])] };
}

/** Before all steps that need it. */
function acquireBefore(session: string, { lines, read, problem: { facts, span } }: FixContext): Fix {
  const isSame = (one: ProblemFacts): boolean => one.kind === facts.kind && 'session' in one && one.session === session;
  const line = read.problems.find(one => isSame(one.facts))?.span.line ?? span.line;
  return firstAcquire(session, line, /^\s*/u.exec(lines[line] ?? '')?.[0]);
}

/** The line of the first step, or of what should be one: the first behind comments and headers. */
function firstStep({ lines, read }: FixContext): number {
  const first = read.scenario.steps[0]?.span.line ?? lines.length;
  const other = lines.findIndex(line => {
    const tokens = tokensOf(line, 0);
    return tokens.length > 0 && headerOf(tokens) === undefined;
  });
  return other < 0 ? first : Math.min(first, other);
}

/** How many open blocks stand before a problem. */
function depthOf({ facts, span }: Problem, { problems }: ReadScenario): number {
  return problems.filter(one => one.facts.kind === facts.kind && isBefore(one.span, span)).length;
}

function isBefore(one: Span, other: Span): boolean {
  return one.line < other.line || (one.line === other.line && one.from < other.from);
}

function firstFree(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}${count}`;
  return free;
}
