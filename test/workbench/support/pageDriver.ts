import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repositoryRoot } from '../../../scripts/build/bundle.ts';
import { eventually } from '../../support/eventually.ts';
import { FileDialog } from './fileDialog.ts';
import { openQuickInput } from './quickInput.ts';
import { TreeView } from './tree.ts';

const screenshots = join(repositoryRoot, 'test-results', 'screenshots');
/** VS Code that has just started, or loads a part for the first time, is slow on a small machine. */
const actionTimeoutMs = 30_000;
/** VS Code's names of the themes that are looked at, and the class of its window with each. */
const themeClasses = {
  'Dark Modern': 'vs-dark',
  'Light Modern': 'vs',
  'Dark High Contrast': 'hc-black',
  'Light High Contrast': 'hc-light',
} as const;

export type Theme = keyof typeof themeClasses;

/** Loads VS Code into a page and waits until it can be used. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('.monaco-workbench .part.activitybar').waitFor({ timeout: 60_000 });
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
}

/** The hands and eyes of a person in front of VS Code. */
export class PageDriver {
  /** For what has no function here. */
  readonly page: Page;

  private readonly quickInput: Locator;
  private readonly quickInputField: Locator;

  constructor(page: Page) {
    this.page = page;
    this.quickInput = openQuickInput(page);
    this.quickInputField = this.quickInput.locator('.quick-input-box input');
  }

  /** Runs a command from the palette by its full title, e.g. `ZooKeeper Locks: Add Cluster`. */
  async runCommand(title: string): Promise<void> {
    // A dialog that was closed a moment ago gives the focus back late, and that closes the palette.
    await eventually(async () => {
      await this.page.keyboard.press('F1');
      await this.quickInputField.waitFor({ timeout: 3_000 });
      await this.quickInputField.fill(`>${title}`, { timeout: 1_000 });
      try {
        await this.pick(title, 3_000);
      } catch (error) {
        // The palette lists what could be called when it was opened, also if F1 is pressed again while it is open.
        await this.page.keyboard.press('Escape');
        throw new Error(`The palette does not offer "${title}".`, { cause: error });
      }
    }, actionTimeoutMs);
  }

  /** Writes into the quick input that asks this, and presses Enter. */
  async answerQuickInput(question: string, text: string): Promise<void> {
    await this.typeIntoQuickInput(question, text);
    await this.quickInputField.press('Enter', { timeout: actionTimeoutMs });
  }

  /** Writes a path into the open file dialog and presses its button. */
  async answerFileDialog(path: string, button: string): Promise<void> {
    const press = this.quickInput.locator('.monaco-button', { hasText: button });
    await press.waitFor({ timeout: actionTimeoutMs });
    await new FileDialog(this.page).answer(
      path,
      () => press.click({ timeout: 500 }),
      async () => {
        if (await press.isVisible()) throw new Error('The dialog is still open.');
      },
    );
  }

  /**
   * Writes into the quick input that asks this.
   *
   * @param question a part of its title, prompt or placeholder: all questions share one field, and the one before may
   * still be on screen
   */
  async typeIntoQuickInput(question: string, text: string, withinMs = actionTimeoutMs): Promise<void> {
    await this.seeQuickInput(question, withinMs);
    await this.quickInputField.fill(text, { timeout: withinMs });
  }

  /**
   * Waits until the open quick input shows this, as a text or as the placeholder of its field.
   *
   * @returns all that it shows
   */
  async seeQuickInput(text: string, withinMs = actionTimeoutMs): Promise<string> {
    return eventually(async () => {
      const placeholder = await this.quickInputField.getAttribute('placeholder', { timeout: 500 });
      const shown = `${await this.quickInput.innerText({ timeout: 500 })}\n${placeholder ?? ''}`;
      if (!shown.includes(text)) throw new Error(`The quick input does not show "${text}" but: ${shown}`);
      return shown;
    }, withinMs);
  }

  /** Chooses an entry of the open quick pick by a part of its label. */
  async pick(label: string, timeout = actionTimeoutMs): Promise<void> {
    await this.quickInput
      .locator('.quick-input-list .monaco-list-row', {
        // The second line of an entry is a label, too.
        has: this.page.locator('.quick-input-list-row:first-child .label-name', { hasText: label }),
      })
      .first()
      .click({ timeout });
  }

