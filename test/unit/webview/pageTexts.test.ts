import { describe, expect, it } from 'vitest';
import { PageTexts } from '../../../webview/pageTexts.ts';
import { testTexts } from './testTexts.ts';

function textsWith(page: Partial<Record<'queue.edge' | 'queue.folded', string>>, language = 'en'): PageTexts {
  const texts = testTexts();
  return new PageTexts({ ...texts, page: { ...texts.page, ...page } }, language);
}

describe('the texts of the page', () => {
  it('fill what they are given, once: a name with a placeholder in it stays as it is', () => {
    const texts = textsWith({ 'queue.edge': '{0} waits for {1}' });
    expect(texts.page('queue.edge', '{1}', 'b $& c')).toBe('{1} waits for b $& c');
  });

  it('write numbers as the language does, and take an unknown language for the browser’s own', () => {
    expect(textsWith({ 'queue.folded': 'and {0} more' }).page('queue.folded', 9950)).toBe('and 9,950 more');
    expect(textsWith({ 'queue.folded': 'und {0} weitere' }, 'de').page('queue.folded', 9950)).toContain('9.950');
    expect(() => textsWith({}, 'not a language!').count(1)).not.toThrow();
  });

  it('give the date with a moment of another day', () => {
    const texts = new PageTexts(testTexts(), 'en-GB');
    const at = new Date(2026, 10, 21, 9, 5, 7).getTime();
    expect(texts.time(at, new Date(2026, 10, 21, 23, 59).getTime())).toBe('09:05:07');
    const other = texts.time(at, new Date(2026, 10, 22, 0, 1).getTime());
    expect(other).toContain('21');
    expect(other).toContain('2026');
    expect(other).toContain('09:05:07');
    expect(texts.date(at)).toBe('21/11/2026');
  });

  it.each([
    [-5, 'span.ms(0,'],
    [999, 'span.ms(999,'],
    [59_999, 'span.s(59,'],
    [61_000, 'span.min(1,1,'],
    [3_600_000 * 2 + 60_000 * 3, 'span.h(2,3,'],
    [86_400_000 * 2 + 3_600_000, 'span.d(2,1,'],
  ])('give a span of %d ms in its two largest units', (ms, start) => {
    expect(new PageTexts(testTexts(), 'en').span(ms).startsWith(start)).toBe(true);
  });
});
