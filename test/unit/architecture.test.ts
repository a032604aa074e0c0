import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The source files below a folder of the repository, with their text. */
function sources(folder: string): { path: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(ts|mts|css|html)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => ({ path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }));
}

const src = sources('src');
const all = [...src, ...sources('webview')];

function filesWith(pattern: RegExp, files = all): string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

/** Only what lint cannot say: the order of the folders, circles and bans stand in eslint.config.mjs. */
describe('the architecture', () => {
  it.each([
    [/commands\.registerCommand\(/, 'src/extension/platform/commands.ts'],
    [/getConfiguration\(/, 'src/extension/platform/settings.ts'],
    [/show(?:Error|Warning|Information)Message/, 'src/extension/platform/errorReporting.ts'],
    [/new (?:vscode\.)?TreeItem\(/, 'src/extension/views/treeItems.ts'],
    [/registerFileDecorationProvider\(/, 'src/extension/views/row.ts'],
    [/zookeeperLocks\./, 'src/extension/platform/contributions.ts'],
  ])('has one gateway for %s', (pattern, path) => {
    expect(filesWith(pattern)).toEqual([path]);
  });

  it('trusts no markdown', () => {
    expect(filesWith(/isTrusted = true|isTrusted: true|supportHtml|retainContextWhenHidden/)).toEqual([]);
  });

  it('has no barrel files, and no state that modules share', () => {
    expect(all.map(({ path }) => path).filter(path => path.endsWith('/index.ts'))).toEqual([]);
    expect(filesWith(/^export (?:\*|\{[^}]*\}) from /m)).toEqual([]);
    expect(filesWith(/^(?:export )?let /m)).toEqual([]);
    expect(filesWith(/static (?:readonly )?(?:instance|current)\b/)).toEqual([]);
  });

  it('says nothing to the person but through l10n', () => {
    // A literal given straight to something that shows it; texts from elsewhere are made by l10n.t in src/extension/words.
    const spoken =
      /(?:show\w+Message|inform|confirm)\(\s*['"`]|(?:prompt|placeholder|title|label|description|tooltip): ['"`][A-Z]/;
    expect(
      filesWith(
        spoken,
        src.filter(({ path }) => path.startsWith('src/extension/')),
      ),
    ).toEqual([]);
  });
});
