import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/build/bundle.ts';
import { expectedAt } from '../../../src/scenario/expectedAt.ts';
import { isSessionName } from '../../../src/scenario/lineReader.ts';
import type { Expected } from '../../../src/scenario/problem.ts';
import { dialectWords, readScenario } from '../../../src/scenario/readScenario.ts';
import { reservedWords } from '../../../src/scenario/statements.ts';
import { tokensOf, type Token } from '../../../src/scenario/tokens.ts';

const samples = globSync('samples/*.zklock', { cwd: repositoryRoot })
  .sort()
  .map(path => readFileSync(join(repositoryRoot, path), 'utf8'));

/** All forms that the samples lack. */
const further = `cluster: My "small" cluster
limit: 2min
A: acquire multi /a, /b as curator within 500ms
B: leave /a as kazoo
attach S to identifier "host 1" /a
attach T to address 10.0.0.1 /a
attach U to dialect kazoo /a
delete B /a
wait 5ms
herd 3 /a
repeat 2 { parallel { A: release /a } }
repeat 2 {
  lose reply of A
}
expect: no holders, /a empty, nothing stale, A times out, woken at least 1 within 2s
expect: B stale, A waits for B, A lost, deadlock between A B, predecessor woken at most 3
`;

/** What can stand at `|`. */
function at(text: string): readonly string[] {
  const lines = text.split('\n');
  const line = lines.findIndex(each => each.includes('|'));
  const column = lines[line]!.indexOf('|');
  const { expected } = expectedAt(
    lines.map(each => each.replace('|', '')),
    line,
    column,
    dialectWords,
  );
  return [...new Set(expected.map(nameOf))].filter(name => !dialectWords.has(name));
}

function nameOf(one: Expected): string {
  return 'word' in one ? one.word : `<${one.what}>`;
}

/** Whether something that can stand there is this token, or begins with it. */
function fits(one: Expected, { kind, text }: Token): boolean {
  if ('word' in one) return one.word.split(' ')[0] === text;
  const tests: Record<typeof one.what, boolean> = {
    session: isSessionName(text, reservedWords),
    'new session': isSessionName(text, reservedWords),
    path: text.startsWith('/'),
    dialect: dialectWords.has(text),
    number: /^\d+$/u.test(text),
    duration: /^\d+(?:ms|s|min)$/u.test(text),
    text: kind === 'word' || kind === 'quoted',
    cluster: true,
    'end of line': false,
  };
  return tests[one.what];
}

