import type { Texts } from './extractTexts.ts';

/** What must come through a translation unharmed, each with its occurrences counted. */
const marks: readonly { what: string; pattern: RegExp }[] = [
  { what: 'placeholders', pattern: /\{\d+\}/gu },
  { what: 'icons', pattern: /\$\([^)]*\)/gu },
  { what: 'links', pattern: /\]\([^)]*\)/gu },
  { what: 'emphasis', pattern: /\*+/gu },
  { what: 'code', pattern: /`[^`]*`/gu },
  { what: 'line ends', pattern: /\n/gu },
];

const found = (text: string, pattern: RegExp) => JSON.stringify((text.match(pattern) ?? []).sort());

/**
 * What is wrong with a translation, one sentence per fault; none when it is complete.
 *
 * @param sameEverywhere texts that may stay as they are: names and abbreviations
 */
export function translationFaults(english: Texts, translated: Texts, sameEverywhere: readonly string[]): string[] {
  const faults = Object.keys(english)
    .filter(key => !Object.hasOwn(translated, key))
    .map(key => `not translated: ${JSON.stringify(key)}`);
  for (const [key, text] of Object.entries(translated)) {
    const source = Object.hasOwn(english, key) ? english[key] : undefined;
    if (source === undefined) {
      faults.push(`translated, but not in use: ${JSON.stringify(key)}`);
      continue;
    }
    if (text.trim() === '') faults.push(`empty: ${JSON.stringify(key)}`);
    if (text === source && !sameEverywhere.includes(source)) faults.push(`left in English: ${JSON.stringify(key)}`);
    for (const { what, pattern } of marks) {
      if (found(source, pattern) !== found(text, pattern)) faults.push(`other ${what}: ${JSON.stringify(key)}`);
    }
  }
  return faults;
}

/** Chinese sentences that are written with the punctuation of English. */
export function halfWidthFaults(translated: Texts): string[] {
  const besideHan = /\p{Script=Han}[,;:?!.()]|(?<!\$)\((?=\p{Script=Han})|[”）][,;:?!.]/u;
  return Object.entries(translated)
    .filter(([, text]) => besideHan.test(text.replaceAll(/\]\([^)]*\)/gu, '')))
    .map(([key]) => `half-width punctuation: ${JSON.stringify(key)}`);
}
