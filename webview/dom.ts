/** Building and changing the document. Text goes in as text nodes only; nothing is written that already stands there. */

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Strings become text nodes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: (string | Node)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  if (className !== '') created.className = className;
  created.append(...children.filter(child => child !== ''));
  return created;
}

export function svgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  className = '',
  attributes: Attributes = {},
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const created = document.createElementNS(svgNamespace, tag);
  if (className !== '') created.setAttribute('class', className);
  setAttributes(created, attributes);
  created.append(...children);
  return created;
}

/** Replaces all of a node's content by text, if it differs. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Attribute names are written by us, never by a node of ZooKeeper. `undefined` removes the attribute. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) target.removeAttribute(name);
    else if (target.getAttribute(name) !== String(value)) target.setAttribute(name, String(value));
  }
}

/** Hides without forgetting; `hidden` also takes the element from assistive technology. */
export function setShown(target: HTMLElement, isShown: boolean): void {
  if (target.hidden === isShown) target.hidden = !isShown;
}

/** Adds and removes class names, each if its condition holds. */
export function setClasses(target: Element, classes: Readonly<Record<string, boolean>>): void {
  for (const [name, isOn] of Object.entries(classes)) {
    if (target.classList.contains(name) !== isOn) target.classList.toggle(name, isOn);
  }
}

/**
 * Calls `onWidth` with each new width of an element, in CSS pixels. Reading the width in an update would force a layout.
 *
 * @returns ends the watching
 */
export function watchWidth(target: Element, onWidth: (width: number) => void): () => void {
  let last = 0;
  const observer = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    if (width <= 0 || width === last) return;
    last = width;
    onWidth(width);
  });
  observer.observe(target);
  return () => observer.disconnect();
}
