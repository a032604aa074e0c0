/**
 * Looks at the page of the lock panel without VS Code: made-up snapshots, the real shell with its content policy, the three
 * kinds of theme, a narrow and a wide panel. `node test/workbench/support/panelScreenshots.ts [folder [scenes]]` writes the pictures,
 * of the scenes whose name begins so,
 * and tells what the browser had to say, and how long the script of an update takes.
 */
import { build } from 'esbuild';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { pageBundles } from '../../../scripts/build/webviewBundle.ts';
import { pageShell } from '../../../src/extension/panel/pageShell.ts';
import type { HostMessage, PanelSnapshot, PanelTexts } from '../../../src/protocol.ts';
import { busyHistory, queueOf, snapshotOf } from '../../unit/webview/snapshots.ts';
import { openChromium } from './chromium.ts';
import { scenes } from './panelScenes.ts';
import { themeVariables, type ThemeName } from './themeVariables.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const origin = 'http://panel.test';

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function bundledPage(): Promise<{ script: string; style: string }> {
  const { outputFiles } = await build({
    ...pageBundles[0],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'none',
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

/** The host's English texts; `vscode` is replaced by the unit tests' stand-in. */
async function englishTexts(): Promise<PanelTexts> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/extension/panel/panelTexts.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    alias: { vscode: './test/unit/extension/fakeVscode.ts' },
  });
  const source = outputFiles[0]?.text ?? '';
  const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    panelTexts: () => PanelTexts;
  };
  return module.panelTexts();
}

async function openPage(browser: Browser, theme: ThemeName, width: number): Promise<Page> {
  const { script, style } = await bundledPage();
  const variables = Object.entries(themeVariables[theme]).map(([name, value]) => `--vscode-${name}: ${value};`);
  const shell = pageShell({ script: '/s.js', style: '/s.css', source: origin, nonce: 'n', language: 'en' });
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  page.on('console', message => say(`${theme} ${width}: ${message.text()}`));
  page.on('pageerror', error => say(`${theme} ${width}: ${error.message}`));
  await page.addInitScript(`window.acquireVsCodeApi = () => ({
    postMessage: message => (window.sent ??= []).push(message), getState: () => undefined, setState: () => {} });`);
  await page.route(`${origin}/*`, route => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/s.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (pathname === '/s.css') {
      return route.fulfill({ contentType: 'text/css', body: `:root { ${variables.join(' ')} } ${style}` });
    }
    return route.fulfill({ contentType: 'text/html', body: shell });
  });
  await page.goto(`${origin}/`);
  await send(page, { type: 'texts', texts: await englishTexts(), language: 'en', lock: undefined });
  return page;
}

async function send(page: Page, message: HostMessage): Promise<void> {
  await page.evaluate(sent => window.postMessage(sent), message);
  await page.waitForTimeout(150);
}

/** Script of hand-overs in a full page, in ms; each takes the head away and adds a waiter. */
async function measureUpdates(page: Page, count: number): Promise<number[]> {
  const snapshots: PanelSnapshot[] = Array.from({ length: 40 }, (_, step) => {
    const sketches = queueOf(count).map((_, index) => ({
      name: `node-${step + index}`,
      who: `worker-${step + index}`,
      position: index + 1,
    }));
    const snapshot = snapshotOf(sketches, { revision: step, history: busyHistory(100) });
    return { ...snapshot, table: { ...snapshot.table, rows: snapshot.table.rows.slice(0, 50) } };
  });
  return page.evaluate(async all => {
    const spans: number[] = [];
    const observer = new PerformanceObserver(list => spans.push(...list.getEntries().map(entry => entry.duration)));
    observer.observe({ entryTypes: ['measure'] });
    for (const snapshot of all) {
      window.postMessage({ type: 'snapshot', snapshot });
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    return spans;
  }, snapshots);
}

const only = process.argv[3];
const wanted = scenes.filter(({ name }) => only === undefined || name.startsWith(only));
const folder = process.argv[2] ?? join(root, 'test-results', 'panel');
await mkdir(folder, { recursive: true });
const browser = await openChromium();
try {
  for (const theme of ['light', 'dark', 'highContrast'] as const) {
    for (const width of [300, 620, 900, 1280]) {
      const page = await openPage(browser, theme, width);
      for (const scene of wanted) {
        await send(page, { type: 'snapshot', snapshot: scene.snapshot });
        if (scene.click !== undefined) await page.locator(scene.click).first().click();
        for (const key of scene.keys ?? []) await page.keyboard.press(key);
        await page.screenshot({ path: join(folder, `${scene.name}-${theme}-${width}.png`), fullPage: true });
        await page.keyboard.press('Escape');
        // The rows of the table are drawn where they can be seen only, so not in the picture of the whole page.
        await page.locator('.table').evaluate(table => table.scrollIntoView());
        // What comes into sight is laid out with the next frame.
        await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        await page.screenshot({ path: join(folder, `${scene.name}-${theme}-${width}-table.png`) });
        await page.evaluate(() => window.scrollTo(0, 0));
      }
      await page.close();
    }
  }
  for (const count of [50, 500]) {
    const page = await openPage(browser, 'dark', 1200);
    const spans = (await measureUpdates(page, count)).sort((a, b) => a - b);
    const at = (part: number): string => (spans[Math.floor(part * (spans.length - 1))] ?? NaN).toFixed(1);
    say(`${count} nodes: ${spans.length} updates, median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
    await page.close();
  }
} finally {
  await browser.close();
}
