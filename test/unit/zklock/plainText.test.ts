import { describe, expect, it } from 'vitest';
import { durationText, plainJson, plainJsonText, shown, tableText } from '../../../src/zklock/plainText.ts';

const hostile = '\u001B[31m\u009B\n\u202E\u2028\u{E0001}\uD800 "Grüße 订单 \u{1F512}"';

describe('what is written', () => {
  it('has nothing that a terminal obeys', () => {
    expect(shown(hostile)).toBe(
      String.raw`\u001B[31m\u009B\u000A\u202E\u2028\u{E0001}\uD800 "Grüße 订单 ` + '\u{1F512}"',
    );
    expect(shown('x'.repeat(5_000))).toHaveLength(1_000);
  });

  it('is JSON that means the same, without anything that a terminal obeys', () => {
    const value = { [hostile]: [hostile], n: 1 };
    const text = plainJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).not.toMatch(/[^\P{C}\n]|\p{Zl}/u);
    expect(text).toContain('Grüße 订单 \u{1F512}');
    expect(plainJsonText('{\n  "a": "b"\n}\n')).toBe('{\n  "a": "b"\n}\n');
  });

  it('has spans with a unit, and columns', () => {
    expect([0, 12.4, 999, 1_000, 61_234].map(durationText)).toEqual(['0 ms', '12 ms', '999 ms', '1.00 s', '61.23 s']);
    expect(
      tableText([
        ['A', 'B'],
        ['long', ''],
        ['x', 'y'],
      ]),
    ).toBe('A     B\nlong\nx     y\n');
    expect(tableText([])).toBe('');
  });
});
