import type { SessionState } from '../../src/sessionProtocol.ts';
import { element } from '../dom.ts';
import { hasKeyboard } from '../focus.ts';

/** What the page does with each of its parts. */
export interface StatePart {
  readonly element: HTMLElement;
  update(state: SessionState): void;
}

/**
 * A part of the page that is built again when what it shows differs: that happens a few times a second at most, and the part is short.
 * The link that had the keyboard has it afterwards: the one with its text, else the one at its place.
 */
export class RebuiltPart<T> implements StatePart {
  readonly element = element('div', 'part');
  readonly #pick: (state: SessionState) => T;
  readonly #build: (shown: T) => HTMLElement;
  #shown = '';

  /** @param pick what of the state it shows; `build` is called with it when it differs */
  constructor(pick: (state: SessionState) => T, build: (shown: T) => HTMLElement) {
    this.#pick = pick;
    this.#build = build;
  }

  update(state: SessionState): void {
    const picked = this.#pick(state);
    const shown = JSON.stringify(picked);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = hasKeyboard(this.element) ? this.#links().findIndex(each => each === document.activeElement) : -1;
    const text = this.#links()[focused]?.textContent;
    this.element.replaceChildren(this.#build(picked));
    if (focused < 0) return;
    const links = this.#links();
    const same = links[focused]?.textContent === text ? links[focused] : links.find(each => each.textContent === text);
    (same ?? links[Math.min(focused, links.length - 1)])?.focus({ preventScroll: true });
  }

  #links(): HTMLElement[] {
    return [...this.element.querySelectorAll('button')];
  }
}
