import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { openQuickInput } from './quickInput.ts';

/** For so long the dialog leaves a path alone that it has taken. */
const pathStaysMs = 500;

/** VS Code's own file dialog, which asks for files of the machine that it runs on. */
export class FileDialog {
  private readonly page: Page;
  private readonly widget: Locator;
  private readonly field: Locator;

  constructor(page: Page) {
    this.page = page;
    this.widget = openQuickInput(page);
    this.field = this.widget.locator('.quick-input-box input');
  }

  /**
   * Writes a path and accepts it. Whenever the dialog has listed a folder it may put its own path back, and what is there then is accepted:
   * so it waits until a folder is listed and the path has stayed for a while.
   *
   * @param accept presses Enter, or a button
   * @param see fails until the effect is seen
   */
  async answer(path: string, accept: () => Promise<unknown>, see: () => Promise<unknown>): Promise<void> {
    let staysSince: number | undefined;
    await eventually(async () => {
      if (await this.isListed()) {
        const now = performance.now();
        if ((await this.field.inputValue({ timeout: 500 })) !== path) {
          staysSince = undefined;
          await this.field.focus({ timeout: 500 });
          await this.page.keyboard.press('Control+a');
          await this.page.keyboard.insertText(path);
        } else if (now - (staysSince ??= now) >= pathStaysMs) await accept();
      }
      await see();
    }, 30_000);
  }

  /** Other questions have no buttons. */
  private async isListed(): Promise<boolean> {
    const isOpen = (await this.widget.locator('.monaco-button:visible').count()) > 0;
    return isOpen && (await this.widget.locator('.monaco-list-row').count()) > 0;
  }
}
