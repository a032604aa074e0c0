import { getL10nJson } from '@vscode/l10n-dev';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columnTexts, pageTexts } from '../../src/panelTexts.ts';
import { repositoryRoot } from '../build/bundle.ts';

/** English text to text, sorted by code units, so that a new text changes one line of the file. */
export type Texts = Record<string, string>;

export function sortedTexts(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every text that the sources pass to `l10n.t` as a literal, and those of the lock panel. @throws Error for a text with a comment for translators */
export async function extractTexts(): Promise<Texts> {
  const scripts: { extension: string; contents: string }[] = [];
  for await (const path of glob('src/**/*.ts', { cwd: repositoryRoot })) {
    const contents = await readFile(join(repositoryRoot, path), 'utf8');
    // Parsing is slow, and most files have no texts.
    if (!contents.includes('l10n')) continue;
    // Looked for is what a file has from VS Code; ours comes from language.ts, which formats numbers, too.
    scripts.push({ extension: '.ts', contents: `import * as vscode from 'vscode';\n${contents}` });
  }
  const panel = [...Object.values(columnTexts), ...Object.values(pageTexts)];
  const found: Texts = Object.fromEntries(panel.map(text => [text, text]));
  for (const [key, text] of Object.entries(await getL10nJson(scripts))) {
    if (typeof text !== 'string')
      throw new Error(`The text "${text.message}" has a comment; its key would be another.`);
    found[key] = text;
  }
  return sortedTexts(found);
}
