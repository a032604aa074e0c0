import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { LockPanelPage, pageComesMs } from './lockPanelPage.ts';

/** Sections of a session page, by the id of their landmark. */
type Section = 'if-ended' | 'sessions-found' | 'holds-and-waits' | 'who-waits' | 'facts-known' | 'watches' | 'past';

/** The page of a session, an address or an identifier that is in front. */
export class SessionPage extends LockPanelPage {
  /** Waits until this page is in front, e.g. `Session 0x1`. */
  async seeTitle(title: string): Promise<void> {
    await this.find('.session-page h1', title).waitFor({ timeout: pageComesMs });
  }

  /** Waits until a section says so. @returns all that it says */
  async seeIn(section: Section, text: RegExp): Promise<string> {
    return eventually(async () => {
      const shown = await this.find(`#${section}`).innerText({ timeout: 1_000 });
      expect(shown).toMatch(text);
      return shown;
    }, 20_000);
  }

  /** Waits until the sentence at the top, or the line above it, is so. */
  async seeAtTop(text: RegExp, withinMs = 20_000): Promise<void> {
    await eventually(
      async () => expect(await this.find('.session-page > header').innerText({ timeout: 1_000 })).toMatch(text),
      withinMs,
    );
  }

  /** The rows of a table, each as one line. */
  async rowsOf(section: Section): Promise<string[]> {
    const rows = await this.find(`#${section} tbody tr`).allInnerTexts();
    return rows.map(row => row.replaceAll(/\s+/gu, ' ').trim());
  }

  /** Moves the focus within the picture until it is on a node with this text, from the one that Tab leads to. */
  async goToNode(text: RegExp): Promise<void> {
    await this.tabTo('.graph .node');
    await eventually(async () => {
      if (text.test(await this.focusedText())) return;
      await this.find('.graph .node:focus').press('ArrowRight');
      throw new Error(`The arrow does not lead to ${String(text)}.`);
    }, 10_000);
  }
}
