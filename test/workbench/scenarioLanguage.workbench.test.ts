import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const faulty = `# Two services
cluster: sandbox
path: /scenario/orders

A: acqire mutex
repeat 2 {
expect:   A holds ,B waits for A
  parallel {
    A: release
  }
}
`;

let workbench: Workbench;
let keyboard: Keyboard;
let lines: Locator;

beforeAll(async () => {
  const sample = await readFile(join(repositoryRoot, 'samples/03-readers-and-writer.zklock'), 'utf8');
  workbench = await openWorkbench({
    settings: {
      'zookeeperLocks.clusters': [{ name: 'Orders (test)', connectString: '127.0.0.1:1', environment: 'development' }],
      'editor.minimap.enabled': false,
    },
    workspaceFiles: { 'sample.zklock': sample, 'faulty.zklock': faulty, 'new.zklock': '' },
  });
  keyboard = new Keyboard(workbench.page);
  lines = workbench.page.locator('.editor-instance .view-lines').first();
  await workbench.runCommand('View: Show Explorer');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
});

async function openFile(name: string): Promise<void> {
  const explorer = workbench.tree('workspace');
  await explorer.waitForRow(name);
  await explorer.select(name);
  await workbench.page.locator('.tab.active', { hasText: name }).waitFor({ timeout: 30_000 });
  await lines.click();
  // The click is in the middle of the lines, which may be scrolled out of sight for it.
  await keyboard.press('Control+Home');
}

/** The text of the editor, as it is drawn. */
async function text(): Promise<string[]> {
  const drawn = await lines.locator('.view-line').evaluateAll(all =>
    all
      .map(line => ({ top: (line as HTMLElement).offsetTop, text: line.textContent }))
      .sort((one, other) => one.top - other.top)
      .map(({ text: shown }) => shown),
  );
  return drawn.map(line => line.replaceAll('\u00a0', ' '));
}

async function goToLine(line: number, column = 1): Promise<void> {
  await keyboard.run('Go to Line/Column...');
  await workbench.page.keyboard.insertText(`${line}:${column}`);
  await keyboard.press('Enter');
  await eventually(async () => expect((await workbench.statusBar()).join()).toContain(`Ln ${line}, Col ${column}`));
  // The editor shows the place already while it is typed; keys go to the question until it has closed.
  await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden', timeout: 15_000 });
  await workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor({ timeout: 15_000 });
}

/** Presses a key until its effect is seen: the quick input gives the keyboard back a moment after it is closed. */
async function pressUntil(key: string, effect: Locator): Promise<void> {
  await eventually(async () => {
    if (!(await effect.isVisible())) await keyboard.press(key);
    await effect.waitFor({ timeout: 3_000 });
  }, 20_000);
}

/** Takes a fix that is offered at the cursor. */
async function takeFix(title: string): Promise<void> {
  const row = workbench.page.locator('.action-widget .monaco-list-row', { hasText: title });
  await pressUntil('Control+.', row);
  await workbench.screenshot(`scenario-fix-${title.slice(0, 3).toLowerCase()}`);
  await row.click();
}

/** The colours of the words of the editor. */
async function colours(): Promise<Map<string, string>> {
  const found = await lines
    .locator('.view-line span span')
    .evaluateAll(all => all.map(each => [each.textContent, getComputedStyle(each).color] as const));
  return new Map(found.map(([word, colour]) => [word.replaceAll('\u00a0', ' ').trim(), colour]));
}

async function suggestions(): Promise<string[]> {
  const rows = workbench.page.locator('.suggest-widget.visible .monaco-list-row');
  await rows.first().waitFor({ timeout: 15_000 });
  return rows.locator('.label-name').allInnerTexts();
}

/** Of an element with all those around it. */
function opacityOf(element: Element): number {
  let opacity = 1;
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    opacity *= Number(getComputedStyle(at).opacity);
  }
  return opacity;
}

const squiggles = (kind: 'error' | 'warning'): Locator => workbench.page.locator(`.squiggly-${kind}`);

