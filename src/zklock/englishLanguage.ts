// Stands for src/extension/words/editorLanguage.ts in the bundle of `zklock`: the output of a program that runs in scripts is English
// on every machine.

/** A text of ours, with its values in their places. */
export function translated(message: string, values: readonly (string | number)[]): string {
  return message.replaceAll(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}

/** For Intl. */
export function locale(): string | undefined {
  return 'en';
}
