import * as vscode from 'vscode';
import { displayText } from '../../base/displayText.ts';
import type { Claim, ExpectStep, Step } from '../../scenario/scenario.ts';
import type { Failure, RunResult, StepEnd } from '../../scenario/runScenario.ts';
import { failureText, herdText, leftText, stepErrorText } from '../words/scenarioRunText.ts';
import { atLine, lineText, notSoText } from '../words/scenarioTestText.ts';
import { l10n } from '../words/language.ts';
import { rangeOf } from './readDocument.ts';
import { textAt, type ScenarioFile } from './scenarioItems.ts';

/** Longest line of the output, characters. */
const longestLine = 200;

/** Width of the column of times in the output. */
const timeWidth = 9;

/** What one file did in a run: states of its tests, messages at their lines, and the output. */
export class FileReport {
  private readonly run: vscode.TestRun;
  private readonly file: ScenarioFile;
  /** Those without a result, in the order of the file. */
  private readonly open: Set<vscode.TestItem>;
  /** How long the claims of an expectation took, all times of a block together, ms. */
  private readonly spent = new Map<vscode.TestItem, number>();

  constructor(run: vscode.TestRun, file: ScenarioFile) {
    this.run = run;
    this.file = file;
    this.open = new Set(file.expects.values());
  }

  /** @param where as in `placeText` */
  begin(where: string): void {
    this.print(`${this.file.item.label} · ${where}`);
    this.run.started(this.file.item);
    this.startNext();
  }

  readonly onStep = ({ step, startedMs, tookMs, failure, herd }: StepEnd): void => {
    const line = lineText(textAt(this.file.lines, step.span));
    const end = failure === undefined ? '' : ' ✗';
    this.print(`${msText(startedMs + tookMs)}  ${line}${tookMs < 1 ? '' : `  (${msText(tookMs).trim()})`}${end}`);
    if (herd !== undefined) this.print(herdText(herd));
    if (step.kind === 'expect') this.noteExpect(step, tookMs, failure);
  };

  /** The run of this file is over. */
  end({ failure, tookMs, left }: RunResult): void {
    if (failure === undefined) this.run.passed(this.file.item, tookMs);
    else this.fail(failure, tookMs);
    this.skipOpen();
    this.print(failure === undefined ? l10n.t('Passed in {0} ms.', Math.round(tookMs)) : failureText(failure));
    if (failure?.kind === 'not so') this.print(failure.seen);
    if (left.length > 0) this.print(leftText(left));
    this.print('');
  }

  /** It could not be played. @param at where the reason stands in the file */
  refuse(why: string, at?: Step['span']): void {
    this.run.errored(this.file.item, this.message(why, at));
    this.skipOpen();
    this.print(`${this.file.item.label}: ${at === undefined ? why : atLine(at.line, why)}`);
  }

  /** It was not played. */
  skip(why: string): void {
    this.run.skipped(this.file.item);
    this.skipOpen();
    this.print(`${this.file.item.label}: ${why}`);
  }

  private noteExpect(step: ExpectStep, tookMs: number, failure: Failure | undefined): void {
    const item = this.file.expects.get(step);
    if (item === undefined || failure?.kind === 'cancelled') return;
    const spent = (this.spent.get(item) ?? 0) + tookMs;
    this.spent.set(item, spent);
    this.open.delete(item);
    if (failure === undefined) this.run.passed(item, spent);
    else this.run.failed(item, this.messageOf(failure, step), spent);
    this.startNext();
  }

  private startNext(): void {
    const [next] = this.open;
    if (next !== undefined) this.run.started(next);
  }

  private skipOpen(): void {
    for (const item of this.open) this.run.skipped(item);
    this.open.clear();
  }

  private fail(failure: Failure, tookMs: number): void {
    const { item } = this.file;
    if (failure.kind === 'cancelled') {
      this.run.skipped(item);
      // VS Code shows a file as passed of which some tests have passed and none failed.
      for (const child of this.file.expects.values()) this.open.add(child);
    }
    // Its own test has the message, with what was seen.
    else if (failure.step?.kind === 'expect') this.run.failed(item, [], tookMs);
    else this.run.failed(item, this.messageOf(failure, failure.step), tookMs);
  }

  private messageOf(failure: Failure, step: Step | undefined): vscode.TestMessage {
    if (failure.kind !== 'not so') {
      const text = failure.kind === 'failed' ? stepErrorText(failure.error) : failureText(failure);
      return this.message(text, step?.span);
    }
    const message = this.message(notSoText(failure.claims.map(claim => this.claimText(claim))), failure.step.span);
    const sides = [this.expected(failure.step), failure.seen] as const;
    // VS Code writes both beside the line, cut short: of one lock they need no path.
    const isOfOne = sides.every(side => side.split('\n').filter(line => !line.startsWith('  ')).length === 1);
    [message.expectedOutput, message.actualOutput] = isOfOne ? [withoutPath(sides[0]), withoutPath(sides[1])] : sides;
    return message;
  }

  private message(text: string, at: Step['span'] = { line: 0, from: 0, to: 0 }): vscode.TestMessage {
    const message = new vscode.TestMessage(text);
    message.location = new vscode.Location(this.file.uri, rangeOf(at));
    return message;
  }

  /** The claims below their paths, as `seen` has them, so that lines that are as expected stand beside each other. */
  private expected({ claims }: ExpectStep): string {
    const byPath = Map.groupBy(claims, claim => (this.file.read.paths.get(claim) ?? []).join(', '));
    return [...byPath]
      .flatMap(([path, each]) => [
        ...(path === '' ? [] : [displayText(path)]),
        ...each.map(claim => `  ${this.claimText(claim)}`),
      ])
      .join('\n');
  }

  /** As it is written, without its path. */
  private claimText({ span, path }: Claim): string {
    const text = textAt(this.file.lines, span);
    if (path === undefined) return lineText(text);
    const [from, to] = [path.span.from - span.from, path.span.to - span.from];
    return lineText(`${text.slice(0, from)}${text.slice(to)}`);
  }

  /** To the output, which is a terminal. Lines are made harmless by those who make them. */
  private print(text: string): void {
    const lines = text.split('\n').map(line => line.slice(0, longestLine));
    this.run.appendOutput(`${lines.join('\r\n')}\r\n`, undefined, this.file.item);
  }
}

/** What is below the one path. */
function withoutPath(side: string): string {
  const [, ...lines] = side.split('\n');
  return lines.map(line => line.trimStart()).join('\n');
}

function msText(ms: number): string {
  return l10n.t('{0} ms', Math.round(ms)).padStart(timeWidth);
}
