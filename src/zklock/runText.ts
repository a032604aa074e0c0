import { english } from '../extension/words/language.ts';
import { problemText } from '../extension/words/scenarioProblemText.ts';
import { failureText, herdText, leftText } from '../extension/words/scenarioRunText.ts';
import { allSteps, expectsOf, type Span, type Step } from '../scenario/scenario.ts';
import { herdDirectories } from '../scenario/herd.ts';
import type { Failure, RunResult, StepEnd } from '../scenario/runScenario.ts';
import { durationText, shown } from './plainText.ts';
import { textAt, type ScenarioFile } from './scenarioFiles.ts';

/** Colours a word of ours, or leaves it as it is. */
export type Paint = (style: 'good' | 'bad' | 'quiet', text: string) => string;

/** A place as editors and CI systems find it: `FILE:LINE:COLUMN`, counted from 1. */
export function placeText({ file }: Pick<ScenarioFile, 'file'>, { line, from }: Span): string {
  return `${shown(file)}:${line + 1}:${from + 1}`;
}

/** One line for each problem of a file, as compilers write them. */
export function problemLines(file: ScenarioFile): string[] {
  return file.problems.map(
    problem => `${placeText(file, problem.span)}: ${problem.severity}: ${problemText(problem, english)}`,
  );
}

/** One step or `expect` that has ended, with its time; what went wrong, and a herd's table, stand below it. */
export function stepLines(file: ScenarioFile, end: StepEnd, paint: Paint): string[] {
  const { step, startedMs, tookMs, failure, herd } = end;
  const verdict = failure === undefined ? paint('good', 'ok    ') : paint('bad', 'FAILED');
  const line = String(step.span.line + 1).padStart(4);
  const times = paint('quiet', `${durationText(tookMs)}, at ${durationText(startedMs)}`);
  const below = failure === undefined ? [] : failureLines(file, failure);
  const table = herd === undefined ? [] : herdText(herd, english).split('\n');
  return [`  ${verdict} ${line}  ${textAt(file, step.span)}  ${times}`, ...indented([...below, ...table], 15)];
}

/** Why a run has ended early, and for claims what was expected and what was seen. */
export function failureLines(file: ScenarioFile, failure: Failure): string[] {
  const why = failureText(failure, english);
  if (failure.kind !== 'not so') return [why];
  return [
    why,
    ...failure.claims.map(({ span }) => `expected: ${textAt(file, span)}`),
    'seen:',
    ...indented(failure.seen.split('\n'), 2),
  ];
}

/** How a run of a file has ended, and what is left of it. */
export function endLines(file: ScenarioFile, result: RunResult, paint: Paint): string[] {
  const { failure, steps, tookMs, left } = result;
  const isReported = failure === undefined || steps.some(end => end.failure === failure);
  const expects = expectsOf(file.scenario);
  const [good, all] = [expects.filter(step => isTrueIn(result, step)).length, expects.length];
  const verdict = failure === undefined ? paint('good', 'passed') : paint('bad', 'failed');
  return [
    ...(isReported ? [] : indented(failureLines(file, failure), 2)),
    `  ${verdict}: ${good} of ${all} expectations true, ${durationText(tookMs)}`,
    ...indented(
      leftText(left, english)
        .split('\n')
        .filter(line => line !== ''),
      2,
    ),
  ];
}

/** Whether it was looked at, and came true each time. */
export function isTrueIn({ steps }: Pick<RunResult, 'steps'>, step: Step): boolean {
  const ends = steps.filter(end => end.step === step);
  return ends.length > 0 && ends.every(({ failure }) => failure === undefined);
}

/** The locks that a run takes, so that they can be named before it begins. Foreign text. */
export function lockedPaths({ scenario, paths }: Pick<ScenarioFile, 'scenario' | 'paths'>): string[] {
  const found = [...allSteps(scenario.steps)].flatMap(step => {
    const at = paths.get(step) ?? [];
    if (step.kind === 'herd') return at.flatMap(path => herdDirectories(path));
    return step.kind === 'acquire' || step.kind === 'leave' ? at : [];
  });
  return [...new Set(found)];
}

function indented(lines: readonly string[], by: number): string[] {
  return lines.map(line => `${' '.repeat(by)}${line}`);
}
