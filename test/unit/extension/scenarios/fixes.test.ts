import type * as vscode from 'vscode';
import { describe, expect, it } from 'vitest';
import { Fixes } from '../../../../src/extension/scenarios/diagnostics.ts';
import { readingOnce } from '../../../../src/extension/scenarios/readDocument.ts';
import type { Problem } from '../../../../src/scenario/problem.ts';
import { readScenario } from '../../../../src/scenario/readScenario.ts';
import { Range } from '../fakeEditor.ts';
import { afterEdit, documentOf } from './scenarioDocument.ts';

function problemOf(text: string, kind: string): Problem {
  const problem = readScenario(text).problems.find(({ facts }) => facts.kind === kind);
  if (problem === undefined) throw new Error(`There is no problem "${kind}".`);
  return problem;
}

/** The file after the fix of its first problem of this kind. */
function fixed(text: string, kind: string): { title: string; text: string } {
  const document = documentOf(text);
  const { span } = problemOf(text, kind);
  const range = new Range(span.line, span.from, span.line, span.from) as unknown as vscode.Range;
  const marked = { range: new Range(span.line, span.from, span.line, span.to), code: kind, source: 'zklock' };
  const context = { diagnostics: [marked] } as unknown as vscode.CodeActionContext;
  const actions = new Fixes(readingOnce()).provideCodeActions(document, range, context);
  const action = actions.find(({ diagnostics }) => diagnostics?.length === 1);
  if (action === undefined) throw new Error('There is no fix.');
  return { title: action.title, text: afterEdit(text, action.edit) };
}

describe('a fix makes its problem go away', () => {
  it.each([
    ['expected', 'path: /a\nA: acqire mutex', 'Change to acquire', 'path: /a\nA: acquire mutex'],
    ['expected', 'herd 2 /a\nlose repply of A', 'Change to reply', 'herd 2 /a\nlose reply of A'],
    ['duration', 'wait 5', 'Change to 5s', 'wait 5s'],
    ['number', 'repeat 0 { wait 1s }', 'Change to 1', 'repeat 1 { wait 1s }'],
    ['number', 'herd 900 /a', 'Change to 500', 'herd 500 /a'],
    ['text-not-closed', 'A: acquire mutex "/a b  ', 'Close the text', 'A: acquire mutex "/a b"'],
    ['text-not-closed', 'A: acquire mutex "/a\\', 'Close the text', 'A: acquire mutex "/a\\\\"'],
    ['block-not-closed', 'repeat 2 {\n  wait 1s\n', 'Close the block', 'repeat 2 {\n  wait 1s\n}\n'],
    ['block-not-closed', 'repeat 2 {\n  repeat 2 {', 'Close the block', 'repeat 2 {\n  repeat 2 {\n  }\n}\n'],
    ['no-block', 'wait 1s\n  }\nwait 1s', 'Remove the brace', 'wait 1s\nwait 1s'],
    ['no-block', '} wait 1s', 'Remove the brace', ' wait 1s'],
    [
      'no-path',
      '# Mine\n\nlimit: 2s\n\nA: acquire mutex\n',
      'Add a path for the whole file',
      '# Mine\n\nlimit: 2s\n\npath: /scenario/orders\n\nA: acquire mutex\n',
    ],
    ['no-path', '# a\nherd 3', 'Add a path for the whole file', '# a\npath: /scenario/orders\n\nherd 3'],
    ['no-steps', 'path: /a', 'Add the step A: acquire mutex', 'path: /a\nA: acquire mutex\n'],
    ['no-steps', 'path: /a\n', 'Add the step A: acquire mutex', 'path: /a\nA: acquire mutex\n'],
    ['header-late', 'wait 1s\npath: /a\nwait 2s', 'Move path before the first step', 'path: /a\nwait 1s\nwait 2s'],
    ['header-late', 'path: /a\nwait 1s\npath: /b\nwait 2s', 'Remove the line', 'path: /a\nwait 1s\nwait 2s'],
    ['header-twice', 'path: /a\npath: /b\nwait 2s', 'Remove the line', 'path: /a\nwait 2s'],
    [
      'reserved',
      'path: /a\nread: acquire read\nRead: acquire read\nexpect: read holds',
      'Rename to Read2',
      'path: /a\nRead2: acquire read\nRead: acquire read\nexpect: Read2 holds',
    ],
    ['path', 'A: acquire mutex /a//b/', 'Change to /a/b', 'A: acquire mutex /a/b'],
    [
      'never-opened',
      'path: /a\nrepeat 2 {\n  expect: A holds\n}\nA: release',
      'Add the step A: acquire mutex',
      'path: /a\nrepeat 2 {\n  A: acquire mutex\n  expect: A holds\n}\nA: release',
    ],
    [
      'nothing-to-release',
      'path: /a\nA: leave\nA: release',
      'Add the step A: acquire mutex',
      'path: /a\nA: leave\nA: acquire mutex\nA: release',
    ],
    [
      'no-recipe',
      'A: acquire semaphore 2 /as as go-zookeeper within 2s',
      'Remove "as go-zookeeper"',
      'A: acquire semaphore 2 /as within 2s',
    ],
  ])('%s: %j', (kind, text, title, result) => {
    const problem = problemOf(text, kind);
    const fix = fixed(text, kind);
    expect(fix).toEqual({ title, text: result });
    const left = readScenario(fix.text).problems.map(({ facts, span }) => ({ facts, line: span.line }));
    expect(left).not.toContainEqual({ facts: problem.facts, line: problem.span.line });
    expect(left.filter(({ facts }) => facts.kind === kind && kind !== 'expected')).toEqual([]);
  });

  it('belongs to the problem that VS Code shows', () => {
    const document = documentOf('wait 5');
    const shown = { range: new Range(0, 5, 0, 6), code: 'duration', source: 'zklock' };
    const others = [
      { ...shown, source: 'spelling' },
      { ...shown, range: new Range(0, 0, 0, 4) },
    ];
    const here = new Range(0, 5, 0, 5) as unknown as vscode.Range;
    const actions = new Fixes(readingOnce()).provideCodeActions(document, here, {
      diagnostics: [shown, ...others],
    } as unknown as vscode.CodeActionContext);
    expect(actions.map(({ diagnostics, isPreferred }) => ({ diagnostics, isPreferred }))).toEqual([
      { diagnostics: [shown], isPreferred: true },
    ]);
  });

  it.each([
    ['guarded-path', 'A: acquire mutex /zookeeper/a'],
    ['twice', 'A: acquire multi /a, /a'],
    ['expected', 'nonsense'],
    ['number', 'repeat 1.5 {\n}'],
  ])('is not offered where only a person knows: %s', (kind, text) => {
    expect(() => fixed(text, kind)).toThrow('There is no fix.');
  });
});
