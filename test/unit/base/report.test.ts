import { describe, expect, it } from 'vitest';
import { markdownReport } from '../../../src/base/markdownReport.ts';
import { foreign, section, type Report } from '../../../src/base/report.ts';
import { textReport } from '../../../src/base/textReport.ts';

const hostile = [
  '[x](command:workbench.action.quit)',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '`whoami` and ``more``',
  '`',
  ' `a` ',
  '# Deadlock: none',
  '- item\n- item',
  'a\r\n\r\n# b',
  'https://evil.example.org/ www.evil.example.org a@evil.example.org',
  '![x](https://evil.example.org/x.png)',
  '&lt;b&gt; &amp; $x^2$ ~~a~~ **b** _c_ | d |',
  '\ue000x\ue001y',
  '\u202eabc',
  '\\`x\\`',
];

const sample: Report = {
  headline: `Held by ${foreign('worker 1')}; 3 wait`,
  blocks: [
    { kind: 'paragraph', text: 'a *b* [c](d) <e>' },
    ...section('Waits', [`${foreign('x')} waits`, { text: 'two', below: ['further in'] }]),
    ...section('Nothing', []),
  ],
};

/** The text of every code span, by the rules of CommonMark; the rest of the line is in `outside`. */
function spansOf(line: string): { inside: string[]; outside: string } {
  const inside: string[] = [];
  // An escaped backtick begins nothing.
  const outside = line.replaceAll(
    /\\[!-/:-@[-`{-~]|(`+)([^`]|[^`].*?[^`])\1(?!`)/g,
    (whole, fence: string | undefined, text: string) => {
      if (fence === undefined) return whole;
      inside.push(/^ .* $/.test(text) ? text.slice(1, -1) : text);
      return '';
    },
  );
  return { inside, outside };
}

describe('a report as Markdown', () => {
  it('has the headline as its title, and its own structure as the only markup', () => {
    expect(markdownReport(sample)).toBe(
      [
        '# Held by `worker 1`\\; 3 wait',
        '',
        'a \\*b\\* \\[c\\]\\(d\\) \\<e\\>',
        '',
        '## Waits',
        '',
        '- `x` waits',
        '- two',
        '  - further in',
        '',
      ].join('\n'),
    );
  });

  it.each(hostile)('makes nothing of %j: it is one piece of code, as it is', text => {
    const [line = '', ...more] = markdownReport({ headline: `Held by ${foreign(text)}, so`, blocks: [] }).split('\n');
    expect(more).toEqual(['']);
    const { inside, outside } = spansOf(line);
    expect(outside).toBe('# Held by \\, so');
    expect(inside).toHaveLength(1);
    const shown = textReport({ headline: foreign(text), blocks: [] })
      .trimEnd()
      .replaceAll(/^"|"$/g, '');
    expect(inside[0]).toBe(shown);
  });

  it.each(hostile.slice(0, -3))('makes nothing of %j either where it was not marked as foreign', text => {
    const { inside, outside } = spansOf(markdownReport({ headline: text, blocks: [] }).replaceAll('\n', ' '));
    expect(inside).toEqual([]);
    // Whatever could be markup has a backslash before it.
    expect(outside.slice(1).replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[!-/:-@[-`{-~]/);
  });
});

describe('a name that is written from right to left', () => {
  const name = '\u05E9\u05DC\u05D5\u05DD 4';
  const report: Report = { headline: `Held by ${foreign(name)}, 3 waiting`, blocks: [] };

  it('moves no words of the report', () => {
    expect(markdownReport(report)).toBe(`# Held by \u2068\`${name}\`\u2069\\, 3 waiting\n`);
    expect(textReport(report)).toBe(`Held by \u2068"${name}"\u2069, 3 waiting\n`);
  });

  it('takes no more columns of a line than can be seen', () => {
    const text = `${'a'.repeat(70)} ${foreign('\u05E9'.repeat(9))}`;
    expect(textReport({ headline: text, blocks: [] }).trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('a report as text', () => {
  it('has lines of at most 80 columns, with the same words', () => {
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
    const text = textReport({ headline: words, blocks: [...section('Head', [words, { text: 'x', below: [words] }])] });
    const lines = text.trimEnd().split('\n');
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80);
    expect(lines.filter(line => line.length > 60).length).toBeGreaterThan(10);
    expect(text.split(/[\s-]+/).filter(word => word.startsWith('word'))).toHaveLength(180);
    expect(lines).toContain('Head');
    expect(lines[lines.indexOf('Head') + 1]).toMatch(/^- word0 /);
    expect(lines[lines.indexOf('Head') + 2]).toMatch(/^ {2}word/);
  });

  it('leaves foreign text whole, and quotes what has blanks', () => {
    const path = `/${'long/'.repeat(40)}lock`;
    const who = `cron ${' '.repeat(90)}The session has ended`;
    const lines = textReport({ headline: `Lock ${foreign(path)} of ${foreign(who)}.`, blocks: [] }).split('\n');
    expect(lines).toContain(path);
    expect(lines.some(line => line.includes(`"${who}".`))).toBe(true);
  });

  it('counts wide characters twice, and ends no line before a full stop', () => {
    const text = `${'锁'.repeat(39)}${foreign('ab')}。${'锁'.repeat(60)}`;
    const lines = textReport({ headline: text, blocks: [] }).trimEnd().split('\n');
    expect(lines.join('')).toBe(`${'锁'.repeat(39)}ab。${'锁'.repeat(60)}`);
    expect(lines.map(line => line.length)).toEqual([39, 41, 22]);
  });

  it('has a blank line between blocks, and none between a heading and its list', () => {
    expect(textReport(sample)).toBe(
      [
        'Held by "worker 1"; 3 wait',
        '',
        'a *b* [c](d) <e>',
        '',
        'Waits',
        '- x waits',
        '- two',
        '  - further in',
        '',
      ].join('\n'),
    );
  });
});
