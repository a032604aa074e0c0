import type { TimeBar } from '../src/historyProtocol.ts';
import { element, setAttributes, setClasses, svgElement } from './dom.ts';
import { KeyedChildren, type KeyedChild } from './keyedChildren.ts';
import { Paced } from './paced.ts';

/** At most ten moments a second while the slider is dragged. */
const moveEveryMs = 100;
/** For so long after the last key or drag the thumb stays where the user put it, ms: answers to earlier moves are on their way. */
const settleMs = 400;
/** The box in which the beginnings are drawn; the style sheet stretches it. */
const plot = { width: 120, height: 20 };

/** Shares of the whole time that keys move. */
const steps: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -0.005],
  ['ArrowDown', -0.005],
  ['ArrowRight', 0.005],
  ['ArrowUp', 0.005],
  ['PageDown', -0.1],
  ['PageUp', 0.1],
  ['Home', -Infinity],
  ['End', Infinity],
]);

export interface TimeSliderOptions {
  label: string;
  /** What a moment is called, for screen readers. @param at epoch ms */
  textOf(at: number): string;
  /** Called at most ten times a second, and for the last moment always. */
  moveTo(at: number): void;
  /** Called at once with each moment that the thumb is at. */
  onThumb(at: number): void;
}

/** The moment of a recording on a line of its whole time: where holds begin, and gaps hatched. */
export class TimeSlider {
  readonly element = element('div', 'time-slider');
  readonly #options: TimeSliderOptions;
  readonly #thumb = element('span', 'time-thumb');
  readonly #gaps: KeyedChildren<{ at: number; width: number }, KeyedChild<{ at: number; width: number }>>;
  readonly #starts = svgElement('path');
  readonly #moves: Paced<number>;
  #time: TimeBar | undefined;
  /** Where the user has put the thumb. */
  #own: number | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #dragging = false;

  constructor(options: TimeSliderOptions) {
    this.#options = options;
    this.#moves = new Paced(moveEveryMs, at => options.moveTo(at));
    const gaps = element('span', 'time-gaps');
    this.#gaps = new KeyedChildren(gaps, { key: ({ at }) => String(at), create: gapMark, recycle: true });
    const size = { viewBox: `0 0 ${plot.width} ${plot.height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' };
    const starts = svgElement('svg', 'time-starts', size, this.#starts);
    this.element.append(starts, element('span', 'time-track'), gaps, this.#thumb);
    setAttributes(this.element, { role: 'slider', tabindex: 0, 'aria-label': options.label });
    this.#listen();
  }

  /** Where the thumb is, epoch ms. */
  get at(): number {
    return this.#own ?? this.#time?.at ?? 0;
  }

  update(time: TimeBar): void {
    this.#time = time;
    const length = Math.max(1, time.to - time.from);
    setAttributes(this.element, { 'aria-valuemin': time.from, 'aria-valuemax': time.to });
    setAttributes(this.#starts, { d: startsPath(time.starts) });
    this.#gaps.update(
      time.gaps.map(({ from, to }) => ({ at: (from - time.from) / length, width: Math.max(0, to - from) / length })),
    );
    this.#place();
  }

  dispose(): void {
    clearTimeout(this.#settling);
    this.#moves.dispose();
  }

  #place(): void {
    const { at } = this;
    const time = this.#time;
    if (time === undefined) return;
    const share = Math.max(0, Math.min(1, (at - time.from) / Math.max(1, time.to - time.from)));
    this.#thumb.style.insetInlineStart = `${(share * 100).toFixed(3)}%`;
    setAttributes(this.element, { 'aria-valuenow': at, 'aria-valuetext': this.#options.textOf(at) });
    setClasses(this.element, { 'is-dragging': this.#dragging });
    this.#options.onThumb(at);
  }

  #move(at: number): void {
    const time = this.#time;
    if (time === undefined) return;
    this.#own = Math.round(Math.max(time.from, Math.min(time.to, at)));
    this.#moves.send(this.#own);
    this.#place();
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#settle(), settleMs);
  }

  #settle(): void {
    if (this.#dragging) return;
    this.#own = undefined;
    this.#place();
  }

  #listen(): void {
    this.element.addEventListener('keydown', event => this.#press(event));
    this.element.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.#dragging = true;
      this.element.setPointerCapture(event.pointerId);
      this.#point(event);
    });
    this.element.addEventListener('pointermove', event => {
      if (this.#dragging) this.#point(event);
    });
    const end = (): void => {
      this.#dragging = false;
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => this.#settle(), settleMs);
      this.#place();
    };
    this.element.addEventListener('pointerup', end);
    this.element.addEventListener('pointercancel', end);
  }

  #press(event: KeyboardEvent): void {
    const step = steps.get(event.key);
    const time = this.#time;
    if (step === undefined || time === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    // With Shift by seconds, whatever the length of the recording.
    const isFine = event.shiftKey && Number.isFinite(step);
    this.#move(this.at + (isFine ? Math.sign(step) * 1_000 : step * Math.max(1, time.to - time.from)));
  }

  #point({ clientX }: PointerEvent): void {
    const { left, width } = this.element.getBoundingClientRect();
    const time = this.#time;
    if (width > 0 && time !== undefined) this.#move(time.from + ((clientX - left) / width) * (time.to - time.from));
  }
}

function gapMark(): KeyedChild<{ at: number; width: number }> {
  const mark = element('span', 'time-gap');
  return {
    element: mark,
    update: ({ at, width }) => {
      mark.style.insetInlineStart = `${(at * 100).toFixed(3)}%`;
      mark.style.inlineSize = `${(width * 100).toFixed(3)}%`;
    },
  };
}

/** One column for each part of the time in which holds begin, higher for more of them; by roots, so that single ones show. */
function startsPath(starts: readonly number[]): string {
  const most = Math.sqrt(Math.max(1, ...starts));
  const width = plot.width / Math.max(1, starts.length);
  const columns = starts.map((count, index) => {
    if (count === 0) return '';
    const height = Math.max(3, (Math.sqrt(count) / most) * plot.height);
    const x = (index * width + width * 0.15).toFixed(2);
    return `M${x} ${plot.height}v${(-height).toFixed(2)}h${(width * 0.7).toFixed(2)}V${plot.height}z`;
  });
  return columns.join('');
}
