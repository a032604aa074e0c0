// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { readScenario } from '../../../src/scenario/readScenario.ts';
import { allSteps, type ExpectStep, type Step } from '../../../src/scenario/scenario.ts';
import type { Failure, RunResult } from '../../../src/scenario/runScenario.ts';
import { junitReport, type PlayedFile } from '../../../src/zklock/junit.ts';

interface XmlNode {
  readonly tagName: string;
  readonly textContent: string;
  readonly children: ArrayLike<XmlNode>;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): ArrayLike<XmlNode>;
}

/** jsdom's, which refuses what is not well-formed. The tests have no types of a browser. */
declare const DOMParser: new () => { parseFromString(text: string, type: string): { documentElement: XmlNode } };

function parsed(files: readonly PlayedFile[]): XmlNode {
  const root = new DOMParser().parseFromString(junitReport(files), 'application/xml').documentElement;
  expect(root.tagName, root.textContent).toBe('testsuites');
  return root;
}

const all = (root: XmlNode, selector: string): XmlNode[] => Array.from(root.querySelectorAll(selector));

function fileOf(text: string, file = 'a.zklock'): { read: PlayedFile; steps: Step[] } {
  const read = { file, lines: text.split('\n'), ...readScenario(text) };
  return { read, steps: [...allSteps(read.scenario.steps)] };
}

/** A run that has ended at a step. */
function resultOf(steps: readonly Step[], failed: number, failure: Failure): RunResult {
  const ends = steps.slice(0, failed + 1).map((step, at) => ({
    step,
    startedMs: at,
    tookMs: 1_500,
    ...(at === failed ? { failure } : {}),
  }));
  return { failure, steps: ends, tookMs: 10, left: [] };
}

it('has a case for each expectation: true, failed, not reached', () => {
  const { read, steps } = fileOf('A: acquire mutex /a\nexpect: A holds\nexpect: empty /a\nexpect: A holds');
  const step = steps[2] as ExpectStep;
  const failure: Failure = { kind: 'not so', claims: step.claims, seen: '/a\n  A holds', step };
  const root = parsed([{ ...read, startedAt: 0, result: resultOf(steps, 2, failure) }]);
  const [suite] = all(root, 'testsuite');
  expect(
    ['tests', 'failures', 'errors', 'skipped', 'time', 'timestamp'].map(name => suite?.getAttribute(name)),
  ).toEqual(['3', '1', '0', '1', '3.000', '1970-01-01T00:00:00.000Z']);
  const cases = all(root, 'testcase');
  expect(cases.map(each => [each.getAttribute('name'), each.children[0]?.tagName])).toEqual([
    ['line 2: expect: A holds', undefined],
    ['line 3: expect: empty /a', 'failure'],
    ['line 4: expect: A holds', 'skipped'],
  ]);
  expect(cases[1]?.getAttribute('line')).toBe('3');
  expect(cases[1]?.textContent).toContain('expected: empty /a\nseen:\n  /a\n    A holds');
});

it('adds an error for what ends a run elsewhere, before what was skipped', () => {
  const { read, steps } = fileOf('A: acquire mutex /a\nexpect: A holds\nA: release\nexpect: empty /a');
  const step = steps[2]!;
  const root = parsed([
    { ...read, result: resultOf(steps, 2, { kind: 'failed', step, error: new Error('out of luck') }) },
  ]);
  const cases = all(root, 'testcase').map(each => [each.getAttribute('name'), each.children[0]?.tagName]);
  expect(cases).toEqual([
    ['line 2: expect: A holds', undefined],
    ['line 3: A: release', 'error'],
    ['line 4: expect: empty /a', 'skipped'],
  ]);
  expect(root.getAttribute('errors')).toBe('1');
});

it('says what could not be removed, and why a file was not played', () => {
  const { read, steps } = fileOf('A: acquire mutex /a\nexpect: A holds');
  const left = [{ path: '/a', why: 'in use' }] as const;
  const result: RunResult = { steps: steps.map(step => ({ step, startedMs: 0, tookMs: 0 })), tookMs: 0, left };
  const bad = fileOf('A: aquire mutex /a', 'bad.zklock').read;
  const root = parsed([
    { ...read, result },
    { ...bad, error: 'The file has errors.' },
  ]);
  expect(all(root, 'system-out').map(({ textContent }) => textContent)).toEqual([
    'Not removed:\n  /a: in use by others',
  ]);
  const [error] = all(root, 'error');
  expect(error?.getAttribute('message')).toBe('The file has errors.');
  expect(error?.textContent).toContain('bad.zklock:1:4: error: aquire cannot stand here.');
});

it('is well-formed, whatever stands in names and texts', () => {
  const hostile = '\u0000\u0008\u001B[31m\u009B\u202E\uD800\uFFFE\uFFFF]]>&<b a="c" d=\'e\'>&amp;';
  const { read, steps } = fileOf(`A: acquire mutex /a\nexpect: A holds # ${hostile}`, `${hostile}\n.zklock`);
  const step = steps[1] as ExpectStep;
  const failure: Failure = { kind: 'not so', claims: step.claims, seen: hostile, step };
  const text = junitReport([{ ...read, result: resultOf(steps, 1, failure) }]);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cs}|[\uFFFE\uFFFF]/u);
  const root = parsed([{ ...read, result: resultOf(steps, 1, failure) }]);
  const name = all(root, 'testsuite')[0]?.getAttribute('name');
  expect(name).toContain(String.raw`\u0000\u0008\u001B[31m\u009B\u202E\uD800`);
  expect(name).toContain(`]]>&<b a="c" d='e'>&amp;`);
  expect(all(root, 'failure')[0]?.textContent).toContain(']]>&<b a="c"');
});