  /**
   * Pages of extensions follow a moment later. In a window that was slow the picker can be gone before it is used: then it is opened
   * again.
   */
  async chooseTheme(theme: Theme): Promise<void> {
    const stepMs = actionTimeoutMs / 3;
    await eventually(async () => {
      await this.runCommand('Preferences: Color Theme');
      await this.typeIntoQuickInput('Select Color Theme', theme, stepMs);
      await this.pick(theme, stepMs);
      await this.quickInput.waitFor({ state: 'hidden', timeout: stepMs });
    }, actionTimeoutMs);
    await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor({ timeout: actionTimeoutMs });
  }

  /** Labels of the open quick pick. */
  async quickPickLabels(): Promise<string[]> {
    const list = this.quickInput.locator('.quick-input-list .monaco-list-row');
    await list.first().waitFor({ timeout: actionTimeoutMs });
    return list.locator('.quick-input-list-row:first-child .label-name').allTextContents();
  }

  /** Title, prompt and validation message of the open quick input. */
  async quickInputText(): Promise<string> {
    return this.quickInput.innerText({ timeout: actionTimeoutMs });
  }

  /**
   * Leaves the open quick input, by its field, since a tree that is drawn as it opens may have taken the keyboard. One that is
   * still opening is shown again after an Escape (quickInput.ts), for as long as the window is slow: Escape is pressed until what
   * follows is there.
   *
   * @param see waits for what follows; default: none was seen for a second, which is enough where it has been open for a while
   */
  async cancelQuickInput(see: () => Promise<unknown> = () => this.quickInputStaysAway()): Promise<void> {
    await this.quickInputField.waitFor({ timeout: actionTimeoutMs });
    const outcome = { isKnown: false };
    const note = (): void => void (outcome.isKnown = true);
    const seen = see();
    seen.then(note, note);
    // It may be hidden between the look and the key. Each press is awaited: one that is left behind would close the next question.
    while (!outcome.isKnown) await this.quickInputField.press('Escape', { timeout: 500 }).catch(() => undefined);
    await seen;
  }

  private async quickInputStaysAway(): Promise<void> {
    const isBack = (): Promise<boolean> =>
      this.quickInputField.waitFor({ timeout: 1_000 }).then(
        () => true,
        () => false,
      );
    do await this.quickInput.waitFor({ state: 'hidden', timeout: actionTimeoutMs });
    while (await isBack());
  }

  /** Opens a view container of the activity bar, e.g. `ZooKeeper Locks`. */
  async openContainer(name: string): Promise<void> {
    const button = this.page.locator(`.activitybar .action-item:has(a.action-label[aria-label^="${name}"])`);
    await button.waitFor({ timeout: 30_000 });
    const isOpen = (await button.getAttribute('class'))?.includes('checked') === true;
    if (!isOpen) await button.click();
    await this.page
      .locator('.sidebar .composite.title', { hasText: new RegExp(name, 'i') })
      .waitFor({ timeout: actionTimeoutMs });
  }

  tree(view: string): TreeView {
    return new TreeView(this.page, view);
  }

  /** The element that has the keyboard, and those around it: for the message of a failed test. */
  async focusedElement(): Promise<string> {
    return this.page.evaluate(() => {
      const names: string[] = [];
      for (let at = document.activeElement; at !== null; at = at.parentElement) {
        names.push(`${at.tagName.toLowerCase()}.${[...at.classList].join('.')}`);
      }
      return names.slice(0, 8).join(' < ');
    });
  }

  /** Messages of the notifications that are shown now. */
  async notifications(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-list-item-message').allTextContents();
  }

  async pressNotificationButton(title: string): Promise<void> {
    await this.page
      .locator('.notifications-toasts .monaco-button', { hasText: title })
      .click({ timeout: actionTimeoutMs });
  }

  /** Text of the modal dialog that is open. */
  async dialogText(): Promise<string> {
    return this.page.locator('.monaco-dialog-box').innerText({ timeout: actionTimeoutMs });
  }

  async pressDialogButton(title: string): Promise<void> {
    await this.page
      .locator('.monaco-dialog-box .monaco-button', { hasText: title })
      .click({ timeout: actionTimeoutMs });
  }

  /** The report in front, as VS Code draws it: in a frame within a frame. */
  get report(): Locator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('.markdown-body');
  }

  async statusBar(): Promise<string[]> {
    return this.page.locator('.statusbar-item-label').allTextContents();
  }

  /** Saves what is on screen to test-results/screenshots. @returns the file */
  async screenshot(name: string): Promise<string> {
    await mkdir(screenshots, { recursive: true });
    const path = join(screenshots, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }
}