describe('what can stand at a position', () => {
  it.each([...samples, further])('is what stands there, at every place of a file (%#)', text => {
    expect(readScenario(text).problems.filter(({ facts }) => facts.kind === 'expected')).toEqual([]);
    const lines = text.split('\n');
    for (const [line, content] of lines.entries()) {
      for (const token of tokensOf(content, line)) {
        // At its beginning, within it and at its end: the word that is being typed is not looked at.
        const { from, to } = token.span;
        const [apart, columns] =
          token.kind === 'mark'
            ? [`${content.slice(0, from)} ${content.slice(from)}`, [from + 1]]
            : [content, [from, Math.floor((from + to) / 2), to]];
        for (const column of columns) {
          const { expected } = expectedAt(lines.with(line, apart), line, column, dialectWords);
          const shown = `${apart.slice(0, column)}|${apart.slice(column)}: ${expected.map(nameOf).join()}`;
          expect(
            expected.some(one => fits(one, token)),
            shown,
          ).toBe(true);
        }
      }
    }
  });

  it('begins with headers and steps, and has no headers behind the first step', () => {
    expect(at('|')).toEqual(expect.arrayContaining(['cluster', 'path', 'limit', 'expect', 'repeat', '<new session>']));
    expect(at('# x\npath: /a\n|')).not.toContain('path');
    expect(at('path: /a\n\ncl|')).toContain('cluster');
    expect(at('A: acquire mutex\n|')).not.toContain('cluster');
    expect(at('|\nA: acquire mutex')).toContain('cluster');
  });

  it.each([
    ['path: |', ['<path>']],
    ['path:|', ['<path>']],
    ['limit: |', ['<duration>']],
    ['cluster: |', ['<cluster>']],
    ['cluster: My clu|', ['<cluster>']],
    ['A: |', ['acquire', 'release', 'leave']],
    ['A: acquire |', ['mutex', 'exclusive', 'read', 'write', 'semaphore', 'multi']],
    ['A: acquire se|maphore 3', ['mutex', 'exclusive', 'read', 'write', 'semaphore', 'multi']],
    ['A: acquire semaphore |', ['<number>']],
    ['A: acquire mutex |', ['<path>', 'as', 'within', '<end of line>']],
    ['A: acquire mutex /a as |', ['<dialect>']],
    ['A: acquire multi /a, |', ['<path>']],
    ['A: acquire multi /a |', [',']],
    ['wait |', ['<duration>']],
    ['lose |', ['reply of']],
    ['lose reply |', ['of']],
    ['expect: A holds, B wai|', ['holds', 'waits', 'stale', 'times out', 'lost', 'uncertain']],
    ['expect: A waits |', ['for', '<path>', ',', 'within', '<end of line>']],
    ['expect: no |', ['holders', 'waiters', 'deadlock']],
    ['expect: deadlock |', ['between']],
    ['expect: A times |', ['out']],
    ['expect: naive woken at |', ['most', 'least']],
    ['attach S to |', ['identifier', 'address', 'dialect']],
    ['attach S to identifier |', ['<text>']],
    ['repeat 3 |', ['{']],
  ])('%s', (text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  it('is a claim behind the comma of an expect', () => {
    const claims = ['<path>', 'holders', 'waiters', 'no', 'empty', 'deadlock between', 'nothing stale', '<session>'];
    expect(at('expect: A holds, |')).toEqual(expect.arrayContaining(claims));
    expect(at('expect: /a empty,|')).toEqual(expect.arrayContaining(claims));
  });

  it('is the end of a block only where one is open', () => {
    expect(at('|')).not.toContain('}');
    expect(at('repeat 2 {\n|')).toContain('}');
    expect(at('repeat 2 {\n}\n|')).not.toContain('}');
    expect(at('repeat 2 { A: release |')).toContain('}');
    expect(at('repeat 2 { |')).toEqual(expect.arrayContaining(['}', 'expect']));
  });

  it('is nothing in a comment, and behind what cannot be read', () => {
    expect(at('# A: |')).toEqual([]);
    expect(at('A: release # |')).toEqual([]);
    expect(at('A: acqire |')).toEqual([]);
    expect(at('wait 2s 3s |')).toEqual([]);
  });

  it.each([
    ['A: acq|uire mutex', 'acquire'],
    ['A: acquire mutex /loc|ks/orders', '/locks/orders'],
    ['A: acquire mutex "/my lo|ck" as kazoo', '"/my lock"'],
    ['cluster: My |cluster  # mine', 'My cluster'],
    ['A: | acquire', ''],
  ])('replaces the word at the position: %s', (text, word) => {
    const content = text.replace('|', '');
    const { span } = expectedAt([content], 0, text.indexOf('|'), dialectWords);
    expect(content.slice(span.from, span.to)).toBe(word);
  });
});

describe('words that belong together', () => {
  it('are called incomplete where the line ends within them', () => {
    const { problems } = readScenario('path: /a\nA: acquire mutex\nexpect: deadlock');
    expect(problems.map(({ span, facts }) => [span, facts])).toEqual([
      [
        { line: 2, from: 16, to: 16 },
        { kind: 'expected', found: '', expected: [{ word: 'between', endOf: 'deadlock between' }] },
      ],
    ]);
  });

  it('are found by their first', () => {
    const { problems } = readScenario('path: /a\nherd 3\nlose repply of A\nexpect: woken att most 3');
    expect(problems.map(({ facts }) => 'nearest' in facts && facts.nearest)).toEqual(['reply', 'at']);
  });
});
