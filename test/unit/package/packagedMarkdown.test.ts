import { expect, it } from 'vitest';
import { packagedMarkdown } from '../../../scripts/package/packagedMarkdown.ts';

it('leaves addresses and places of the same page alone', () => {
  const text = 'See [the site](https://example.org/a), [below](#below) and ![a picture](https://example.org/a.png).';
  expect(packagedMarkdown(text)).toBe(text);
});

it('turns links to files of the repository into words that name the file', () => {
  expect(packagedMarkdown('Read [the *one* page](ARCHITECTURE.md) and [more](docs/a.md#b).')).toBe(
    'Read the *one* page (`ARCHITECTURE.md`) and more (`docs/a.md#b`).',
  );
  expect(packagedMarkdown('See [`docs/a.md`](docs/a.md).')).toBe('See `docs/a.md`.');
});

it('leaves out pictures of the repository, with the link around them and the gap that they leave', () => {
  expect(packagedMarkdown('# Title\n\n![icon](media/icon.png)\n\nText')).toBe('# Title\n\nText');
  expect(packagedMarkdown('# Title\n\n[![icon](media/icon.png)](docs/a.md)\n\nText')).toBe('# Title\n\nText');
  expect(packagedMarkdown('[![icon](media/icon.png)](https://example.org)')).toBe('');
  expect(packagedMarkdown('# Title\n\n<img alt="icon" src="media/icon.png" width="9">\n\nText')).toBe(
    '# Title\n\nText',
  );
});

it('keeps a picture with an address inside of a link', () => {
  const picture = '![icon](https://example.org/icon.png)';
  expect(packagedMarkdown(`[${picture}](https://example.org)`)).toBe(`[${picture}](https://example.org)`);
  expect(packagedMarkdown(`[${picture}](docs/a.md)`)).toBe(picture);
});
