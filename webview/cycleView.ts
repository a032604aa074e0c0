import type { Cycle, CycleStep, NodeIdentity } from '../src/protocol.ts';
import { element, setAttributes, setClasses, setShown, setText } from './dom.ts';
import { RovingFocus, type FocusStop } from './focus.ts';
import { KeyedChildren, type KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import { deadlockClasses } from './pictureShapes.ts';

/** A step, and the lock that it waits for. */
interface LinkedStep extends CycleStep {
  next: string;
}

/** The deadlocks of the lock: each a circle of locks with who has them. A box leads to its lock; all are one stop of the Tab key. */
export class CycleView {
  readonly element = element('section', 'cycles');
  readonly #texts: PageTexts;
  readonly #title = element('h2');
  readonly #list = element('div');
  readonly #cycles: KeyedChildren<Cycle, CycleDrawing>;
  readonly #focus = new RovingFocus(this.#list);

  constructor(texts: PageTexts, open: (step: NodeIdentity) => void) {
    this.#texts = texts;
    this.#cycles = new KeyedChildren(this.#list, {
      key: ({ steps }) => steps.map(keyOf).join(),
      create: () => new CycleDrawing(texts, open),
    });
    this.element.append(this.#title, this.#list);
  }

  update(cycles: readonly Cycle[]): void {
    const [first] = cycles;
    setShown(this.element, first !== undefined);
    if (first !== undefined) {
      const title = this.#texts.page(`cycle.${first.level}`);
      setText(this.#title, title);
      setAttributes(this.element, { 'aria-label': title });
    }
    this.#focus.update(() => {
      this.#cycles.update(cycles);
      // One step may be part of several cycles.
      return this.#cycles.all().flatMap((cycle, at) => cycle.stops(`${at} `));
    });
  }
}

function keyOf({ name, czxid }: NodeIdentity): string {
  return `${czxid} ${name}`;
}

/** One circle: boxes in a line, and a line below that leads from the last back to the first. */
class CycleDrawing implements KeyedChild<Cycle> {
  readonly element = element('ol', 'cycle');
  readonly #texts: PageTexts;
  readonly #folded = element('li', 'note');
  readonly #steps: KeyedChildren<LinkedStep, StepBox>;

  constructor(texts: PageTexts, open: (step: NodeIdentity) => void) {
    this.#texts = texts;
    const list = this.element;
    this.#steps = new KeyedChildren(list, { key: keyOf, create: () => new StepBox(texts, open) });
  }

  stops(prefix: string): FocusStop[] {
    return this.#steps.all().map(({ key, button }) => ({ key: prefix + key, element: button }));
  }

  update({ level, steps, folded }: Cycle): void {
    setClasses(this.element, deadlockClasses(level));
    this.#folded.remove();
    this.#steps.update(steps.map((step, at) => ({ ...step, next: steps[(at + 1) % steps.length]?.lock ?? '' })));
    setText(this.#folded, this.#texts.page('cycle.folded', folded));
    if (folded > 0) this.element.append(this.#folded);
  }
}

/** Who has a lock, and which one. */
class StepBox implements KeyedChild<LinkedStep> {
  readonly element = element('li', 'cycle-step');
  readonly button = element('button', 'cycle-box');
  readonly #texts: PageTexts;
  readonly #who = element('span', 'cycle-who');
  readonly #lock = element('span', 'cycle-lock');
  #step: LinkedStep | undefined;

  constructor(texts: PageTexts, open: (step: NodeIdentity) => void) {
    this.#texts = texts;
    this.button.type = 'button';
    this.button.tabIndex = -1;
    this.button.append(this.#who, ' ', this.#lock);
    this.button.addEventListener('click', () => {
      if (this.#step !== undefined) open({ name: this.#step.name, czxid: this.#step.czxid });
    });
    const arrow = element('span', 'cycle-arrow', texts.page('cycle.waitsFor'), ' →');
    // The box says the same.
    arrow.setAttribute('aria-hidden', 'true');
    this.element.append(this.button, arrow);
  }

  get key(): string {
    return this.#step === undefined ? '' : keyOf(this.#step);
  }

  update(step: LinkedStep): void {
    this.#step = step;
    const has = this.#texts.page(step.isHolder ? 'cycle.holds' : 'cycle.waitsAhead', step.lock);
    const here = step.isHere ? ` (${this.#texts.page('cycle.here')})` : '';
    setText(this.#who, step.who);
    setText(this.#lock, has + here);
    setAttributes(this.button, {
      'aria-label': this.#texts.page('cycle.step', step.who, has + here, step.next),
      'aria-current': step.isHere ? 'true' : undefined,
    });
  }
}
