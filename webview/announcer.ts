import { element, setAttributes, setText } from './dom.ts';

/** A screen reader needs seconds for a sentence; a busy lock changes ten times in each of them. */
const quietMs = 5_000;

/** What a screen reader is told: how the lock stands, and what the person's own doing led to. */
export class Announcer {
  readonly element = element('div');
  readonly #changes = politeRegion();
  readonly #answers = politeRegion();
  #next: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.element.append(this.#changes, this.#answers);
  }

  /** How the lock stands: spoken at most once in `quietMs`; of what comes in between the last is said. */
  say(text: string): void {
    this.#next = text;
    if (this.#timer === undefined) this.#speak();
  }

  /** What came of a wish: at once, and in a region of its own, so that no change of a busy lock takes its place. */
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
