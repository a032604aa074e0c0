import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packagedMarkdown } from '../../../scripts/package/packagedMarkdown.ts';

it('leaves addresses and places of the same page alone', async () => {
  const text = 'See [the site](https://example.org/a), [below](#below) and ![a picture](https://example.org/a.png).';
  expect(await packagedMarkdown(text)).toBe(text);
});

it('turns links to files of the repository into words', async () => {
  expect(await packagedMarkdown('Read [the *one* page](ARCHITECTURE.md) and [more](docs/a.md#b).')).toBe(
    'Read the *one* page and more.',
  );
});

it('carries pictures along, also inside of a link', async () => {
  const bytes = readFileSync('media/icon.png').toString('base64');
  const picture = `![icon](data:image/png;base64,${bytes})`;
  expect(await packagedMarkdown('![icon](media/icon.png)')).toBe(picture);
  expect(await packagedMarkdown('[![icon](media/icon.png)](docs/a.md)')).toBe(picture);
  expect(await packagedMarkdown('[![icon](media/icon.png)](https://example.org)')).toBe(
    `[${picture}](https://example.org)`,
  );
});

it('refuses pictures that VS Code would not show', async () => {
  await expect(packagedMarkdown('![icon](media/icon.svg)')).rejects.toThrow('PNG');
  await expect(packagedMarkdown('![no](media/none.png)')).rejects.toThrow('none.png');
});
