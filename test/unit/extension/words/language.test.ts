import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ageText,
  l10n as texts,
  spanText,
  dateTimeText,
  listed,
  momentText,
  numberText,
  sentences,
} from '../../../../src/extension/words/language.ts';
import { env, l10n } from '../fakeVscode.ts';

const format = l10n.t.bind(l10n);
const bundle = readFileSync(new URL('../../../../l10n/bundle.l10n.zh-cn.json', import.meta.url), 'utf8');

function speakChinese(): void {
  const texts = new Map(Object.entries(JSON.parse(bundle) as Record<string, string>));
  vi.spyOn(l10n, 't').mockImplementation((message, ...values) => format(texts.get(message) ?? message, ...values));
}

afterEach(() => {
  vi.restoreAllMocks();
  env.language = 'en';
});

describe('texts are joined as the language does it', () => {
  it('in English', () => {
    expect(sentences('It failed.', '', 'Try again.')).toBe('It failed. Try again.');
    expect(listed(['name', 'servers', 'log-in'])).toBe('name, servers, log-in');
  });

  it('in Chinese', () => {
    speakChinese();
    expect(sentences('已取消。', '', '请重试。', '')).toBe('已取消。请重试。');
    expect(listed(['名称', '服务器'])).toBe('名称，服务器');
  });

  it('and nothing is nothing', () => {
    expect(sentences('', '')).toBe('');
    expect(listed([])).toBe('');
  });

  it('what is put in is not looked at again', () => {
    expect(sentences('{1} $& {0}.', 'b.')).toBe('{1} $& {0}. b.');
  });
});

describe('numbers in a text', () => {
  it('have the groups of the language, as everywhere else', () => {
    expect(texts.t('{0} of {1}, {2}', 999, 100_000, '100000')).toBe('999 of 100,000, 100000');
    env.language = 'de';
    expect(texts.t('{0} s of {1} B', 1.5, 65_536)).toBe('1,5 s of 65.536 B');
  });
});

const noon = new Date(2026, 10, 21, 13, 5, 9).getTime();
const day = 86_400_000;

describe("numbers and moments are written in the editor's language, not the process's", () => {
  it.each([
    ['en', '12,345', /^11\/21\/2026 13:05:09$/u, /^13:05:09$/u],
    ['zh-cn', '12,345', /^2026\/11\/21 13:05:09$/u, /^13:05:09$/u],
    ['de', '12.345', /^21\.11\.2026 13:05:09$/u, /^13:05:09$/u],
  ])('%s', (language, number, dateTime, time) => {
    env.language = language;
    expect(numberText(12_345)).toBe(number);
    expect(dateTimeText(noon)).toMatch(dateTime);
    expect(momentText(noon, noon + 60_000)).toMatch(time);
    expect(momentText(noon, noon + 2 * day)).toMatch(dateTime);
  });

  it.each([
    [-5_000, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [47 * 3_600_000, '47 h'],
    [48 * 3_600_000, '2 d'],
  ])('an age of %i ms is %s', (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });

  it('spans, which may be short', () => {
    expect([400, 20_000, 90_000].map(spanText)).toEqual(['400 ms', '20 s', '1 min']);
  });

  it('a language that Intl does not know stops nothing', () => {
    env.language = 'no_such language';
    expect(numberText(12_345)).toMatch(/12.?345/u);
  });
});
