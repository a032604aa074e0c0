import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { repositoryRoot } from '../../../scripts/build/bundle.ts';
import { startCodeServer, type CodeServer } from '../../../scripts/vscode/codeServer.ts';
import {
  changeSettings,
  createProfile,
  installExtension,
  type Profile,
  type Settings,
} from '../../../scripts/vscode/profile.ts';
import { openChromium } from './chromium.ts';
import { TreeView } from './tree.ts';

const screenshots = join(repositoryRoot, 'test-results', 'screenshots');

export interface WorkbenchOptions {
  /** User settings that are there before VS Code starts. */
  settings?: Settings;
  /** Default true. */
  trusted?: boolean;
  viewport?: { width: number; height: number };
}

interface Parts {
  folder: string;
  profile: Profile;
  server: CodeServer;
  browser: Browser;
  page: Page;
}

/** A real VS Code in a browser with the built extension, and the hands of a person. */
export class Workbench {
  /** For what has no function here. */
  readonly page: Page;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
    this.page = parts.page;
  }

  /** Runs a command from the palette by its full title, e.g. `ZooKeeper Locks: Add Cluster`. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.typeIntoQuickInput(`>${title}`);
    await this.pick(title);
  }

  /** Writes into the open quick input; `accept` presses Enter. */
  async answerQuickInput(text: string): Promise<void> {
    await this.typeIntoQuickInput(text);
    await this.page.keyboard.press('Enter');
  }

  async typeIntoQuickInput(text: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget:visible .quick-input-box input');
    await input.waitFor({ timeout: 10_000 });
    await input.fill(text);
  }

  /** Chooses an entry of the open quick pick by the beginning of its label. */
  async pick(label: string): Promise<void> {
    await this.page
      .locator('.quick-input-widget:visible .quick-input-list .monaco-list-row', {
        has: this.page.locator('.label-name', { hasText: label }),
      })
      .first()
      .click({ timeout: 10_000 });
  }

  /** Labels of the open quick pick. */
  async quickPickLabels(): Promise<string[]> {
    const list = this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    await list.first().waitFor({ timeout: 10_000 });
    return list.locator('.quick-input-list-label .label-name').allTextContents();
  }

  /** Title, prompt or validation message of the open quick input. */
  async quickInputText(): Promise<string> {
    return this.page.locator('.quick-input-widget:visible').innerText({ timeout: 10_000 });
  }

  async cancelQuickInput(): Promise<void> {
    await this.page.keyboard.press('Escape');
  }

  /** Opens a view container of the activity bar, e.g. `ZooKeeper Locks`. */
  async openContainer(name: string): Promise<void> {
    const button = this.page.locator(`.activitybar .action-item a.action-label[aria-label^="${name}"]`);
    await button.waitFor({ timeout: 30_000 });
    const isOpen = (await button.locator('xpath=..').getAttribute('class'))?.includes('checked') === true;
    if (!isOpen) await button.click();
    await this.page
      .locator('.sidebar .composite.title', { hasText: new RegExp(name, 'i') })
      .waitFor({ timeout: 10_000 });
  }

  tree(view: string): TreeView {
    return new TreeView(this.page, view);
  }

  /** Messages of the notifications that are shown now. */
  async notifications(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-list-item-message').allTextContents();
  }

  async pressNotificationButton(title: string): Promise<void> {
    await this.page.locator('.notifications-toasts .monaco-button', { hasText: title }).click({ timeout: 10_000 });
  }

  /** Text of the modal dialog that is open. */
  async dialogText(): Promise<string> {
    return this.page.locator('.monaco-dialog-box').innerText({ timeout: 10_000 });
  }

  async pressDialogButton(title: string): Promise<void> {
    await this.page.locator('.monaco-dialog-box .monaco-button', { hasText: title }).click({ timeout: 10_000 });
  }

  async statusBar(): Promise<string[]> {
    return this.page.locator('.statusbar-item-label').allTextContents();
  }

  /** Changes user settings as another window would; VS Code takes them over by itself. */
  async changeSettings(settings: Settings): Promise<void> {
    await changeSettings(this.parts.profile, settings);
  }

  /** Saves what is on screen to test-results/screenshots. @returns the file */
  async screenshot(name: string): Promise<string> {
    await mkdir(screenshots, { recursive: true });
    const path = join(screenshots, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** What extension host and extension logged: for the message of a failed test. */
  async logs(): Promise<string> {
    const folder = join(this.parts.profile.userDataDir, 'logs');
    if (!existsSync(folder)) return '';
    const files = (await readdir(folder, { recursive: true })).filter(name => /exthost.*\.log$/.test(name));
    const texts = await Promise.all(files.map(async name => `${name}\n${await readFile(join(folder, name), 'utf8')}`));
    return texts.join('\n');
  }

  /** Loads the page again, as after closing and opening the window. */
  async reload(): Promise<void> {
    await openPage(this.page, this.parts.server.url);
  }

  async close(): Promise<void> {
    await closeAll(this.parts);
  }
}

async function closeAll({ browser, server, folder }: Partial<Parts>): Promise<void> {
  await browser?.close();
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('.monaco-workbench .part.activitybar').waitFor({ timeout: 60_000 });
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
}

/** Starts VS Code with the extension as `npm run build` left it in `dist`, and opens it. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const parts: Partial<Parts> = {};
  try {
    const folder = (parts.folder = await mkdtemp(join(tmpdir(), 'workbench-test-')));
    const profile = await createProfile(folder, options.settings);
    await installExtension(profile);
    const server = (parts.server = await startCodeServer({ profile, folder, trusted: options.trusted ?? true }));
    const browser = (parts.browser = await openChromium());
    const viewport = options.viewport ?? { width: 1280, height: 800 };
    const context = await browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await openPage(page, server.url);
    return new Workbench({ folder, profile, server, browser, page });
  } catch (error) {
    await closeAll(parts);
    throw error;
  }
}
