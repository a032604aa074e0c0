/** What the Tab key leads to. */
const stops = 'vscode-button, vscode-text-field, [tabindex="0"]';

/** Whether an element can be seen and reached at all. */
export function isThere(target: Element): boolean {
  return target.isConnected && target.closest('[hidden]') === null;
}

/**
 * Remembers where `target` stands. The result gives it the focus; if it is no longer there, the stop of the Tab key before it
 * in its own toolbar or list, else the first one there, else the same further out: who works by keyboard goes on from there,
 * not from the beginning of the document.
 */
export function rememberPlace(target: Element | null): () => void {
  const path: Element[] = [];
  for (let at = target; at !== null; at = at.parentElement) path.push(at);
  return () => {
    const stop = path[0] !== undefined && isThere(path[0]) ? path[0] : nearestStop(path);
    if (stop instanceof HTMLElement || stop instanceof SVGElement) stop.focus({ preventScroll: true });
  };
}

/** `path`: an element and all that it stood in, from the inside. */
function nearestStop(path: readonly Element[]): Element | undefined {
  for (const [index, part] of path.entries()) {
    const found = [...(path[index + 1]?.querySelectorAll(stops) ?? [])].filter(isThere);
    const before = found.findLast(stop => (part.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING) > 0);
    if (found.length > 0) return before ?? found[0];
  }
  return undefined;
}

/** Runs `change`, which may hide or remove what has the focus. A page that had no focus takes none. */
export function keepFocus(change: () => void): void {
  const focused = document.activeElement;
  const giveBack = rememberPlace(focused);
  change();
  const now = document.activeElement;
  if (focused !== document.body && (now === null || now === document.body || !isThere(now))) giveBack();
}
