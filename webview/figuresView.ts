import type { HistoryFigures, Quantiles } from '../src/protocol.ts';
import { element, setText } from './dom.ts';
import type { PageTexts } from './pageTexts.ts';

const names = ['handOvers', 'longestQueue', 'hold', 'wait', 'gap'] as const;

/** The figures of the history, as a list of terms and values. */
export class FiguresView {
  readonly element = element('dl', 'figures');
  readonly #texts: PageTexts;
  readonly #values = new Map<(typeof names)[number], HTMLElement>();

  constructor(texts: PageTexts) {
    this.#texts = texts;
    for (const name of names) {
      const value = element('dd');
      const figure = element('div', 'figure');
      figure.append(element('dt', '', texts.page(`figure.${name}`)), value);
      this.#values.set(name, value);
      this.element.append(figure);
    }
  }

  update(figures: HistoryFigures): void {
    for (const [name, value] of this.#values) {
      const figure = figures[name];
      setText(value, typeof figure === 'number' ? this.#texts.count(figure) : this.#spread(figure));
    }
  }

  #spread({ p50, p95, max }: Quantiles): string {
    if (p50 === undefined || p95 === undefined) return this.#texts.page('figure.none');
    const spans = [p50, p95].map(ms => this.#texts.span(ms));
    return max === undefined
      ? this.#texts.page('figure.spreadTwo', ...spans)
      : this.#texts.page('figure.spread', ...spans, this.#texts.span(max));
  }
}