describe('a scenario in an editor', () => {
  it.each([
    ['Dark Modern', 'dark'],
    ['Light Modern', 'light'],
  ] as const)('has its colours in %s', { timeout: 180_000 }, async (theme, name) => {
    await openFile('sample.zklock');
    // A window begins with the dark one.
    if (name === 'light') await workbench.chooseTheme(theme);
    await eventually(async () => {
      const seen = await colours();
      const words = ['path', 'R1', 'acquire', 'read', 'expect', 'holders', '/scenario/catalogue'];
      const ofWords = words.map(word => seen.get(word));
      expect(ofWords.filter(colour => colour === undefined)).toEqual([]);
      // Steps, actions, recipes, claims and sessions look different.
      expect(new Set(['R1', 'acquire', 'read', 'expect', 'holders'].map(word => seen.get(word))).size).toBe(5);
    }, 30_000);
    expect(await squiggles('error').count()).toBe(0);
    await workbench.screenshot(`scenario-${name}`);
  });

  it('shows what is wrong, and takes the fixes', async () => {
    await workbench.chooseTheme('Dark Modern');
    await openFile('faulty.zklock');
    // The misspelt word, and the sessions that so have never taken a lock.
    await eventually(async () => expect(await squiggles('error').count()).toBeGreaterThanOrEqual(3), 30_000);
    await workbench.screenshot('scenario-problems');
    await goToLine(5, 5);
    await takeFix('Change to acquire');
    await eventually(async () => expect((await text())[4]).toBe('A: acquire mutex'));
    await eventually(async () => expect(await squiggles('error').count()).toBe(1));
  });

  it('adds the step that a session needs, and formats', async () => {
    await goToLine(7, 20);
    await takeFix('Add the step B: acquire mutex');
    await eventually(async () => expect(await squiggles('error').count()).toBe(0));
    await keyboard.run('Format Document');
    await eventually(async () =>
      expect(await text()).toEqual([
        '# Two services',
        'cluster: sandbox',
        'path: /scenario/orders',
        '',
        'A: acquire mutex',
        'repeat 2 {',
        '  B: acquire mutex',
        '  expect: A holds, B waits for A',
        '  parallel {',
        '    A: release',
        '  }',
        '}',
        '',
      ]),
    );
  });

  it('explains the word under the pointer', async () => {
    const word = lines.locator('.view-line span span', { hasText: /^\s*parallel\s*$/u }).first();
    const hover = workbench.page.locator('.monaco-hover', {
      hasText: 'Plays the steps of the block at the same time.',
    });
    await eventually(async () => {
      await lines.hover({ position: { x: 400, y: 300 } });
      await word.hover();
      await hover.waitFor({ timeout: 3_000 });
    }, 20_000);
    // It fades in.
    await eventually(async () => expect(await hover.evaluate(opacityOf)).toBe(1));
    await workbench.screenshot('scenario-hover');
  });

  it('has an outline', async () => {
    await keyboard.run('Go to Symbol in Editor...');
    const labels = await eventually(async () => {
      const shown = await workbench.quickPickLabels();
      expect(shown.join('\n')).toContain('repeat 2');
      return shown;
    });
    expect(labels.join('\n')).toContain('B waits for A');
    await workbench.cancelQuickInput();
  });

  it('renames a session everywhere', async () => {
    await goToLine(7, 3);
    const input = workbench.page.locator('.rename-box .rename-input');
    await pressUntil('F2', input);
    await input.fill('Worker');
    await keyboard.press('Enter');
    await eventually(async () => {
      const shown = await text();
      expect(shown[6]).toBe('  Worker: acquire mutex');
      expect(shown[7]).toBe('  expect: A holds, Worker waits for A');
    });
  });
});

describe('completion', () => {
  it('writes a scenario with what the file and the window know', async () => {
    await openFile('new.zklock');
    const { keyboard: keys } = workbench.page;
    await keys.type('clus');
    await eventually(async () => expect(await suggestions()).toContain('cluster'), 20_000);
    await keyboard.press('Enter');
    await eventually(async () => expect(await text()).toEqual(['cluster: ']));
    await keyboard.press('Control+Space');
    await eventually(async () => expect(await suggestions()).toEqual(['sandbox', 'Orders (test)']));
    await keyboard.press('Enter');
    await eventually(async () => expect(await text()).toEqual(['cluster: sandbox']));
    await keyboard.press('Enter');
    await keys.type('A: acquire m');
    await eventually(async () => expect(await suggestions()).toEqual(expect.arrayContaining(['mutex', 'multi'])));
    await workbench.screenshot('scenario-completion');
    await keys.type('utex /shop as kaz');
    await eventually(async () => expect((await suggestions())[0]).toBe('kazoo'));
    await keyboard.press('Enter', 'Enter');
    await keys.type('expect: A ');
    await eventually(async () => expect(await suggestions()).toEqual(expect.arrayContaining(['holds', 'waits'])));
    await keys.type('hol');
    await eventually(async () => expect((await suggestions())[0]).toBe('holds'));
    await keyboard.press('Enter');
    await eventually(async () =>
      expect(await text()).toEqual(['cluster: sandbox', 'A: acquire mutex /shop as kazoo', 'expect: A holds']),
    );
    await eventually(async () => expect(await squiggles('error').count()).toBe(0));
  });

  it('leaves nothing in the log that is an error', async () => {
    expect(await workbench.notifications()).toEqual([]);
    expect(await workbench.logs()).not.toMatch(/\[error\].*(?:zklock|scenario)/iu);
  });
});
