import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { createPackage, sizeLimit, type Package } from '../../scripts/package/createPackage.ts';
import { startExampleLocks, type ExampleLocks } from '../../src/app/sandbox/exampleLocks.ts';
import { connect } from '../../src/zookeeper/connect.ts';
import { eventually } from '../support/eventually.ts';
import { readVsix } from '../support/vsix.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import type { TreeRow } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let made: Package;
let files: Map<string, Buffer>;

beforeAll(async () => {
  made = await createPackage();
  files = await readVsix(made.path);
});

function textOf(path: string): string {
  const bytes = files.get(`extension/${path}`);
  if (bytes === undefined) throw new Error(`${path} is not in the package.`);
  return bytes.toString('utf8');
}

/** What a folder of the repository holds, as paths from its root. */
function inRepository(folder: string, pattern = /./): string[] {
  if (!existsSync(join(repositoryRoot, folder))) return [];
  const names = readdirSync(join(repositoryRoot, folder)).filter(name => pattern.test(name));
  return names.map(name => (folder === '.' ? name : `${folder}/${name}`));
}

describe('the VSIX', () => {
  it('holds what is needed and nothing else', () => {
    const page = existsSync(join(repositoryRoot, 'webview/main.ts'))
      ? ['webview', 'incident', 'session'].flatMap(name => [`dist/${name}.js`, `dist/${name}.css`])
      : [];
    const expected = [
      'LICENSE.txt',
      'THIRD_PARTY_NOTICES.txt',
      'changelog.md',
      'dist/extension.js',
      ...inRepository('dist/parts'),
      ...page,
      ...inRepository('l10n', /^bundle\.l10n\.[\w-]+\.json$/),
      'language-configuration.json',
      'media/clusters.schema.json',
      'media/icon.png',
      'media/locks.svg',
      'media/scenario-dark.svg',
      'media/scenario-light.svg',
      ...inRepository('media/walkthrough'),
      'package.json',
      ...inRepository('.', /^package\.nls(?:\.[\w-]+)?\.json$/),
      'readme.md',
      'syntaxes/zklock.tmLanguage.json',
      ...inRepository('samples'),
    ].map(path => `extension/${path}`);
    expect([...files.keys()].sort()).toEqual(['[Content_Types].xml', 'extension.vsixmanifest', ...expected].sort());
  });

  it('is small', () => {
    expect(statSync(made.path).size).toBe(made.bytes);
    expect(sizeLimit).toBeLessThanOrEqual(550_000);
    expect(made.bytes).toBeLessThanOrEqual(sizeLimit);
  });

  it('brings every file that its manifest names', () => {
    const named = [
      ...textOf('package.json').matchAll(
        /"(?:\.\/)?((?:media|dist|l10n|syntaxes)\/[^"]+|language-configuration\.json)"/g,
      ),
    ].map(match => match[1]!);
    expect(named).toContain('dist/extension.js');
    for (const path of named) expect([...files.keys()]).toContain(`extension/${path}`);
  });

  it('tells nothing of the machine and the tools that made it', () => {
    for (const [path, bytes] of files) {
      const text = bytes.toString('latin1');
      expect(text.includes(repositoryRoot), path).toBe(false);
      expect(/sourceMappingURL=\S+\.map/.test(text), path).toBe(false);
    }
    const manifest = JSON.parse(textOf('package.json')) as Record<string, unknown>;
    for (const key of ['scripts', 'dependencies', 'devDependencies']) expect(manifest).not.toHaveProperty(key);
  });

  it('has no link or picture in its pages that leads nowhere', () => {
    for (const page of ['readme.md', 'changelog.md']) {
      const targets = [...textOf(page).matchAll(/\]\(([^)\s]+)\)|src="([^"]*)"/g)].map(match => match[1] ?? match[2]!);
      expect(targets.filter(target => !/^(?:https:|#)/.test(target))).toEqual([]);
    }
  });
});

