import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { FileDialog } from './fileDialog.ts';
import { openQuickInput } from './quickInput.ts';

const mostSteps = 40;

/** What the open quick input asks: title, placeholder and prompt. VS Code says more in its list. */
function askedIn(widget: Element): string {
  const texts = ['.quick-input-title', '.quick-input-message'].map(
    part => widget.querySelector(part)?.textContent ?? '',
  );
  return [...texts, widget.querySelector('.quick-input-box input')?.getAttribute('placeholder') ?? ''].join(' ');
}

/** VS Code used by the keyboard alone. */
export class Keyboard {
  private readonly page: Page;
  private readonly quickInput: Locator;
  private readonly field: Locator;
  private readonly focusedField: Locator;

  constructor(page: Page) {
    this.page = page;
    this.quickInput = openQuickInput(page);
    this.field = this.quickInput.locator('.quick-input-box input');
    this.focusedField = this.quickInput.locator('.quick-input-box input:focus');
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Runs a command of the palette by its whole title. A palette that loses the keyboard before Enter is opened again. */
  async run(title: string): Promise<void> {
    await eventually(async () => {
      await this.press('F1');
      try {
        await eventually(async () => expectFocus(await this.field.inputValue({ timeout: 500 }), '>'), 3_000);
        await this.page.keyboard.insertText(title);
        await this.focusOn(label => label === title, 5_000);
        await this.enterPalette();
      } catch (error) {
        await this.press('Escape');
        throw new Error(`The palette does not offer "${title}".`, { cause: error });
      }
    }, 20_000);
  }

  /** Replaces what is in the field of the question, and presses Enter. @param question a part of what it asks */
  async answer(question: string | RegExp, text: string): Promise<void> {
    await this.seeQuestion(question);
    await this.enter(text);
  }

  /** Goes to the choice with this label, and takes it. */
  async choose(question: string | RegExp, label: string | RegExp): Promise<void> {
    await this.seeQuestion(question);
    await this.focusOn(shown => (typeof label === 'string' ? shown.includes(label) : label.test(shown)));
    await this.press('Enter');
  }

  /** Takes what a question offers. */
  async accept(question: string | RegExp): Promise<void> {
    await this.seeQuestion(question);
    await this.press('Enter');
  }

  /**
   * Answers every question of a series until its effect is seen: with these texts where one fits, else with what it offers.
   *
   * @param answers texts, each followed by Enter, by what the question asks
   */
  async answerAll(answers: readonly [RegExp, readonly string[]][], see: () => Promise<unknown>): Promise<void> {
    let answered = '';
    await eventually(async () => {
      const asked = await this.question();
      if (asked !== '' && asked !== answered) {
        answered = asked;
        const texts = answers.find(([question]) => question.test(asked))?.[1];
        for (const text of texts ?? []) await this.enter(text);
        if (texts?.length !== 1) await this.press('Enter');
      }
      await see();
    }, 40_000);
  }

  /** Writes a path into the file dialog, and presses Enter. @param see fails until the effect is seen */
  async answerFileDialog(path: string, see: () => Promise<unknown>): Promise<void> {
    await new FileDialog(this.page).answer(path, () => this.press('Enter'), see);
  }

  /** Presses a button of the modal dialog. */
  async pressInDialog(question: RegExp, button: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box');
    await eventually(async () => {
      if (!question.test(await dialog.innerText({ timeout: 500 })))
        throw new Error('There is another dialog, or none.');
    }, 15_000);
    const focused = dialog.locator('.monaco-button:focus');
    for (let step = 0; step < mostSteps; step++) {
      if ((await focused.count()) > 0 && (await focused.innerText()) === button) {
        await this.press('Enter');
        return;
      }
      await this.press('Tab');
    }
    throw new Error(`Tab does not lead to "${button}".`);
  }

  /** Waits for a question that has the keyboard. @returns what it asks */
  async seeQuestion(question: string | RegExp): Promise<string> {
    const asked = await eventually(() => this.seeQuestionNow(question), 15_000);
    await this.focusedField.waitFor({ timeout: 5_000 });
    return asked;
  }

  /** @returns what is asked now @throws if that is another question */
  async seeQuestionNow(question: string | RegExp): Promise<string> {
    const asked = await this.question();
    if (typeof question === 'string' ? asked.includes(question) : question.test(asked)) return asked;
    throw new Error(`Not "${String(question)}" is asked but "${asked}".`);
  }

  /** What the open quick input asks; empty without one. Marks around foreign names are left out. */
  private async question(): Promise<string> {
    if ((await this.quickInput.count()) === 0) return '';
    const asked = await this.quickInput.evaluate(askedIn, undefined, { timeout: 500 }).catch(() => '');
    return asked.replaceAll(/[\u2066-\u2069]/g, '').trim();
  }

  /** Replaces what is in the field, presses Enter, and waits until it is taken. */
  private async enter(text: string): Promise<void> {
    await this.focusedField.waitFor({ timeout: 5_000 });
    await this.press('Control+a');
    await this.page.keyboard.insertText(text);
    await this.press('Enter');
    await eventually(async () => {
      const value = await this.field.inputValue({ timeout: 200 }).catch(() => '');
      if (value === text && text !== '') throw new Error(`"${text}" is not taken.`);
    }, 5_000);
  }

  /** @throws when a view had taken the keyboard, so that Enter did not reach the palette */
  private async enterPalette(): Promise<void> {
    await this.page.evaluate(() => {
      delete document.body.dataset['entered'];
      const note = ({ target }: KeyboardEvent): void => {
        document.body.dataset['entered'] = String((target as Element).closest('.quick-input-widget') !== null);
      };
      document.addEventListener('keydown', note, { capture: true, once: true });
    });
    await this.press('Enter');
    const entered = await this.page.evaluate(() => document.body.dataset['entered']);
    if (entered !== 'true') throw new Error('The palette has lost the keyboard.');
  }

  /** Waits until the list is drawn, and presses the arrow until its focus is on a label. */
  private async focusOn(fits: (label: string) => boolean, listWithinMs = 15_000): Promise<void> {
    await this.quickInput.locator('.quick-input-list .monaco-list-row').first().waitFor({ timeout: listWithinMs });
    const focused = this.quickInput.locator('.quick-input-list .monaco-list-row.focused .label-name').first();
    for (let step = 0; step < mostSteps; step++) {
      // Before the first arrow no line may have the focus.
      const label = await focused.innerText({ timeout: 1_000 }).catch(() => undefined);
      if (label === undefined && step > 1) break;
      if (label !== undefined && fits(label.replaceAll('\u00a0', ' '))) return;
      await this.press('ArrowDown');
    }
    throw new Error('The arrow does not lead to that choice.');
  }
}

function expectFocus(value: string, expected: string): void {
  if (value !== expected) throw new Error(`The field has "${value}".`);
}
