import { element, setText } from './dom.ts';

/** A screen reader needs seconds for a sentence; a busy lock changes ten times in each of them. */
const quietMs = 5_000;

/** A polite live region that speaks at most once in `quietMs`; of what comes in between the last is said. */
export class Announcer {
  readonly element = element('p', 'visually-hidden');
  #next: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.element.setAttribute('role', 'status');
    this.element.setAttribute('aria-live', 'polite');
  }

  say(text: string): void {
    this.#next = text;
    if (this.#timer === undefined) this.#speak();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #speak(): void {
    this.#timer = undefined;
    if (this.#next === undefined) return;
    setText(this.element, this.#next);
    this.#next = undefined;
    this.#timer = setTimeout(() => this.#speak(), quietMs);
  }
}
