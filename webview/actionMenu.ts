import type { NodeIdentity, ShownContender } from '../src/protocol.ts';
import { element, setAttributes } from './dom.ts';
import { isThere, rememberPlace, whenHere } from './focus.ts';

export interface MenuEntry {
  text: string;
  isEnabled: boolean;
  isDangerous: boolean;
  choose(): void;
}

/** What shows a contender: a node of the picture or a row, which may show another one later. */
export interface MenuOwner {
  readonly element: Element;
  /** Absent before the first update. */
  readonly shown: (NodeIdentity & Pick<ShownContender, 'isUnread'>) | undefined;
}

/** Distance to the edges of the page, in CSS pixels. */
const margin = 4;

/** The keys that open a menu, as a click does. */
export function opensMenu({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'Enter' || key === ' ' || key === 'ContextMenu' || (key === 'F10' && shiftKey);
}

/** One menu for rows and nodes: arrows, Home, End, first letters; Escape and Tab close it and give the focus back. */
export class ActionMenu {
  readonly element = element('div', 'menu');
  #anchor: Element | undefined;
  #giveFocusBack = rememberPlace(null);
  #isCurrent = (): boolean => false;
  readonly #onOutside = (event: Event): void => {
    // The window itself, which loses the focus to the editor, is no node.
    if (!(event.target instanceof Node && this.element.contains(event.target))) this.close();
  };
  /** The page may scroll by itself, where a text comes or goes above: the menu stays with what it belongs to. */
  readonly #onScroll = (event: Event): void => {
    if (event.target instanceof Node && this.element.contains(event.target)) return;
    const place = this.#anchor?.getBoundingClientRect();
    if (place === undefined || place.bottom < 0 || place.top > window.innerHeight) this.close();
    else this.#place(place);
  };

  constructor() {
    setAttributes(this.element, { role: 'menu' });
    this.element.hidden = true;
    this.element.addEventListener('keydown', event => this.#press(event));
  }

  /** Opens below `anchor`, a part of its owner that gets the focus back, or where there is room. */
  open(label: string, entries: readonly MenuEntry[], owner: MenuOwner, anchor: Element): void {
    this.close();
    const { name, czxid } = owner.shown ?? {};
    this.#isCurrent = () => isThere(owner.element) && owner.shown?.name === name && owner.shown?.czxid === czxid;
    this.#giveFocusBack = rememberPlace(anchor);
    this.#anchor = anchor;
    setAttributes(this.element, { 'aria-label': label });
    this.element.replaceChildren(...entries.map(entry => this.#entry(entry)));
    this.element.hidden = false;
    this.#place(anchor.getBoundingClientRect());
    this.#buttons()[0]?.focus({ preventScroll: true });
    document.addEventListener('pointerdown', this.#onOutside, true);
    window.addEventListener('scroll', this.#onScroll, true);
    window.addEventListener('blur', this.#onOutside);
  }

  /** After the page was changed: what is offered for one contender must not stand at another. */
  settle(): void {
    if (!this.#isCurrent()) this.close();
  }

  close(): void {
    if (this.element.hidden) return;
    const hadFocus = this.element.contains(document.activeElement);
    const isHere = document.hasFocus();
    this.element.hidden = true;
    document.removeEventListener('pointerdown', this.#onOutside, true);
    window.removeEventListener('scroll', this.#onScroll, true);
    window.removeEventListener('blur', this.#onOutside);
    if (hadFocus) whenHere(isHere, this.#giveFocusBack);
    this.#anchor = undefined;
  }

  #entry(entry: MenuEntry): HTMLElement {
    const button = element('button', entry.isDangerous ? 'menu-entry is-dangerous' : 'menu-entry', entry.text);
    button.type = 'button';
    setAttributes(button, {
      role: 'menuitem',
      tabindex: -1,
      'aria-disabled': entry.isEnabled ? undefined : 'true',
    });
    button.addEventListener('click', () => {
      if (!entry.isEnabled) return;
      this.close();
      entry.choose();
    });
    return button;
  }

  #place(anchor: DOMRect): void {
    const { width, height } = this.element.getBoundingClientRect();
    const below = anchor.bottom + margin;
    const fitsBelow = below + height <= window.innerHeight;
    const top = fitsBelow ? below : anchor.top - margin - height;
    this.element.style.left = `${Math.max(margin, Math.min(anchor.left, window.innerWidth - width - margin))}px`;
    this.element.style.top = `${Math.max(margin, Math.min(top, window.innerHeight - height - margin))}px`;
  }

  #buttons(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }

  #press(event: KeyboardEvent): void {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      this.close();
      return;
    }
    const buttons = this.#buttons();
    const current = buttons.findIndex(button => button === document.activeElement);
    const next = nextEntry(
      buttons.map(button => button.textContent),
      current,
      event.key,
    );
    if (next === undefined) return;
    event.preventDefault();
    buttons[next]?.focus();
  }
}

function nextEntry(texts: readonly string[], current: number, key: string): number | undefined {
  const last = texts.length - 1;
  switch (key) {
    case 'ArrowDown':
      return current === last ? 0 : current + 1;
    case 'ArrowUp':
      return current <= 0 ? last : current - 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return startingWith(texts, current, key);
  }
}

function startingWith(texts: readonly string[], current: number, letter: string): number | undefined {
  if (letter.length !== 1 || letter === ' ') return undefined;
  const order = texts.map((_, index) => (current + 1 + index) % texts.length);
  return order.find(index => texts[index]?.toLowerCase().startsWith(letter.toLowerCase()));
}
