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