describe('installed into a clean VS Code', () => {
  let ensemble: ZooKeeperEnsemble;
  let demo: ExampleLocks;
  let workbench: Workbench;
  const stumbles: string[] = [];

  // The cluster that `npm start` shows: the same locks, saved under the same name.
  beforeAll(async () => {
    ensemble = await startZooKeeper();
    demo = await startExampleLocks(
      () => connect(ensemble.connectString),
      '/demo',
      text => stumbles.push(text),
    );
    const saved = { name: 'Demo', connectString: ensemble.connectString, environment: 'development' };
    workbench = await openWorkbench({
      vsix: made.path,
      settings: { 'zookeeperLocks.clusters': [saved] },
      viewport: { width: 1280, height: 1100 },
    });
  });

  afterAll(async () => {
    await workbench.close();
    await demo.stop();
    await ensemble.stop();
    expect(stumbles).toEqual([]);
  });

  /** The rows of an expanded lock, once there are so many. */
  async function contendersOf(lock: string, count: number): Promise<TreeRow[]> {
    return eventually(async () => {
      const rows = await workbench.tree('Clusters').rows();
      const at = rows.findIndex(({ ariaLabel }) => ariaLabel.includes(` ${lock},`));
      const below = rows.slice(at + 1);
      const end = below.findIndex(({ level }) => level <= rows[at]!.level);
      const contenders = below.slice(0, end).filter(({ label }) => label.startsWith('#'));
      expect(contenders).toHaveLength(count);
      return contenders;
    });
  }

  it('shows the locks of the demo cluster, with who holds and who waits', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    const tree = workbench.tree('Clusters');
    await tree.waitForRow('Demo', 30_000);
    await tree.expand('Demo');
    await tree.waitForRow('/demo/shop/checkout', 30_000);
    // All of the demo's locks are found, those out of sight included. A search sees nothing of a lock whose one node is just
    // changing hands: it is repeated, as by a person.
    await eventually(async () => {
      await tree.pressTitleButton('Refresh');
      const found = `${demo.paths.length} locks`;
      await eventually(async () => expect((await tree.waitForRow('Demo')).description).toContain(found), 5_000);
    }, 45_000);

    // Nothing moves here: its holder crashed.
    await eventually(async () =>
      expect((await tree.waitForRow('/demo/imports/daily')).description).toContain('held by "importer-1 (crashed)"'),
    );
    await tree.expand('/demo/imports/daily');
    const [holder, ...waiters] = await contendersOf('/demo/imports/daily', 3);
    expect(holder!.label).toContain('"importer-1 (crashed)"');
    expect(waiters.map(({ label }) => label)).toEqual(['#2 importer-2', '#3 importer-3']);
    await workbench.screenshot('package-installed');
    await tree.collapse('/demo/imports/daily');

    // Here the lock changes hands under our eyes.
    const checkout = '/demo/shop/checkout';
    await tree.expand(checkout);
    const before = (await contendersOf(checkout, 4))[1]!.label.replace('#2 ', '');
    await eventually(async () => expect((await tree.firstChildOf(checkout)).label).toBe(`#1 ${before}`), 20_000);
    // Programs that work are not called deadlocked; two transfers do not work.
    const deadlocked = (await tree.rows()).filter(({ ariaLabel }) => /deadlock/i.test(ariaLabel));
    expect(deadlocked.filter(({ ariaLabel }) => !ariaLabel.includes(' /demo/bank/'))).toEqual([]);
    expect(await workbench.notifications()).toEqual([]);
    await workbench.screenshot('package-demo');
  });

  it('presents itself with its icon and its README', async () => {
    // When the container is there, so are the commands.
    await workbench.openContainer('ZooKeeper Locks');
    await workbench.runCommand('Extensions: Show Installed Extensions');
    await workbench.page.locator('.extension-list-item', { hasText: 'ZooKeeper Lock Inspector' }).first().click();
    const editor = workbench.page.locator('.extension-editor');
    await editor.locator('.name', { hasText: 'ZooKeeper Lock Inspector' }).waitFor();
    await eventually(async () => {
      const width = await editor.locator('img.icon').evaluate(icon => (icon as HTMLImageElement).naturalWidth);
      expect(width).toBe(256);
    });
    const readme = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await readme.locator('h1', { hasText: 'ZooKeeper Lock Inspector' }).waitFor();
    const pictures = await readme
      .locator('img')
      .evaluateAll(images => images.map(image => (image as HTMLImageElement).naturalWidth));
    expect(pictures.every(width => width > 0)).toBe(true);
    await workbench.screenshot('package-details');
  });
});
