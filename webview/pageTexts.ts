import {
  agedText,
  ageParts,
  boundParts,
  timeFormat,
  type AgeBound,
  type AgedRow,
  type PageText,
} from '../src/panelTexts.ts';
import type { ContenderKind } from '../src/historyProtocol.ts';
import type { Mark, PanelTexts, PictureContender, TableColumn } from '../src/protocol.ts';

const second = 1_000;

/** More positions than a picture has. */
const countsKept = 1_000;

/** The fixed texts in the editor's language, with its format of numbers and times of day. */
export class PageTexts {
  readonly #texts: PanelTexts;
  readonly #parts = new Map<PageText, string[]>();
  readonly #counts = new Map<number, string>();
  readonly #numbers: Intl.NumberFormat;
  readonly #times: Intl.DateTimeFormat;
  readonly #dates: Intl.DateTimeFormat;

  /** `language` is a BCP 47 tag; one that the browser does not know means the browser's own. */
  constructor(texts: PanelTexts, language: string) {
    this.#texts = texts;
    const locale = knownLocale(language);
    this.#numbers = new Intl.NumberFormat(locale);
    this.#dates = new Intl.DateTimeFormat(locale);
    this.#times = new Intl.DateTimeFormat(locale, timeFormat);
  }

  /** The text with `{0}`, `{1}`, ... replaced once each; what is filled in is not looked at again. */
  page(key: PageText, ...args: (string | number)[]): string {
    const parts = this.#parts.get(key) ?? this.#split(key);
    // Text and places take turns.
    return parts.map((part, index) => (index % 2 === 0 ? part : this.#filled(part, args[Number(part)]))).join('');
  }

  #split(key: PageText): string[] {
    const parts = this.#texts.page[key].split(/\{(\d)\}/);
    this.#parts.set(key, parts);
    return parts;
  }

  #filled(place: string, arg: string | number | undefined): string {
    if (arg === undefined) return `{${place}}`;
    return typeof arg === 'number' ? this.count(arg) : arg;
  }

  column(column: TableColumn): string {
    return this.#texts.columns[column];
  }

  kind(kind: ContenderKind): string {
    return this.#texts.kinds[kind];
  }

  mark(mark: Mark): string {
    return this.#texts.marks[mark];
  }

  count(value: number): string {
    const known = this.#counts.get(value);
    if (known !== undefined) return known;
    const text = this.#numbers.format(value);
    // Positions come again and again in each update, and Intl is slow.
    if (value < countsKept) this.#counts.set(value, text);
    return text;
  }

  /** A moment as time of day, with the date if that is not today's. Both in epoch ms. */
  time(at: number, now: number): string {
    const time = this.#times.format(at);
    // Intl is slow, and a timeline has many moments.
    const isToday = new Date(at).toDateString() === new Date(now).toDateString();
    return isToday ? time : `${this.date(at)} ${time}`;
  }

  date(at: number): string {
    return this.#dates.format(at);
  }

  /** A span in ms in its two largest units, short ones with tenths; a negative one (clocks differ) counts as none. */
  span(ms: number): string {
    return ms >= second && ms < 10 * second ? this.page('span.s', Math.floor(ms / 100) / 10) : this.age(ms);
  }

  /** How long a contender has waited or held, short enough for a cell. @param now by the clock of the row, epoch ms */
  rowAge(row: AgedRow, now: number): string {
    return this.#aged(row, now, (ms, bound) => (bound === undefined ? this.age(ms) : this.#bound(ms, bound)));
  }

  /** The same to the second. */
  heldFor(row: AgedRow, now: number): string {
    return this.#aged(row, now, ms => this.age(ms));
  }

  #aged(row: AgedRow, now: number, age: (ms: number, bound?: AgeBound) => string): string {
    return agedText(row, now, age, (text, ...parts) => this.page(text, ...parts));
  }

  #bound(ms: number, bound: AgeBound): string {
    const { text, numbers } = boundParts(ms, bound);
    return this.page(text, ...numbers);
  }

  /** As `span`, for texts that change every second: no tenths. */
  age(ms: number): string {
    const { text, numbers } = ageParts(ms);
    return this.page(text, ...numbers);
  }
}

function knownLocale(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    // Not a tag at all: the browser's own language is the best guess.
    return undefined;
  }
}

/**
 * Everything that the picture says about a contender. Begins with what stands in the picture, in its order, so that who
 * works by voice can say what they see (WCAG 2.5.3).
 */
export function describeContender(contender: PictureContender, texts: PageTexts): string {
  const { waitsFor, ahead = waitsFor, isHolder, marks } = contender;
  return [
    texts.count(contender.position),
    contender.who,
    ...marks.map(mark => texts.mark(mark)),
    texts.kind(contender.kind),
    isHolder || ahead === undefined
      ? texts.page(isHolder ? 'mark.holder' : 'mark.waiter')
      : texts.page('queue.edge', ahead),
  ].join(', ');
}
