import { element } from './dom.ts';

/** A few words or a number on a coloured ground. */
export function createBadge(text: string): HTMLElement {
  return element('span', 'badge', text);
}

/** A ring that turns while something is read. Plain, as is the badge: the toolkit's would add 4 KB to the panel's script. */
export function createProgress(label: string): HTMLElement {
  const progress = element('span', 'progress');
  progress.setAttribute('role', 'progressbar');
  progress.setAttribute('aria-label', label);
  return progress;
}
