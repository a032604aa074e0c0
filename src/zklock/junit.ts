import { english } from '../extension/words/language.ts';
import { leftText } from '../extension/words/scenarioRunText.ts';
import { expectsOf, type Step } from '../scenario/scenario.ts';
import type { RunResult } from '../scenario/runScenario.ts';
import { errorLine } from './failure.ts';
import { shown } from './plainText.ts';
import { failureLines, problemLines } from './runText.ts';
import { textAt, type ScenarioFile } from './scenarioFiles.ts';

/** A file, and what came of it: neither a result nor an error means that it was not played. */
export interface PlayedFile extends ScenarioFile {
  /** Epoch ms. */
  readonly startedAt?: number;
  readonly result?: RunResult;
  /** Why it could not be played; a text of ours is shown as it is. */
  readonly error?: unknown;
}

interface TestCase {
  readonly name: string;
  readonly line?: number;
  readonly ms: number;
  readonly outcome?: { readonly kind: 'failure' | 'error' | 'skipped'; readonly lines: readonly string[] };
}

/**
 * A report as CI systems read it: a suite for each file, a case for each `expect`. What ends a run elsewhere is a case of its own with
 * an error, and every `expect` after it is skipped. Foreign text cannot break it: what XML 1.0 cannot hold is shown as its code.
 */
export function junitReport(files: readonly PlayedFile[]): string {
  const suites = files.map(file => suiteOf(file));
  const sum = counts(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="zklock" ${sum}>`,
    ...suites.flatMap(({ file, cases, log }) => [
      `  <testsuite name="${escaped(shown(file.file))}" ${counts(cases)}${timestamp(file)}>`,
      ...cases.flatMap(each => caseLines(shown(file.file), each)),
      ...(log.length === 0 ? [] : [`    <system-out>${escaped(log.join('\n'))}</system-out>`]),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteOf(file: PlayedFile): { file: PlayedFile; cases: TestCase[]; log: string[] } {
  const { result, error } = file;
  const problems = problemLines(file);
  const expects = expectsOf(file.scenario).map(step => expectCase(file, step));
  const extra = endCase(file) ?? (error === undefined ? undefined : errorCase(error, problems));
  // In the order of the run: what ended it stands before what was skipped.
  const at = expects.findIndex(({ outcome }) => outcome?.kind === 'skipped');
  const place = at < 0 ? expects.length : at;
  const cases = extra === undefined ? expects : [...expects.slice(0, place), extra, ...expects.slice(place)];
  return { file, cases, log: result === undefined ? [] : leftLog(result, problems) };
}

function leftLog({ left }: RunResult, problems: readonly string[]): string[] {
  const remains = leftText(left, english);
  return remains === '' ? [...problems] : [...problems, remains];
}

function expectCase(file: PlayedFile, step: Step): TestCase {
  const ends = file.result?.steps.filter(end => end.step === step) ?? [];
  const failure = ends.find(end => end.failure !== undefined)?.failure;
  const name = stepName(file, step);
  const { line } = step.span;
  const ms = ends.reduce((sum, { tookMs }) => sum + tookMs, 0);
  if (failure !== undefined)
    return { name, line, ms, outcome: { kind: 'failure', lines: failureLines(file, failure) } };
  return ends.length > 0 ? { name, line, ms } : { name, line, ms, outcome: { kind: 'skipped', lines: [] } };
}

/** The step that ended the run, unless it is an `expect`. */
function endCase(file: PlayedFile): TestCase | undefined {
  const { result } = file;
  const failure = result?.failure;
  if (failure === undefined) return undefined;
  const end = result?.steps.find(each => each.failure !== undefined);
  if (end?.step.kind === 'expect') return undefined;
  return {
    name: end === undefined ? 'run' : stepName(file, end.step),
    ...(end === undefined ? {} : { line: end.step.span.line }),
    ms: end?.tookMs ?? 0,
    outcome: { kind: 'error', lines: failureLines(file, failure) },
  };
}

function errorCase(error: unknown, problems: readonly string[]): TestCase {
  const lines = [typeof error === 'string' ? error : errorLine(error), ...problems];
  return { name: 'file', ms: 0, outcome: { kind: 'error', lines } };
}

function stepName(file: PlayedFile, { span }: Step): string {
  return `line ${span.line + 1}: ${textAt(file, span)}`;
}

function caseLines(file: string, { name, line, ms, outcome }: TestCase): string[] {
  const where = line === undefined ? '' : ` line="${line + 1}"`;
  const head = `    <testcase classname="${escaped(file)}" name="${escaped(name)}" file="${escaped(file)}"${where} time="${seconds(ms)}"`;
  if (outcome === undefined) return [`${head}/>`];
  if (outcome.kind === 'skipped') return [`${head}>`, '      <skipped/>', '    </testcase>'];
  const [message = ''] = outcome.lines;
  const { kind, lines } = outcome;
  return [
    `${head}>`,
    `      <${kind} message="${escaped(message)}">${escaped(lines.join('\n'))}</${kind}>`,
    '    </testcase>',
  ];
}

function counts(cases: readonly TestCase[]): string {
  const of = (kind: string): number => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  const ms = cases.reduce((sum, each) => sum + each.ms, 0);
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}" time="${seconds(ms)}"`;
}

function timestamp({ startedAt }: PlayedFile): string {
  return startedAt === undefined ? '' : ` timestamp="${new Date(startedAt).toISOString()}"`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * For an element or an attribute: text that is harmless already, line breaks included. What is no character of XML 1.0 (2.2) is
 * replaced, and so are the controls that it allows.
 */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>"']/gu, character => entities[character] ?? character);
}
