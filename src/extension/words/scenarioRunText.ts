import { byKind } from '../../base/byKind.ts';
import type { HerdCost, HerdResult } from '../../scenario/herd.ts';
import type { Left } from '../../scenario/madeDirectories.ts';
import type { Failure } from '../../scenario/runScenario.ts';
import { StepFailed, type StepFault } from '../../scenario/stepFailed.ts';
import { errorSentence } from './errorText.ts';
import { inEditor, type Language, nameText, sentencesIn } from './language.ts';

const faultText = byKind<StepFault, string, [Language]>({
  'nothing-to-release': ({ session }, l10n) => l10n.t('{0} neither holds nor waits for this lock.', session),
  'nothing-to-delete': ({ session }, l10n) => l10n.t('{0} has no node in this queue.', session),
  'no-session': ({ session }, l10n) => l10n.t('{0} has no session.', session),
  'no-addresses': ({ session }, l10n) =>
    l10n.t('{0} cannot be found by its address: the servers do not say from where sessions are connected.', session),
  'in-use': ({ path }, l10n) =>
    l10n.t('{0} is in the way of the herd, which needs a path of its own.', nameText(path, 200, l10n)),
  'not-deleted': ({ path, outcome }, l10n) =>
    l10n.t('{0} was not deleted; the outcome is: {1}.', nameText(path, 200, l10n), outcome),
});

/** Why a step could not be done. */
export function stepErrorText(error: unknown, l10n: Language = inEditor): string {
  return error instanceof StepFailed ? faultText(error.fault, l10n) : errorSentence(error, l10n);
}

/** Why a run has ended early, in one or two sentences. Lines are counted from 1. */
export function failureText(failure: Failure, l10n: Language = inEditor): string {
  switch (failure.kind) {
    case 'not so':
      return l10n.t('Line {0}: this did not come true in time.', failure.step.span.line + 1);
    case 'failed':
      return l10n.t('Line {0}: {1}', failure.step.span.line + 1, stepErrorText(failure.error, l10n));
    case 'limit':
      return sentencesIn(l10n, [
        failure.step === undefined
          ? l10n.t('The time of the run was over before its first step: {0} s.', failure.limitMs / 1_000)
          : l10n.t(
              'Line {0}: the time of the run was over: {1} s.',
              failure.step.span.line + 1,
              failure.limitMs / 1_000,
            ),
        l10n.t('More time: write limit: 2min before the first step.'),
      ]);
    default:
      return l10n.t('Cancelled.');
  }
}

/** What a run has made and could not remove, one line each; '' for nothing. */
export function leftText(left: readonly Left[], l10n: Language = inEditor): string {
  if (left.length === 0) return '';
  const lines = left.map(({ path, why }) => {
    return `  ${nameText(path, 200, l10n)}: ${whyText(why, l10n)}`;
  });
  return [l10n.t('Not removed:'), ...lines].join('\n');
}

function whyText(why: Left['why'], l10n: Language): string {
  if (why === 'in use') return l10n.t('in use by others');
  return why === 'session' ? l10n.t('goes when its session ends') : stepErrorText(why.error, l10n);
}

/** Widest bar of the herd's chart, characters. */
const barWidth = 40;

/** The cost of both recipes as a table, and the notifications of each as a bar. */
export function herdText({ contenders, naive, predecessor }: HerdResult, l10n: Language = inEditor): string {
  const head = ['', l10n.t('hand-overs'), l10n.t('notifications'), l10n.t('time')];
  const rows = [costRow(l10n.t('naive'), naive, l10n), costRow(l10n.t('predecessor'), predecessor, l10n)];
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map(row => row[at]?.length ?? 0)));
  const lines = [head, ...rows].map(row =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const most = Math.max(naive.notifications, predecessor.notifications, 1);
  const bar = ({ notifications }: HerdCost): string => '█'.repeat(Math.round((notifications / most) * barWidth));
  const width = widths[0] ?? 0;
  return [
    l10n.t('Herd of {0} contenders', contenders),
    ...lines,
    ...[naive, predecessor].map(
      (cost, at) => `${(rows[at]?.[0] ?? '').padEnd(width)}  ${bar(cost)} ${cost.notifications}`,
    ),
  ].join('\n');
}

function costRow(name: string, { handOvers, notifications, ms }: HerdCost, l10n: Language): string[] {
  return [name, String(handOvers), String(notifications), l10n.t('{0} ms', Math.round(ms))];
}
