import type { DeadlockLevel, Mark } from '../src/protocol.ts';
import { element, svgElement } from './dom.ts';
import type { PageTexts } from './pageTexts.ts';

/** Lines in a box of 16 pixels; shape and words say it, the colour only repeats it. */
const triangle = 'M8 2 1.5 13.5h13ZM8 6.5v3.2M8 11.6v.1';
const circle = 'M13.5 7A5.6 5.6 0 0 0 3.4 4.6M2.5 9a5.6 5.6 0 0 0 10.1 2.4M3.2 1.6v3.2h3.2M12.8 14.4v-3.2H9.6';
const clock = 'M8 1.8a6.2 6.2 0 1 0 .01 0ZM8 4.6V8l2.4 1.6';
const flask = 'M5.8 2h4.4M6.8 2v4.2L3.2 13.5h9.6L9.2 6.2V2';
const shapes: Readonly<Record<Mark, string>> = {
  deadlocked: circle,
  maybeDeadlocked: circle,
  stale: triangle,
  looksStale: triangle,
  maybeStale: triangle,
  longHeld: clock,
  own: flask,
};

/** The deadlock that a contender is part of; the others' colours stay calm beside it. */
export function deadlockLevel(marks: readonly Mark[]): DeadlockLevel | undefined {
  if (marks.includes('deadlocked')) return 'lasting';
  return marks.includes('maybeDeadlocked') ? 'possible' : undefined;
}

/** Classes of what shows a contender. */
export function markClasses(marks: readonly Mark[]): Record<string, boolean> {
  return {
    'is-lasting': marks.includes('deadlocked'),
    'is-possible': marks.includes('maybeDeadlocked'),
    'is-stale': marks.includes('stale') || marks.includes('looksStale'),
    'is-own': marks.includes('own'),
  };
}

/** The marks of one contender, each an icon and its words. */
export class MarkList {
  readonly element = element('span', 'marks');
  readonly #texts: PageTexts;
  #shown = '';

  constructor(texts: PageTexts) {
    this.#texts = texts;
    this.element.hidden = true;
  }

  /** Builds nothing for marks that are shown already. */
  update(marks: readonly Mark[]): void {
    const key = marks.join();
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.hidden = marks.length === 0;
    this.element.replaceChildren(
      ...marks.map(mark => element('span', `mark mark-${mark}`, icon(shapes[mark]), this.#texts.mark(mark))),
    );
  }
}

function icon(path: string): SVGElement {
  const size = { viewBox: '0 0 16 16', width: 12, height: 12, 'aria-hidden': 'true' };
  return svgElement('svg', 'mark-icon', size, svgElement('path', '', { d: path }));
}
