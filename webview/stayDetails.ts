import { causeIcon, causeText } from './causes.ts';
import { createButton } from './components.ts';
import { element, setShown } from './dom.ts';
import { exactTime } from './instantText.ts';
import type { PageTexts } from './pageTexts.ts';
import type { Bar } from './timelineLayout.ts';

/** Everything that a recording says of the hold or wait that was chosen. */
export class StayDetails {
  readonly element = element('section', 'stay');
  readonly #texts: PageTexts;
  readonly #list = element('dl', 'stay-list');
  #shown = '';

  constructor(texts: PageTexts, onClose: () => void) {
    this.#texts = texts;
    this.element.setAttribute('aria-label', texts.page('detail.label'));
    this.element.append(this.#list, createButton(texts.page('detail.close'), onClose));
    setShown(this.element, false);
  }

  /** Builds nothing for what is shown already. */
  update(bar: Bar | undefined): void {
    setShown(this.element, bar !== undefined);
    const key = bar === undefined ? '' : JSON.stringify([bar.key, bar.hold]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#list.replaceChildren(...(bar === undefined ? [] : this.#rows(bar)));
  }

  #rows(bar: Bar): HTMLElement[] {
    const page = this.#texts.page.bind(this.#texts);
    const { who, kind, name, recorded, ended, endedBy } = bar.hold;
    return [
      row(page('detail.who'), `${who} · ${this.#texts.kind(kind)} · ${name}`),
      row(page('detail.session'), recorded?.session ?? ''),
      row(page('detail.queued'), recorded === undefined ? '' : exactTime(recorded.queued)),
      ...this.#spanRows(bar),
      row(page('detail.until'), this.#endText(bar)),
      row(
        page('detail.ended'),
        ...(ended === undefined ? [] : [causeIcon(ended), ' ', causeText({ ended, endedBy }, this.#texts)]),
      ),
    ].filter(found => found !== undefined);
  }

  #endText({ hold: { until, isEndUnseen } }: Bar): string {
    const page = this.#texts.page.bind(this.#texts);
    if (until === undefined) return page('detail.lasts');
    return isEndUnseen === true ? page('detail.orLater', exactTime(until)) : exactTime(until);
  }

  #spanRows({ hold: { from, until, isFromBefore, isEndUnseen }, isWait }: Bar): (HTMLElement | undefined)[] {
    const page = this.#texts.page.bind(this.#texts);
    const begun = exactTime(from);
    const span = until === undefined ? '' : this.#texts.span(until - from);
    const isLeast = isFromBefore || isEndUnseen === true;
    const least = isLeast && span !== '' ? page('detail.orLonger', span) : span;
    if (isWait) return [row(page('detail.waited'), least)];
    return [
      row(page('detail.held'), isFromBefore ? page('detail.orBefore', begun) : begun),
      row(page('detail.span'), least),
    ];
  }
}

/** A term and its value, which may be foreign text; without a value there is no row. */
function row(term: string, ...value: (string | Node)[]): HTMLElement | undefined {
  const filled = value.filter(part => part !== '');
  if (filled.length === 0) return undefined;
  return element('div', 'stay-row', element('dt', '', term), element('dd', '', ...filled));
}
