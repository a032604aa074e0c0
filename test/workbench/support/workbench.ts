import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { installVsix, startCodeServer, type CodeServer } from '../../../scripts/vscode/codeServer.ts';
import {
  changedSettings,
  changeSettings,
  createProfile,
  installExtension,
  type Profile,
  type Settings,
} from '../../../scripts/vscode/profile.ts';
import { eventually } from '../../support/eventually.ts';
import { installChinesePack } from './chinesePack.ts';
import { openChromium } from './chromium.ts';
import { openPage, PageDriver } from './pageDriver.ts';

export interface WorkbenchOptions {
  /** User settings that are there before VS Code starts. */
  settings?: Settings;
  /** What the folder that is opened brings along in `.vscode/settings.json`. */
  workspaceSettings?: Settings;
  /** What else the folder brings along: texts by path. */
  workspaceFiles?: Record<string, string>;
  /** Default true. */
  trusted?: boolean;
  /** Display language of VS Code; default English. */
  language?: 'zh-cn';
  /** Installs this package instead of copying the build. */
  vsix?: string;
  /** Adds to the profile before VS Code starts: another extension, for example. */
  prepare?: (profile: Profile) => Promise<void>;
  viewport?: { width: number; height: number };
}

interface Parts {
  folder: string;
  profile: Profile;
  server: CodeServer;
  browser: Browser;
  page: Page;
}

/** A real VS Code of our own in a browser, with the built extension. */
export class Workbench extends PageDriver {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    super(parts.page);
    this.parts = parts;
  }

  /** Changes user settings in the editor, as a person does, and saves them. */
  async editSettings(settings: Settings): Promise<void> {
    const text = await changedSettings(this.parts.profile, settings);
    await this.runCommand('Preferences: Open User Settings (JSON)');
    const lines = this.page.locator('.editor-instance .view-lines').first();
    await lines.getByText('zookeeperLocks.clusters').first().waitFor({ timeout: 30_000 });
    await lines.click();
    await this.page.evaluate(pasted => navigator.clipboard.writeText(pasted), text);
    for (const key of ['Control+A', 'Control+V']) await this.page.keyboard.press(key);
    const save = async (): Promise<void> => {
      // What is pasted comes a moment after the key: saved at once, it would be the text before.
      await this.page.keyboard.press('Control+S');
      if ((await changedSettings(this.parts.profile, {})) !== text) throw new Error('The settings are not saved yet.');
    };
    await eventually(save, 10_000, 250);
    // VS Code shows its settings in an editor above the window. Escape would also hide a question that the settings raise.
    await this.page.locator('.modal-editor-action-container .codicon-close').click();
    await lines.waitFor({ state: 'hidden', timeout: 20_000 });
  }

  /** The user settings, as they are saved. */
  async savedSettings(): Promise<string> {
    return changedSettings(this.parts.profile, {});
  }

  /** Changes user settings as another window would; VS Code takes them over by itself. */
  async changeSettings(settings: Settings): Promise<void> {
    await changeSettings(this.parts.profile, settings);
  }

  /** Writes a file of the folder that is open, as another program would. */
  async writeWorkspaceFile(path: string, text: string): Promise<void> {
    await writeWorkspaceFile(this.parts.profile, path, text);
  }

  /** Everything that VS Code has written to its user folder so far: settings, state, logs. */
  async filesText(): Promise<string> {
    const folder = this.parts.profile.userDataDir;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
    return (await Promise.all(files.map(file => readFile(file, 'latin1')))).join('\n');
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

  /** What VS Code has written of the window so far. In a browser it does that every few seconds, and not at the end. */
  async writtenState(): Promise<string> {
    return this.page.evaluate(async () => {
      const settled = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(new Error(String(request.error)));
        });
      const texts: string[] = [];
      for (const { name = '' } of await indexedDB.databases()) {
        if (!name.startsWith('vscode-web-state-db')) continue;
        const database = await settled(indexedDB.open(name));
        const stores = [...database.objectStoreNames];
        for (const store of stores) {
          const values: unknown[] = await settled(database.transaction(store).objectStore(store).getAll());
          texts.push(...values.map(String));
        }
        database.close();
      }
      return texts.join('\n');
    });
  }

  /** Waits until VS Code has written all of this, as JSON where it is JSON. */
  async waitForState(...texts: readonly string[]): Promise<void> {
    await eventually(async () => {
      // JSON in JSON has its quotes escaped.
      const state = (await this.writtenState()).replaceAll('\\', '');
      const missing = texts.find(text => !state.includes(text));
      // The state is too long for the message of a failed test.
      if (missing !== undefined) throw new Error(`VS Code has not written "${missing}" yet.`);
    }, 30_000);
  }

  async close(): Promise<void> {
    await closeAll(this.parts);
  }
}

async function writeWorkspaceFile({ workspace }: Profile, path: string, text: string): Promise<void> {
  const file = join(workspace, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function closeAll({ browser, server, folder }: Partial<Parts>): Promise<void> {
  await browser?.close();
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Starts VS Code with the extension as the build left it in `dist`, and opens it. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const parts: Partial<Parts> = {};
  try {
    const folder = (parts.folder = await mkdtemp(join(tmpdir(), 'workbench-test-')));
    const profile = await createProfile(folder, options.settings);
    if (options.vsix === undefined) await installExtension(profile);
    else await installVsix(options.vsix, profile, folder);
    const files = new Map(Object.entries(options.workspaceFiles ?? {}));
    if (options.workspaceSettings !== undefined) {
      files.set('.vscode/settings.json', JSON.stringify(options.workspaceSettings));
    }
    for (const [path, text] of files) await writeWorkspaceFile(profile, path, text);
    await options.prepare?.(profile);
    const { language: locale, trusted } = options;
    if (locale !== undefined) await installChinesePack(profile);
    const server = (parts.server = await startCodeServer({ profile, folder, trusted, locale }));
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
