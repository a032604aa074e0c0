import { hasKeyboard } from './focus.ts';

/** One child of a list and how it takes a new value. */
export interface KeyedChild<T> {
  readonly element: Element;
  update(value: T): void;
}

export interface KeyedChildrenOptions<T, C extends KeyedChild<T>> {
  key(value: T): string;
  create(value: T): C;
  /** Elements that no value needs any more serve new values, in their order; only for children that keep nothing of their own. */
  recycle?: boolean;
}

/**
 * The children of an element that stand for a list of values: kept as long as their key is in the list, moved only if the
 * order of the survivors changed, so that focus, selection and hovering stay where they are. A focused child that had to
 * move gets the focus back. Elements of others may precede the list, not follow it.
 */
export class KeyedChildren<T, C extends KeyedChild<T>> {
  readonly #parent: Element;
  readonly #options: KeyedChildrenOptions<T, C>;
  #children = new Map<string, C>();

  constructor(parent: Element, options: KeyedChildrenOptions<T, C>) {
    this.#parent = parent;
    this.#options = options;
  }

  get(key: string): C | undefined {
    return this.#children.get(key);
  }

  /** In the order of the last update. */
  all(): C[] {
    return [...this.#children.values()];
  }

  /** Two values with one key: the later is left out, since one child cannot stand for both. */
  update(values: readonly T[]): void {
    const focused = document.activeElement;
    const hadFocus = hasKeyboard(this.#parent);
    const wanted = new Map(values.toReversed().map(value => [this.#options.key(value), value]));
    const spare = this.#dropUnwanted(wanted, focused);
    const next = new Map<string, C>();
    for (const value of values) {
      const key = this.#options.key(value);
      if (next.has(key)) continue;
      const child = this.#children.get(key) ?? spare.shift() ?? this.#options.create(value);
      child.update(value);
      next.set(key, child);
    }
    for (const child of spare) child.element.remove();
    this.#children = next;
    this.#arrange();
    if (hadFocus && isFocusable(focused) && focused !== document.activeElement && this.#parent.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }

  #dropUnwanted(wanted: ReadonlyMap<string, T>, focused: Element | null): C[] {
    const spare: C[] = [];
    for (const [key, child] of this.#children) {
      if (wanted.has(key)) continue;
      if (this.#options.recycle === true && !child.element.contains(focused)) spare.push(child);
      else child.element.remove();
    }
    return spare;
  }

  /** From the end, so that each one is put before one that already stands right. */
  #arrange(): void {
    let following: Element | null = null;
    for (const child of this.all().reverse()) {
      const isInPlace: boolean =
        child.element.parentNode === this.#parent && child.element.nextElementSibling === following;
      if (!isInPlace) this.#parent.insertBefore(child.element, following);
      following = child.element;
    }
  }
}

function isFocusable(target: Element | null): target is HTMLElement | SVGElement {
  return target instanceof HTMLElement || target instanceof SVGElement;
}
