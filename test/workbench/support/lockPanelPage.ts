import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import type { TableColumn } from '../../../src/protocol.ts';
import { eventually } from '../../support/eventually.ts';

/** What axe-core found, one line each. */
interface AxeFinding {
  id: string;
  impact: string;
  targets: string[];
}

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { target: string[] }[] }[];
}

/** How long a page may take to come, ms: VS Code installs a service worker before the first one of a window, which took 39 s once. */
export const pageComesMs = 60_000;

/** More stops of the Tab key than a page has. */
const tabsAtMost = 40;

/** The page of the lock panel that is in front, as a person sees it and presses its keys. */
export class LockPanelPage {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** VS Code shows a page in a frame within a frame. */
  get content(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** The frame itself, to run script in. Another one after each time that the panel was hidden. */
  async frame(): Promise<Frame> {
    const body = await this.content.locator('body').elementHandle();
    const frame = await body.ownerFrame();
    if (frame === null) throw new Error('The panel has no page.');
    return frame;
  }

  find(selector: string, text?: string | RegExp): Locator {
    return this.content.locator(selector, text === undefined ? {} : { hasText: text });
  }

  /** Waits until the page in front is that of this lock. @param texts parts of its path, cluster or kind */
  async seeLock(...texts: readonly string[]): Promise<void> {
    const line = texts.reduce((found, hasText) => found.filter({ hasText }), this.find('.lock .where'));
    await line.waitFor({ timeout: pageComesMs });
  }

  /** Waits until the lock's state is so. */
  async see(state: string): Promise<void> {
    await this.find(`.page[data-state='${state}']`).waitFor({ timeout: pageComesMs });
  }

  /** Waits until the page shows a moment of a recording. */
  async seeTimeBar(): Promise<void> {
    await this.find('.time-bar').waitFor({ timeout: pageComesMs });
  }

  /** Those that hold in the picture. */
  async holders(): Promise<string[]> {
    return this.find('.picture .node.is-holder .node-who').allTextContents();
  }

  /** A column of the table as it is on screen, from top to bottom. */
  async column(column: TableColumn): Promise<string[]> {
    return this.find(`.table [role=gridcell][data-column='${column}'] > span:first-child`).allTextContents();
  }

  /** Scrolls to the table and waits until its rows can be read: they are laid out in the frame after they have come into sight. */
  async scrollToTable(): Promise<void> {
    await this.find('.table').evaluate(table => table.scrollIntoView());
    await eventually(async () => {
      const unread = await this.find('.table [role=gridcell]').evaluateAll(
        cells =>
          cells.filter(cell => {
            const { top, bottom, width } = cell.getBoundingClientRect();
            const isInSight = width > 0 && top < window.innerHeight && bottom > 0;
            return isInSight && !cell.checkVisibility({ contentVisibilityAuto: true });
          }).length,
      );
      if (unread > 0) throw new Error(`${unread} cells of the table are in sight and not laid out.`);
    });
  }

  /** A figure of the timeline by its name. */
  async figure(name: string): Promise<string> {
    return this.find('.figure', name).locator('dd').innerText();
  }

  /** Presses Tab until the focus is there. */
  async tabTo(selector: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let press = 0; press < tabsAtMost; press++) {
      await this.page.keyboard.press(key);
      if (await this.hasFocus(selector)) return;
    }
    throw new Error(`The key ${key} does not lead to ${selector}.`);
  }

  async hasFocus(selector: string): Promise<boolean> {
    return (await this.find(`:is(${selector}):focus`).count()) > 0;
  }

  /** Text of the element that has the focus. */
  async focusedText(): Promise<string> {
    const frame = await this.frame();
    return frame.evaluate(() => document.activeElement?.textContent.trim() ?? '');
  }

  /** Chooses an entry of a row's menu by its first letters; the focus is on a cell or node. */
  async chooseByKeys(entry: string): Promise<void> {
    await this.page.keyboard.press('Enter');
    const item = this.find('.menu [role=menuitem]', entry);
    await item.waitFor();
    await eventually(async () => {
      if (await this.hasFocus(`.menu [role=menuitem]:text-is("${entry}")`)) return;
      await this.page.keyboard.press('ArrowDown');
      throw new Error(`The arrows do not lead to "${entry}".`);
    });
    await this.page.keyboard.press('Enter');
  }

  /** What axe-core holds against the page. Its script comes past the page's content policy. */
  async findings(): Promise<AxeFinding[]> {
    const frame = await this.frame();
    await frame.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const { violations } = await frame.evaluate<AxeResult>(
      `axe.run(document, { resultTypes: ['violations'], iframes: false })`,
    );
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact: impact ?? '',
      targets: nodes.map(({ target }) => target.join(' ')),
    }));
  }
}
