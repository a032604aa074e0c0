import { l10n } from './fakeVscode.ts';

/** Sets a display language in which only brackets are seen: what stands outside of them was not translated. */
export function translateToBrackets(): void {
  Object.assign(l10n, { t: (_: string, ...values: unknown[]) => `⟦${values.join(' ')}⟧` });
}

export function untranslated(text: string): string {
  for (let before = ''; before !== text;) [before, text] = [text, text.replaceAll(/⟦[^⟦⟧]*⟧/g, '')];
  return text.trim();
}
