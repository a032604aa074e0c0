import type { ReadScenario } from '../../src/scenario/readScenario.ts';
import type { SeededRandom } from './seededRandom.ts';

/** A read scenario without places, to compare two texts that mean the same. */
export function withoutSpans(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => (key === 'span' || key === 'endLine' ? undefined : each)),
  );
}

/** Problems as `line:column kind`, counted from 1, with the text that they are about. */
export function problemLines({ problems }: ReadScenario, text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/u);
  return problems.map(({ span, facts }) => {
    const about = (lines[span.line] ?? '').slice(span.from, span.to);
    const nearest = 'nearest' in facts ? ` (${facts.nearest})` : '';
    return `${span.line + 1}:${span.from + 1} ${facts.kind} [${about}]${nearest}`;
  });
}

const pieces = [
  ...[
    'A',
    'B',
    'W1',
    'sandbox',
    'expect',
    'acquire',
    'release',
    'leave',
    'mutex',
    'semaphore',
    'multi',
    'read',
    'write',
  ],
  ...[
    'holds',
    'waits',
    'for',
    'holders',
    'waiters',
    'then',
    'and',
    'no',
    'deadlock',
    'between',
    'empty',
    'nothing',
    'stale',
  ],
  ...['tokens', 'grow', 'woken', 'at', 'most', 'least', 'naive', 'predecessor', 'times', 'out', 'lost', 'uncertain'],
  ...['within', '2s', '500ms', '1.5s', '1min', '-3', '2', '99999999999', 'as', 'curator', 'kazoo', 'to', 'identifier'],
  ...[
    'wait',
    'expire',
    'disconnect',
    'reconnect',
    'lose',
    'reply',
    'of',
    'delete',
    'attach',
    'herd',
    'parallel',
    'repeat',
  ],
  ...[
    'cluster',
    'path',
    'limit',
    '/a',
    '/a/b',
    '/a/../b',
    '/zookeeper/x',
    '"/with space"',
    '"half',
    '# note',
    '\\',
    '\u2028',
  ],
  ...[
    ':',
    ':',
    ':',
    ',',
    ',',
    '{',
    '}',
    '\n',
    '\n',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '\u0000',
    '😀',
    '\ud800',
    '__proto__',
    'constructor',
  ],
];

/** A text that is nearly a scenario: words of the language and others in any order. */
export function randomText(random: SeededRandom): string {
  const words = Array.from({ length: random.below(60) }, () => random.pick(pieces));
  return words.map(word => word + (random.below(4) === 0 ? '' : ' ')).join('');
}

/** Some characters of a text left out, doubled, or exchanged. */
export function damaged(text: string, random: SeededRandom): string {
  const units = Array.from(text);
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(units.length);
    units.splice(at, random.below(2), random.pick(['', ' ', '{', '}', '"', ':', 'x', '\n', units[at] ?? '']));
  }
  return units.join('');
}
