import { describe, expect, it } from 'vitest';
import { displayBlock, displayEnd, displayText, logText } from '../../../src/base/displayText.ts';
import { hostileTexts, iconPattern, linkPattern, unseenPattern } from '../extension/corpus.ts';

describe('displayText', () => {
  it('knows patterns that match what it defends against', () => {
    expect(hostileTexts.filter(text => text.match(linkPattern) !== null).length).toBeGreaterThan(3);
    expect(hostileTexts.filter(text => text.match(iconPattern) !== null)).toHaveLength(2);
  });

  it.each(hostileTexts)('leaves no link, no icon and nothing unseen: %j', text => {
    for (const shown of [displayText(text), `"${displayText(text)}": ${displayText(text)}`, displayBlock(text)]) {
      expect(shown).not.toMatch(linkPattern);
      expect(shown).not.toMatch(iconPattern);
      expect(shown).not.toMatch(unseenPattern);
    }
  });

  it('cannot be tricked by two pieces side by side', () => {
    for (const first of hostileTexts) {
      for (const second of hostileTexts) {
        const shown = displayText(first) + displayText(second);
        expect(shown.match(linkPattern)).toBeNull();
        expect(shown.match(iconPattern)).toBeNull();
      }
    }
  });

  it('shows unseen characters as codes, and distinguishes them from text that looks like a code', () => {
    expect(displayText('\u202Eabc')).toBe('\\u202Eabc');
    expect(displayText('\\u202Eabc')).toBe('\\\\u202Eabc');
    expect(displayText('a\u00A0b')).toBe('a\\u00A0b');
    expect(displayText('..\\..\\evil')).toBe('..\\..\\evil');
  });

  it('shows no two texts alike, however codes and backslashes follow each other', () => {
    const pieces = ['\\', '\\\\', '\u202E', 'u202E', '\u{E0001}', 'u{E0001}', 'u', 'a', ''];
    const texts = pieces.flatMap(one => pieces.flatMap(two => pieces.map(three => one + two + three)));
    const shown = Map.groupBy(new Set(texts), text => displayText(text));
    expect([...shown.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  it('cuts by characters, after escaping, and says so', () => {
    expect(displayText('abcdef', 4)).toBe('abc…');
    expect(displayText('abcd', 4)).toBe('abcd');
    expect(displayText('😀'.repeat(300), 10)).toBe(`${'😀'.repeat(9)}…`);
    expect(displayText('\u0001'.repeat(300)).length).toBeLessThanOrEqual(200);
  });

  it('isolates what is written from right to left, and nothing else', () => {
    for (const word of ['\u05E9\u05DC\u05D5\u05DD', '\u0645\u0631\u062D\u0628\u0627', '\u0661\u0662', '\u{1E900}']) {
      expect(displayText(`pay ${word}`)).toBe(`\u2068pay ${word}\u2069`);
    }
    expect(displayText('ab\u05D0cdef', 4)).toBe('\u2068ab\u05D0…\u2069');
    expect(displayText('Zürich 東京 привет')).not.toMatch(/[\u2066-\u2069]/);
  });

  it('cannot be made to end an isolation early', () => {
    expect(displayText('\u2069\u05D0\u2068')).toBe('\u2068\\u2069\u05D0\\u2068\u2069');
    expect(displayText('\u202B\u2067\u200F\u061C')).toBe('\\u202B\\u2067\\u200F\\u061C');
  });

  it('leaves ordinary names alone', () => {
    expect(displayText('/locks/Zürich 東京/_c_0b7e-lock-0000000012')).toBe(
      '/locks/Zürich 東京/_c_0b7e-lock-0000000012',
    );
  });
});

describe('displayEnd', () => {
  it('keeps the end, and marks each cut', () => {
    expect(displayEnd('/locks/a', 8)).toBe('/locks/a');
    expect(displayEnd('/locks/ab', 8)).toBe('…ocks/ab');
    expect(displayEnd('😀'.repeat(10), 10)).toBe('😀'.repeat(10));
    expect(displayEnd('😀'.repeat(11), 10)).toBe(`…${'😀'.repeat(9)}`);
  });
});

describe('displayBlock', () => {
  it('marks every line, so that none can pose as ours', () => {
    expect(displayBlock('a\nOwner session: 0x1')).toBe('│ a\n│ Owner session: 0x1');
  });

  it('leaves out what is too long', () => {
    expect(displayBlock('x\n'.repeat(100), 3).split('\n')).toEqual(['│ x', '│ x', '│ x', '│ …']);
  });
});

describe('logText', () => {
  it('strikes out credentials and shows controls', () => {
    expect(logText('connecting to admin:s3cret@zk1:2181')).toBe('connecting to ***@zk1:2181');
    expect(logText('\u001b[31m')).toBe('\\u001B[31m');
    expect(logText('Error: a\n at b')).toBe('Error: a\n     at b');
  });

  it('has stacks as VS Code writes them without escapes', () => {
    expect(logText('Error: a\n\tat b (c.js:1)\n\tat d')).toBe('Error: a\n    at b (c.js:1)\n    at d');
    expect(logText('/locks/a\tb')).toBe('/locks/a\\u0009b');
  });
});
