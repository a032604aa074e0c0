import { writeFile } from 'node:fs/promises';
import { monotonicNow } from '../base/deadline.ts';
import { english, nameText } from '../extension/words/language.ts';
import { failureText } from '../extension/words/scenarioRunText.ts';
import { isPlayable } from '../scenario/readScenario.ts';
import { expectsOf, sandboxWord } from '../scenario/scenario.ts';
import { runScenario } from '../scenario/runScenario.ts';
import { onSandbox, type ScenarioCluster } from '../scenario/scenarioCluster.ts';
import { readSecurity, scenarioClusterAt } from './cluster.ts';
import type { CommandParts } from './command.ts';
import { UsageError } from './commandLine.ts';
import { errorLine, ExitCode, exitCodeOf } from './failure.ts';
import { junitReport, type PlayedFile } from './junit.ts';
import type { Output } from './output.ts';
import { durationText, plainJson, shown } from './plainText.ts';
import { endLines, failureLines, isTrueIn, lockedPaths, placeText, problemLines, stepLines } from './runText.ts';
import { findScenarioFiles, readScenarioFile, textAt, type ScenarioFile } from './scenarioFiles.ts';

/** Where a file is played: a sandbox, or a cluster by its connect string. */
type Place = 'sandbox' | { readonly connectString: string; readonly cluster: ScenarioCluster };

/** `zklock run`. @returns the exit code @throws UsageError, ConnectStringError, and what `readSecurity` throws */
export async function runCommand(parts: CommandParts): Promise<number> {
  const { options, signal, output } = parts;
  const place = await placeOf(parts);
  const files = await Promise.all((await findScenarioFiles(parts.rest)).map(file => readScenarioFile(file)));
  const began = monotonicNow();
  const played: PlayedFile[] = [];
  let code: number = ExitCode.good;
  let isOver = false;
  for (const file of files) {
    const one: Outcome =
      isOver || signal.aborted ? { code: ExitCode.good, played: file } : await playFile(file, place, parts);
    code = Math.max(code, one.code);
    isOver ||= one.isLast === true;
    played.push(one.played);
  }
  if (options.json === undefined) output.line(summary(played, monotonicNow() - began));
  else output.line(plainJson({ passed: code === ExitCode.good && !signal.aborted, files: played.map(fileJson) }));
  if (options.junit !== undefined) await writeJunit(options.junit, played);
  return code;
}

async function placeOf({ options, environment }: CommandParts): Promise<Place | undefined> {
  const { cluster } = options;
  if (cluster === undefined || cluster === sandboxWord) return cluster;
  return { connectString: cluster, cluster: scenarioClusterAt(cluster, await readSecurity(options, environment)) };
}

/** A file that was played, or not, with the exit code that it asks for. */
interface Outcome {
  readonly code: number;
  readonly played: PlayedFile;
  /** The others would fare the same. */
  readonly isLast?: true;
}

async function playFile(file: ScenarioFile, given: Place | undefined, parts: CommandParts): Promise<Outcome> {
  const { output } = parts;
  for (const line of problemLines(file)) output.note(line);
  if (!isPlayable(file)) return { code: ExitCode.unusable, played: { ...file, error: 'The file has errors.' } };
  const place = given ?? placeInHeader(file);
  if (place === undefined) return refuseHeader(file, output);
  const startedAt = Date.now();
  try {
    const played = { ...file, startedAt, result: await play(file, place, parts) };
    return { code: played.result.failure === undefined ? ExitCode.good : ExitCode.failed, played };
  } catch (error) {
    // Nothing was taken: no session could be opened, or the directories could not be looked at.
    output.note(`${shown(file.file)}: ${errorLine(error)}`);
    return { code: exitCodeOf(error), played: { ...file, startedAt, error }, isLast: true };
  }
}

/** @returns `undefined` for a cluster that only an editor knows */
function placeInHeader({ scenario: { cluster } }: ScenarioFile): Place | undefined {
  return cluster === undefined || cluster.text === sandboxWord ? 'sandbox' : undefined;
}

function refuseHeader(file: ScenarioFile, output: Output): Outcome {
  const { text, span } = file.scenario.cluster ?? { text: '', span: { line: 0, from: 0, to: 0 } };
  const error = `The cluster ${nameText(text, 60, english)} is one of an editor's window. Pass --cluster HOST:PORT, or --cluster sandbox.`;
  output.note(`${placeText(file, span)}: error: ${error}`);
  return { code: ExitCode.unusable, played: { ...file, error } };
}

async function play(file: ScenarioFile, place: Place, { options, signal, output }: CommandParts) {
  const isQuiet = options.json !== undefined;
  const say = (lines: readonly string[]): void => {
    if (!isQuiet) for (const line of lines) output.line(line);
  };
  const on = place === 'sandbox' ? 'a sandbox' : shown(place.connectString);
  say([`${shown(file.file)} on ${on}`]);
  if (place !== 'sandbox') {
    const paths = lockedPaths(file).map(path => shown(path));
    output.note(`  Writes to ${on}, and removes it at the end: ${paths.length === 0 ? 'nothing' : paths.join(', ')}`);
  }
  const { scenario, paths } = file;
  const onStep = (end: Parameters<typeof stepLines>[1]): void => say(stepLines(file, end, output.paint));
  const playOn = (cluster: ScenarioCluster) => runScenario(scenario, paths, cluster, { signal, onStep });
  const result = place === 'sandbox' ? await onSandbox(playOn) : await playOn(place.cluster);
  say(endLines(file, result, output.paint));
  return result;
}

async function writeJunit(path: string, played: readonly PlayedFile[]): Promise<void> {
  try {
    await writeFile(path, junitReport(played));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UsageError(`The report cannot be written: ${shown(path)} (${code}).`);
  }
}

function summary(played: readonly PlayedFile[], ms: number): string {
  const passed = played.filter(({ result }) => result !== undefined && result.failure === undefined).length;
  const notPlayed = played.filter(({ result }) => result === undefined).length;
  const files = played.length === 1 ? '1 file' : `${played.length} files`;
  return `${files}: ${passed} passed, ${played.length - passed - notPlayed} failed, ${notPlayed} not played, ${durationText(ms)}`;
}

function fileJson(file: PlayedFile) {
  const { result, error, problems, scenario } = file;
  const failure = result?.failure;
  return {
    file: file.file,
    outcome: result === undefined ? 'not played' : failure === undefined ? 'passed' : 'failed',
    ...(error === undefined ? {} : { error: typeof error === 'string' ? error : errorLine(error) }),
    problems: problems.map((_, at) => problemLines(file)[at]),
    expectations: expectsOf(scenario).map(step => ({
      line: step.span.line + 1,
      text: textAt(file, step.span),
      true: result !== undefined && isTrueIn(result, step),
    })),
    ...(result === undefined ? {} : resultJson(file, result)),
  };
}

function resultJson(file: ScenarioFile, { failure, steps, tookMs, left }: NonNullable<PlayedFile['result']>) {
  return {
    tookMs: Math.round(tookMs),
    ...(failure === undefined
      ? {}
      : { failure: failureText(failure, english), details: failureLines(file, failure).slice(1) }),
    steps: steps.map(({ step, startedMs, tookMs: ms, failure: wrong, herd }) => ({
      line: step.span.line + 1,
      text: textAt(file, step.span),
      startedMs: Math.round(startedMs),
      tookMs: Math.round(ms),
      passed: wrong === undefined,
      ...(herd === undefined ? {} : { herd }),
    })),
    notRemoved: left.map(({ path }) => path),
  };
}
