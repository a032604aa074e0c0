import { describe, expect, it } from 'vitest';
import { tokensOf, written } from '../../../src/scenario/tokens.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const texts = (line: string) => tokensOf(line, 0).map(({ kind, text }) => (kind === 'word' ? text : `${kind}:${text}`));

describe('tokensOf', () => {
  it.each([
    ['A: acquire mutex', ['A', 'mark::', 'acquire', 'mutex']],
    ['cluster: zk1:2181,zk2:2181', ['cluster', 'mark::', 'zk1:2181', 'mark:,', 'zk2:2181']],
    ['parallel { A: release }', ['parallel', 'mark:{', 'A', 'mark::', 'release', 'mark:}']],
    ['A: release # gives it back', ['A', 'mark::', 'release']],
    ['path: /a#b', ['path', 'mark::', '/a#b']],
    ['path: "/with space/#1"', ['path', 'mark::', 'quoted:/with space/#1']],
    [
      String.raw`attach S to identifier "say \"hi\" \\"`,
      ['attach', 'S', 'to', 'identifier', String.raw`quoted:say "hi" \ `.trimEnd()],
    ],
    ['attach S to identifier "half', ['attach', 'S', 'to', 'identifier', 'not closed:half']],
    [String.raw`"\"`, [String.raw`not closed:"`]],
    ['# only a comment', []],
    ['', []],
    [' \t\u00a0', []],
  ])('%s', (line, expected) => {
    expect(texts(line)).toEqual(expected);
  });

  it('gives the place of each token, in UTF-16 units', () => {
    expect(tokensOf('  Ä: "😀" x', 7).map(({ span }) => [span.line, span.from, span.to])).toEqual([
      [7, 2, 3],
      [7, 3, 4],
      [7, 5, 9],
      [7, 10, 11],
    ]);
  });

  it('takes any text apart in the order of the line, and leaves out blanks and comments only', () => {
    const random = seededRandom(20_261_127);
    const alphabet = [...Array.from('Ab1 /:,{}"\\#\t.-_é😀\u2028\u0000'), '\ud800'];
    for (let count = 0; count < 5_000; count++) {
      const line = Array.from({ length: random.below(40) }, () => random.pick(alphabet)).join('');
      let at = 0;
      for (const { span } of tokensOf(line, 0)) {
        expect(line.slice(at, span.from).trim()).toBe('');
        expect(span.to).toBeGreaterThan(span.from);
        at = span.to;
      }
      const rest = line.slice(at).trimStart();
      expect(rest === '' || rest.startsWith('#')).toBe(true);
    }
  });
});

describe('written', () => {
  it('makes one token of any text without a line end', () => {
    const random = seededRandom(23);
    const alphabet = Array.from('Ab1 /:,{}"\\#.é😀');
    for (let count = 0; count < 2_000; count++) {
      const text = Array.from({ length: random.below(20) }, () => random.pick(alphabet)).join('');
      const tokens = tokensOf(written(text), 0);
      expect(tokens.map(each => each.text)).toEqual([text]);
      expect(tokens[0]?.kind).not.toBe('not closed');
    }
  });
});
