import { afterEach, describe, expect, it } from 'vitest';
import { momentText, dateTimeText, numberText } from '../../../../src/extension/words/language.ts';
import { env } from '../fakeVscode.ts';

const noon = new Date(2026, 10, 21, 13, 5, 9).getTime();
const day = 86_400_000;

afterEach(() => {
  env.language = 'en';
});

describe("numbers and moments are written in the editor's language, not the process's", () => {
  it.each([
    ['en', '12,345', /^11\/21\/2026, 1:05:09\sPM$/u, /^1:05:09\sPM$/u],
    ['zh-cn', '12,345', /^2026\/11\/21 13:05:09$/u, /^13:05:09$/u],
    ['de', '12.345', /^21\.11\.2026, 13:05:09$/u, /^13:05:09$/u],
  ])('%s', (language, number, dateTime, time) => {
    env.language = language;
    expect(numberText(12_345)).toBe(number);
    expect(dateTimeText(noon)).toMatch(dateTime);
    expect(momentText(noon, noon + 60_000)).toMatch(time);
    expect(momentText(noon, noon + 2 * day)).toMatch(dateTime);
  });

  it('a language that Intl does not know stops nothing', () => {
    env.language = 'no_such language';
    expect(numberText(12_345)).toMatch(/12.?345/u);
  });
});
