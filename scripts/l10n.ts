import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './build/bundle.ts';
import { translationFaults } from './l10n/compareTexts.ts';
import { extractTexts, sortedTexts, type Texts } from './l10n/extractTexts.ts';
import { languages, sameEverywhere } from './l10n/languages.ts';

const read = async (path: string) => JSON.parse(await readFile(join(repositoryRoot, path), 'utf8')) as Texts;
const write = (path: string, texts: Texts) =>
  writeFile(join(repositoryRoot, path), `${JSON.stringify(texts, undefined, 2)}\n`);

function report(file: string, faults: string[]): void {
  for (const fault of faults) console.error(`${file}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

/** Writes the English texts that are in the sources, and says what the translations lack. */
const english = await extractTexts();
await write('l10n/bundle.l10n.json', english);
const manifest = await read('package.nls.json');
for (const language of languages) {
  const bundle = `l10n/bundle.l10n.${language}.json`;
  const translated = sortedTexts(await read(bundle));
  await write(bundle, translated);
  report(bundle, translationFaults(english, translated, sameEverywhere));
  const nls = `package.nls.${language}.json`;
  report(nls, translationFaults(manifest, await read(nls), sameEverywhere));
}
console.log(`${Object.keys(english).length} texts in the code, ${Object.keys(manifest).length} in the manifest`);
