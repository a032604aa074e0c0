import { endCauses, type Hold, type Wait } from '../src/historyProtocol.ts';
import { element, setShown, svgElement } from './dom.ts';
import { KeyedChildren, type KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';

/** Why a hold or a wait ended. */
export type Ended = NonNullable<(Hold | Wait)['ended']>;
const all: readonly Ended[] = ['held', ...endCauses];

/** Lines in a box of 16 pixels; shape and words say it, the colour only repeats it. */
const shapes: Readonly<Record<Ended, string>> = {
  held: 'M3 8h9M8.5 4l4 4-4 4',
  released: 'M3 8.5l3.5 3.5L13 4.5',
  'session closed': 'M3.5 3.5h9v9h-9z',
  'session expired': 'M4 2.5h8M4 13.5h8M5 2.5c0 4.5 6 6.5 6 11M11 2.5c0 4.5-6 6.5-6 11',
  'session ended': 'M3.5 3.5h9v9h-9zM5.5 8h5',
  'deleted by another session': 'M4 4l8 8M12 4l-8 8',
  overtaken: 'M3.5 4l4 4-4 4M8.5 4l4 4-4 4',
  unknown: 'M5.5 6a2.5 2.5 0 1 1 3.8 2.1c-.9.6-1.3 1-1.3 1.9M8 12.6v.2',
};

/** One class for each cause; the style sheet colours it. */
const classes: Readonly<Record<Ended, string>> = {
  held: 'ended-held',
  released: 'ended-released',
  'session closed': 'ended-closed',
  'session expired': 'ended-expired',
  'session ended': 'ended-closed',
  'deleted by another session': 'ended-deleted',
  overtaken: 'ended-overtaken',
  unknown: 'ended-unknown',
};

/** Class names, of which the one of the cause is on. */
export function causeClasses(ended: Ended | undefined): Record<string, boolean> {
  return Object.fromEntries(
    all.map(cause => [classes[cause], ended !== undefined && classes[cause] === classes[ended]]),
  );
}

/** 12 by 12 pixels, for SVG and HTML alike. */
export function causeIcon(ended: Ended): SVGElement {
  const size = { viewBox: '0 0 16 16', width: 12, height: 12, 'aria-hidden': 'true' };
  return svgElement('svg', `cause-icon ${classes[ended]}`, size, svgElement('path', '', { d: shapes[ended] }));
}

/** Why it ended, and by whom its node was deleted. */
export function causeText({ ended, endedBy }: { ended: Ended; endedBy: string | undefined }, texts: PageTexts): string {
  const isKnown = ended === 'deleted by another session' && endedBy !== undefined;
  return isKnown ? texts.page('cause.deletedBy', endedBy) : texts.page(`cause.${ended}`);
}

/** The signs of the causes that can be seen, with their words. */
export class CauseLegend {
  readonly element = element('ul', 'causes');
  readonly #items: KeyedChildren<Ended, KeyedChild<Ended>>;

  constructor(texts: PageTexts) {
    this.element.setAttribute('aria-label', texts.page('cause.legend'));
    this.#items = new KeyedChildren(this.element, {
      key: cause => cause,
      create: cause => ({
        element: element('li', `cause ${classes[cause]}`, causeIcon(cause), texts.page(`cause.${cause}`)),
        update: () => undefined,
      }),
    });
  }

  update(shown: ReadonlySet<Ended>): void {
    this.#items.update(all.filter(cause => shown.has(cause)));
    setShown(this.element, shown.size > 0);
  }
}
