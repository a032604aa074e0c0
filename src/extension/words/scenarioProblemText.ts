import { byKind } from '../../base/byKind.ts';
import type { Expected, Problem, ProblemFacts } from '../../scenario/problem.ts';
import { dialectText } from './contenderText.ts';
import { inEditor, type Language, listed, nameText, sentencesIn } from './language.ts';

/** Longest list of words that could stand at a place. */
const mostExpected = 12;

const whats: Readonly<Record<Extract<Expected, { what: unknown }>['what'], (l10n: Language) => string>> = {
  session: l10n => l10n.t('the name of a session'),
  'new session': l10n => l10n.t('the name of a session'),
  path: l10n => l10n.t('a path such as /locks/orders'),
  dialect: l10n => l10n.t('the name of a library'),
  number: l10n => l10n.t('a number'),
  duration: l10n => l10n.t('a time such as 2s or 500ms'),
  text: l10n => l10n.t('a text'),
  cluster: l10n => l10n.t('the name of a cluster'),
  'end of line': l10n => l10n.t('the end of the line'),
};

type Row<Kind extends ProblemFacts['kind']> = (facts: ProblemFacts & { kind: Kind }, l10n: Language) => string;

const texts: { [Kind in ProblemFacts['kind']]: Row<Kind> } = {
  expected: ({ found, expected, nearest }, l10n) => {
    const can = [...new Set(expected.map(one => ('word' in one ? one.word : whats[one.what](l10n))))];
    const list = can.length > mostExpected ? [...can.slice(0, mostExpected), '…'] : can;
    const what =
      found === ''
        ? l10n.t('Something is missing here. Expected: {0}.', listed(list, l10n))
        : l10n.t('{0} cannot stand here. Expected: {1}.', nameText(found, 40, l10n), listed(list, l10n));
    return sentencesIn(l10n, [what, nearest === undefined ? '' : l10n.t('Did you mean {0}?', nearest)]);
  },
  'text-not-closed': (_, l10n) => l10n.t('The quotation mark that ends this text is missing.'),
  'block-not-closed': (_, l10n) => l10n.t('The brace that closes this block is missing: }'),
  'no-block': (_, l10n) => l10n.t('This brace closes no block.'),
  'too-deep': (_, l10n) => l10n.t('At most 8 blocks may be within one another.'),
  'no-path': (_, l10n) =>
    l10n.t('The path of the lock is missing. Write it here, or once for the whole file: path: /locks/orders'),
  'no-steps': (_, l10n) => l10n.t('The scenario has no steps yet. A first one: A: acquire mutex'),
  'header-late': ({ text }, l10n) => l10n.t('{0} must stand before the first step.', text),
  'header-twice': ({ text }, l10n) => l10n.t('{0} is written twice.', text),
  reserved: ({ text }, l10n) =>
    l10n.t('{0} is a word of the language and cannot be the name of a session.', nameText(text, 40, l10n)),
  path: ({ text }, l10n) =>
    l10n.t(
      '{0} is no path of a node. It begins with / and has a name between any two of them.',
      nameText(text, 80, l10n),
    ),
  'guarded-path': ({ text }, l10n) =>
    l10n.t('{0} belongs to the servers. Choose another path.', nameText(text, 80, l10n)),
  twice: ({ text }, l10n) =>
    l10n.t('{0} is written twice: the second lock would wait for the first.', nameText(text, 80, l10n)),
  number: ({ found, least, most }, l10n) =>
    l10n.t('{0} is out of range: a whole number from {1} to {2} is expected.', nameText(found, 40, l10n), least, most),
  duration: ({ found }, l10n) =>
    l10n.t('{0} is no time. Write for example 500ms, 2s or 1min; at most 60min.', nameText(found, 40, l10n)),
  'never-opened': ({ session }, l10n) =>
    l10n.t('{0} has taken no lock before. A first step could be: {0}: acquire mutex', session),
  'only-attached': ({ session }, l10n) =>
    l10n.t('{0} stands for contenders of other programs: it can only be part of an expectation.', session),
  'only-queue': ({ session }, l10n) =>
    l10n.t('{0} stands for contenders of other programs, of which only the queue is known.', session),
  'already-open': ({ session }, l10n) => l10n.t('{0} is a session already. Choose another name.', session),
  'nothing-to-release': ({ session }, l10n) => l10n.t('{0} has acquired nothing before.', session),
  'no-recipe': ({ dialect, recipe }, l10n) =>
    l10n.t('{0} has no lock of the kind {1}.', dialectText(dialect, l10n), recipe),
  'too-many-steps': ({ most }, l10n) => l10n.t('A scenario may have at most {0} steps, repeats included.', most),
  'too-large': ({ most }, l10n) => l10n.t('A scenario may have at most {0} characters.', most),
};

const textOf = byKind<ProblemFacts, string, [Language]>(texts);

/** What is wrong at a place of a scenario file, and what to write instead. */
export function problemText({ facts }: Pick<Problem, 'facts'>, l10n: Language = inEditor): string {
  return textOf(facts, l10n);
}
