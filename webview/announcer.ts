import { element, setAttributes, setText } from './dom.ts';

/** A screen reader needs seconds for a sentence; a busy lock changes ten times in each of them. */
const quietMs = 5_000;

/** The live regions for screen readers: the state of the lock, and the outcome of the user's actions. */
export class Announcer {
  readonly element = element('div');
  readonly #changes = politeRegion();
  readonly #answers = politeRegion();
  #next: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.element.append(this.#changes, this.#answers);
  }

  /** The state of the lock: spoken at most once in `quietMs`; of the texts in between only the last one is spoken. */
  say(text: string): void {
    this.#next = text;
    if (this.#timer === undefined) this.#speak();
  }

  /** The outcome of an action: at once, and in a region of its own, so that changes of a busy lock do not replace it. */
  answer(text: string): void {
    // Written even if it is the same: the second "Copied." is about another cell.
    this.#answers.textContent = text;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #speak(): void {
    this.#timer = undefined;
    if (this.#next === undefined) return;
    setText(this.#changes, this.#next);
    this.#next = undefined;
    this.#timer = setTimeout(() => this.#speak(), quietMs);
  }
}

function politeRegion(): HTMLElement {
  const region = element('p', 'visually-hidden');
  setAttributes(region, { role: 'status', 'aria-live': 'polite' });
  return region;
}
