import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/** A visible row of a tree view, as a person or a screen reader gets it. */
export interface TreeRow {
  label: string;
  description: string;
  ariaLabel: string;
  /** 1 is the top. */
  level: number;
  /** `undefined` for a row without children. */
  expanded: boolean | undefined;
}

const actionTimeoutMs = 10_000;
const menuTimeoutMs = 3_000;
/** VS Code scrolls its lists itself, and draws only rows that are in sight: the browser is not to move what is within them. */
const inSight = { scroll: 'none', timeout: actionTimeoutMs } as const;
const redrawnText = /The row has changed meanwhile|该行已发生变化/;

/** What isolates foreign text that is written from right to left. */
const isolates = /[\u2068\u2069]/gu;

/** Whether a row is meant: its label begins so, or it is the row of a lock at this path. */
function isCalled({ label, ariaLabel }: Pick<TreeRow, 'label' | 'ariaLabel'>, wanted: string): boolean {
  if (label.replaceAll(isolates, '').startsWith(wanted)) return true;
  return wanted.startsWith('/') && ariaLabel.replaceAll(isolates, '').includes(` ${wanted}`);
}

/** A row by its label, and the next one on screen. */
function rowAndBelow(
  rows: readonly TreeRow[],
  label: string,
): { row?: TreeRow | undefined; below?: TreeRow | undefined } {
  const at = rows.findIndex(row => isCalled(row, label));
  return at < 0 ? {} : { row: rows[at], below: rows[at + 1] };
}

/** One tree view of the side bar. Rows are found by the beginning of their label, locks also by their path. */
export class TreeView {
  private readonly page: Page;
  private readonly pane: Locator;

  constructor(page: Page, name: string) {
    this.page = page;
    this.pane = page.locator('.pane', { has: page.locator('.pane-header .title', { hasText: name }) });
  }

  /** What is on screen now, from top to bottom; rows out of sight are not there. */
  async rows(): Promise<TreeRow[]> {
    const found = await this.pane.locator('.monaco-list-row').evaluateAll(rows =>
      rows.map(row => ({
        top: row.getBoundingClientRect().top,
        label: row.querySelector('.label-name')?.textContent ?? '',
        description: row.querySelector('.label-description')?.textContent ?? '',
        ariaLabel: row.getAttribute('aria-label') ?? '',
        level: Number(row.getAttribute('aria-level')),
        expanded: row.getAttribute('aria-expanded'),
      })),
    );
    return found
      .sort((a, b) => a.top - b.top)
      .map(({ label, description, ariaLabel, level, expanded }) => ({
        label,
        description,
        ariaLabel,
        level,
        expanded: expanded === null ? undefined : expanded === 'true',
      }));
  }

  /** Waits until a row begins so. */
  async waitForRow(label: string, timeoutMs = actionTimeoutMs): Promise<TreeRow> {
    return eventually(async () => {
      const rows = await this.rows();
      const row = rows.find(candidate => isCalled(candidate, label));
      if (row === undefined) throw new Error(`No row "${label}" among: ${rows.map(one => one.label).join(' | ')}`);
      return row;
    }, timeoutMs);
  }

  /** Waits until a row has this label, or begins with it, and this description. */
  async seeRow(label: string | RegExp, description: RegExp, timeoutMs = 20_000): Promise<TreeRow> {
    const fits = (row: TreeRow): boolean => (typeof label === 'string' ? isCalled(row, label) : label.test(row.label));
    return eventually(async () => {
      const rows = await this.rows();
      const row = rows.find(candidate => fits(candidate) && description.test(candidate.description));
      if (row === undefined) {
        const texts = rows.map(one => `${one.label} — ${one.description}`);
        throw new Error(`No row ${String(label)} ${String(description)} among:\n${texts.join('\n')}`);
      }
      return row;
    }, timeoutMs);
  }

