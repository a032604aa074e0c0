import { setAttributes } from './dom.ts';

export interface FocusStop {
  readonly key: string;
  readonly element: HTMLElement | SVGElement;
}

/** A page of PageUp and PageDown. */
const stride = 10;

/**
 * One stop of the Tab key for a list of elements; arrows, Home, End and the page keys move within it (WAI-ARIA's roving
 * tabindex). When the focused element goes away, the one that takes its place gets the focus, not the document.
 */
export class RovingFocus {
  readonly #container: Element;
  #stops: readonly FocusStop[] = [];
  #current = 0;
  #reachable: FocusStop['element'] | undefined;

  constructor(container: HTMLElement | SVGElement) {
    this.#container = container;
    container.addEventListener('keydown', event => {
      if (event instanceof KeyboardEvent) this.#press(event);
    });
    container.addEventListener('focusin', event => {
      const index = this.#stops.findIndex(stop => stop.element === event.target);
      if (index >= 0) this.#choose(index);
    });
  }

  /** The key of the element that the Tab key leads to. */
  get current(): string | undefined {
    return this.#stops[this.#current]?.key;
  }

  /** `change` alters the document and returns the stops that are there afterwards, in order. */
  update(change: () => readonly FocusStop[]): void {
    const hadFocus = this.#container.contains(document.activeElement);
    const key = this.current;
    this.#stops = change();
    const kept = this.#stops.findIndex(stop => stop.key === key);
    this.#choose(kept >= 0 ? kept : Math.max(0, Math.min(this.#current, this.#stops.length - 1)));
    if (hadFocus && !this.#container.contains(document.activeElement)) {
      this.#stops[this.#current]?.element.focus({ preventScroll: true });
    }
  }

  #choose(index: number): void {
    this.#current = index;
    const chosen = this.#stops[index]?.element;
    if (this.#reachable !== chosen && this.#reachable !== undefined) setAttributes(this.#reachable, { tabindex: -1 });
    if (chosen !== undefined) setAttributes(chosen, { tabindex: 0 });
    this.#reachable = chosen;
  }

  #press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = this.#target(event.key);
    const stop = target === undefined ? undefined : this.#stops[Math.max(0, Math.min(target, this.#stops.length - 1))];
    if (stop === undefined) return;
    event.preventDefault();
    stop.element.focus();
  }

  #target(key: string): number | undefined {
    return new Map([
      ['ArrowLeft', this.#current - 1],
      ['ArrowUp', this.#current - 1],
      ['ArrowRight', this.#current + 1],
      ['ArrowDown', this.#current + 1],
      ['PageUp', this.#current - stride],
      ['PageDown', this.#current + stride],
      ['Home', 0],
      ['End', this.#stops.length - 1],
    ]).get(key);
  }
}
