import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundledSources } from '../../../scripts/build/bundle.ts';
import { noticesFile, packageFolders, thirdPartyNotices } from '../../../scripts/package/notices.ts';

describe('the third-party notices', () => {
  it('name every package whose code is in the bundles', { timeout: 30_000 }, async () => {
    const folders = packageFolders(await bundledSources());
    expect(folders).toContain('node_modules/node-zookeeper-client');
    const written = readFileSync(noticesFile, 'utf8');
    for (const folder of folders) {
      const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<string, string>;
      expect(written, 'npm run package writes the notices anew').toContain(`\n${name!} ${version!} (`);
    }
  });

  it('hold the words of each licence, once', async () => {
    const text = await thirdPartyNotices(['node_modules/underscore/underscore.js', 'node_modules/underscore/x.js']);
    const licence = readFileSync('node_modules/underscore/LICENSE', 'utf8').split('\n')[0]!;
    expect(licence).toContain('Copyright');
    expect(text.split(licence)).toHaveLength(2);
  });

  it('give the MIT text and the author to a package that brings no file', async () => {
    const text = await thirdPartyNotices(['node_modules/@microsoft/fast-element/dist/esm/index.js']);
    expect(text).toContain('Copyright (c) Microsoft');
    expect(text).toContain('Permission is hereby granted');
  });

  it('refuse a licence that nobody has looked at', async () => {
    await expect(thirdPartyNotices(['node_modules/lightningcss/node/index.js'])).rejects.toThrow('MPL-2.0');
  });

  it('find the package of a file, nested ones and scopes too, and none for our own', () => {
    expect(
      packageFolders([
        'src/base/event.ts',
        'node_modules/async/each.js',
        'node_modules/async/index.js',
        'node_modules/@microsoft/fast-foundation/node_modules/tslib/tslib.es6.js',
        String.raw`node_modules\@vscode\webview-ui-toolkit\dist\index.js`,
      ]),
    ).toEqual([
      'node_modules/@microsoft/fast-foundation/node_modules/tslib',
      'node_modules/@vscode/webview-ui-toolkit',
      'node_modules/async',
    ]);
  });
});