  /** Waits until the row has a child on screen. @returns the topmost */
  async firstChildOf(label: string): Promise<TreeRow> {
    return eventually(async () => {
      const rows = await this.rows();
      const { row, below } = rowAndBelow(rows, label);
      if (row === undefined || below === undefined || below.level <= row.level) {
        throw new Error(`"${label}" has no child among: ${rows.map(one => one.label).join(' | ')}`);
      }
      return below;
    });
  }

  async expand(label: string): Promise<void> {
    await this.setExpanded(label, true);
  }

  async collapse(label: string): Promise<void> {
    await this.setExpanded(label, false);
  }

  async select(label: string): Promise<void> {
    await (await this.uncoveredRow(label)).click(inSight);
  }

  /**
   * Presses an inline button of a row, by its title, again when the row was redrawn under the mouse.
   *
   * @param see waits for what the button does
   */
  async pressInline<T>(label: string, title: string, see: () => Promise<T>): Promise<T> {
    return this.untilKnown(() => eventually(() => this.pressOnce(label, title), 3 * actionTimeoutMs), see);
  }

  /**
   * Opens the row's context menu and chooses an entry.
   *
   * @param see waits for what the entry does
   */
  async chooseFromMenu<T>(label: string, entry: string, see: () => Promise<T>): Promise<T> {
    return this.untilKnown(() => this.inMenu(label, () => this.clickInMenu(entry)), see);
  }

  /**
   * Opens the row's context menu and chooses an entry of one of its submenus.
   *
   * @param see waits for what the entry does
   */
  async chooseFromSubmenu<T>(label: string, submenu: string, entry: string, see: () => Promise<T>): Promise<T> {
    const choose = async (): Promise<void> => {
      await this.page
        .locator('.monaco-menu .action-item', { hasText: submenu })
        .first()
        .hover({ timeout: menuTimeoutMs });
      await this.page.locator('.monaco-submenu .action-item').first().waitFor({ timeout: menuTimeoutMs });
      await this.clickInMenu(entry);
    };
    return this.untilKnown(() => this.inMenu(label, choose), see);
  }

  /** @returns the entries of the row's context menu, and closes it */
  async menu(label: string): Promise<string[]> {
    return this.inMenu(label, async () => {
      const entries = await this.page.locator('.monaco-menu .action-label').allTextContents();
      await this.page.keyboard.press('Escape');
      return entries.map(entry => entry.trim()).filter(entry => entry !== '');
    });
  }

  /** The text of the hover over a row. */
  async tooltip(label: string): Promise<string> {
    const hover = this.page.locator('.monaco-hover:not(.hidden) .hover-contents').first();
    // A row that is drawn again, or a notification that comes up, takes the hover away: only a mouse that comes in brings it back.
    return eventually(async () => {
      const row = await this.uncoveredRow(label);
      await row.locator('.label-name').hover(inSight);
      return hover.innerText({ timeout: 3_000 });
    }, 3 * actionTimeoutMs);
  }

  /** Presses a button in the title of the view, by its title. */
  async pressTitleButton(title: string): Promise<void> {
    // A container with one view shows that view's buttons in its own title.
    const merged = this.page.locator(`.sidebar .composite.title .action-label[aria-label^="${title}"]`);
    const own = this.pane.locator(`.pane-header .action-label[aria-label^="${title}"]`);
    await merged.or(own).first().click({ timeout: actionTimeoutMs });
  }

  /** Text and buttons of an empty view. */
  async welcomeText(): Promise<string> {
    return this.pane.locator('.welcome-view-content').innerText({ timeout: actionTimeoutMs });
  }

  async pressWelcomeButton(title: string): Promise<void> {
    await this.pane.locator('.welcome-view-content .monaco-button', { hasText: title }).click();
  }

  /** Acts on a row, again when the extension asks for that: VS Code does not know a row while it is redrawn. */
  private async untilKnown<T>(act: () => Promise<void>, see: () => Promise<T>): Promise<T> {
    const message = this.page.locator('.notifications-toasts .notification-list-item', { hasText: redrawnText });
    for (;;) {
      await act();
      const redrawn = message.waitFor({ timeout: 6 * actionTimeoutMs }).then(() => undefined);
      const seen = await Promise.race([see().then(value => ({ value })), redrawn]);
      if (seen !== undefined) return seen.value;
      await message.hover();
      await message.locator('.codicon-notifications-clear').click();
      // While it fades out it would count as the answer to the next attempt.
      await message.waitFor({ state: 'detached', timeout: actionTimeoutMs });
    }
  }

  /** @throws when the click did not reach the button: a row that is redrawn between mouse down and up swallows it */
  private async pressOnce(label: string, title: string): Promise<void> {
    const button = `.actions .action-label[aria-label^="${title}"]`;
    await this.page.evaluate(pressed => {
      delete document.body.dataset['pressed'];
      const note = ({ target }: MouseEvent): void => {
        const isPressed = target instanceof Element && target.closest(pressed) !== null;
        document.body.dataset['pressed'] = String(isPressed);
      };
      document.addEventListener('click', note, { capture: true, once: true });
    }, button);
    const row = await this.uncoveredRow(label);
    await row.hover(inSight);
    await row.locator(button).click({ ...inSight, timeout: menuTimeoutMs });
    const isPressed = await this.page.evaluate(() => document.body.dataset['pressed']);
    if (isPressed !== 'true') throw new Error(`The click did not reach "${title}" of "${label}".`);
  }

  /** Whatever changes the layout or takes the focus, such as a banner that appears, closes a menu: it is opened again. */
  private async inMenu<T>(label: string, use: () => Promise<T>): Promise<T> {
    return eventually(async () => {
      await (await this.uncoveredRow(label)).click({ ...inSight, button: 'right' });
      try {
        await this.page.locator('.monaco-menu .action-item').first().waitFor({ timeout: menuTimeoutMs });
        return await use();
      } catch (error) {
        await this.page.keyboard.press('Escape');
        throw error;
      }
    }, 2 * actionTimeoutMs);
  }

  /** VS Code ignores a click that follows the opening of a menu at once: it clicks until the menu is gone. */
  private async clickInMenu(entry: string): Promise<void> {
    const item = this.page.locator('.monaco-menu .action-item', { hasText: entry }).last();
    let isClicked = false;
    await eventually(async () => {
      if (isClicked && !(await item.isVisible())) return;
      await item.click({ timeout: 1_000 });
      isClicked = true;
      throw new Error(`"${entry}" was not chosen.`);
    }, menuTimeoutMs);
  }

  private async setExpanded(label: string, expanded: boolean): Promise<void> {
    const changed = async (): Promise<void> => {
      const { row, below } = rowAndBelow(await this.rows(), label);
      if (row?.expanded !== expanded) throw new Error(`"${label}" did not change.`);
      // The last row on screen may have its children below.
      if (expanded && below !== undefined && below.level <= row.level) throw new Error(`"${label}" has no children.`);
    };
    // A row that is drawn again just then does not hear the click, or is closed by it: the tree of VS Code draws rows as they were
    // when it asked for them (`stale` in asyncDataTree.ts).
    await eventually(async () => {
      if ((await this.waitForRow(label)).expanded !== expanded) {
        const row = await this.uncoveredRow(label);
        await row.locator('.monaco-tl-twistie').click(inSight);
      }
      await eventually(changed, menuTimeoutMs);
    }, 2 * actionTimeoutMs);
  }

  /** The hover of the row on which the mouse rests covers the rows below: a mouse that leaves takes it away. */
  private async uncoveredRow(label: string): Promise<Locator> {
    await this.page.mouse.move(0, 0);
    return this.row(label);
  }

  private row(label: string): Locator {
    const beginning = new RegExp(`^${label.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`);
    const called = this.pane.locator('.monaco-list-row', {
      has: this.page.locator('.label-name', { hasText: beginning }),
    });
    if (!label.startsWith('/')) return called.first();
    return called.or(this.pane.locator(`.monaco-list-row[aria-label*=${JSON.stringify(` ${label}`)}]`)).first();
  }
}
