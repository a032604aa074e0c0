import { playSpeeds, type TimeBar, type UnknownSpan } from '../src/historyProtocol.ts';
import type { Intent } from '../src/protocol.ts';
import { createButton, createTextField, setButtonEnabled, type TextField } from './components.ts';
import { element, setAttributes, setShown, setText } from './dom.ts';
import { endTexts, exactTime, readInstant } from './instantText.ts';
import { KeyedChildren, type KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';
import { TimeSlider } from './timeSlider.ts';

/** So many gaps have their words; the others are counted. */
const gapsInWords = 3;
/** A time with its day, or a zxid. */
const fieldLimit = 40;

export interface TimeBarActions {
  ask(intent: Intent): void;
  /** Says why nothing was done. */
  fail(text: string): void;
}

/** Which moment of a recording the page shows, and the ways to another one. */
export class TimeBarView {
  readonly element = element('section', 'time-bar');
  readonly #texts: PageTexts;
  readonly #actions: TimeBarActions;
  readonly #slider: TimeSlider;
  readonly #now = element('strong', 'time-now');
  readonly #zxid = element('span', 'time-zxid');
  readonly #from = element('span');
  readonly #to = element('span');
  readonly #play: HTMLElement;
  readonly #speed: HTMLSelectElement;
  readonly #follow: HTMLElement;
  readonly #field: TextField;
  readonly #sure = element('p', 'note');
  readonly #gapList = element('ul', 'time-gap-list');
  readonly #gaps: KeyedChildren<UnknownSpan, KeyedChild<UnknownSpan>>;
  readonly #moreGaps = element('p', 'note');
  #time: TimeBar | undefined;

  constructor(texts: PageTexts, actions: TimeBarActions) {
    this.#texts = texts;
    this.#actions = actions;
    const page = texts.page.bind(texts);
    this.#slider = new TimeSlider({
      label: page('time.label'),
      textOf: at => (at === this.#time?.at ? page('time.at', exactTime(at), this.#time.zxid) : exactTime(at)),
      moveTo: time => actions.ask({ kind: 'moveTo', to: { time } }),
      onThumb: at => this.#name(at),
    });
    this.#play = createButton(page('time.play'), () => this.#playOrPause());
    this.#speed = speedChoice(texts, () => {
      if (this.#time !== undefined && this.#time.speed > 0) this.#playAtSpeed();
    });
    this.#follow = createButton(page('time.follow'), () =>
      actions.ask({ kind: 'follow', isWanted: this.#time?.isFollowing !== true }),
    );
    const field = { label: page('time.field'), placeholder: page('time.fieldHint'), maxLength: fieldLimit };
    this.#field = createTextField(field, () => undefined);
    this.#field.element.classList.add('time-field');
    this.#field.element.addEventListener('keydown', event => {
      if (event.key === 'Enter') this.#go();
    });
    this.#gaps = new KeyedChildren(this.#gapList, {
      key: ({ from, to, why }) => `${from} ${to} ${why}`,
      create: () => gapItem(texts),
    });
    this.#assemble();
  }

  update(time: TimeBar): void {
    this.#time = time;
    this.#slider.update(time);
    const page = this.#texts.page.bind(this.#texts);
    const [from, to] = endTexts(time);
    setText(this.#from, from);
    setText(this.#to, to);
    setText(this.#play, page(time.speed > 0 ? 'time.pause' : 'time.play'));
    if (time.speed > 0) this.#speed.value = String(time.speed);
    setAttributes(this.#follow, { 'aria-pressed': String(time.isFollowing) });
    setShown(this.#follow, time.isFixed !== true);
    setButtonEnabled(this.#play, time.to > time.from);
    setShown(this.#sure, time.sureFrom > time.from);
    const isNeverSure = time.sureFrom >= time.to;
    setText(this.#sure, isNeverSure ? page('time.neverSure') : page('time.sureFrom', exactTime(time.sureFrom)));
    this.#gaps.update(time.gaps.slice(0, gapsInWords));
    setShown(this.#gapList, time.gaps.length > 0);
    setShown(this.#moreGaps, time.gaps.length > gapsInWords);
    setText(this.#moreGaps, page('time.moreGaps', time.gaps.length - gapsInWords));
  }

  dispose(): void {
    this.#slider.dispose();
  }

  #assemble(): void {
    const page = this.#texts.page.bind(this.#texts);
    const step = (text: string, what: 'hand-over' | 'session end', direction: 1 | -1): HTMLElement =>
      createButton(text, () => this.#actions.ask({ kind: 'step', what, direction }));
    const steps = element(
      'div',
      'toolbar',
      step(page('time.previousHold'), 'hand-over', -1),
      step(page('time.nextHold'), 'hand-over', 1),
      step(page('time.previousEnd'), 'session end', -1),
      step(page('time.nextEnd'), 'session end', 1),
    );
    const speed = element('label', 'time-speed', page('time.speed'), ' ', this.#speed);
    const player = element('div', 'toolbar', this.#play, speed, this.#follow);
    const go = createButton(page('time.go'), () => this.#go());
    const field = element('div', 'toolbar', this.#field.element, go);
    setAttributes(this.element, { 'aria-label': page('time.label') });
    this.element.append(
      element('p', 'time-moment', this.#now, ' ', this.#zxid),
      this.#slider.element,
      element('p', 'time-ends', this.#from, this.#to),
      element('div', 'time-tools', steps, player, field),
      this.#sure,
      this.#gapList,
      this.#moreGaps,
    );
  }

  /** The moment that the thumb is at; its transaction is known when the host has answered. */
  #name(at: number): void {
    setText(this.#now, exactTime(at));
    setText(this.#zxid, at === this.#time?.at ? this.#time.zxid : '…');
    const isTyping = this.#field.element.contains(document.activeElement);
    if (!isTyping) this.#field.setText(exactTime(at));
  }

  #playOrPause(): void {
    if (this.#time !== undefined && this.#time.speed > 0) this.#actions.ask({ kind: 'pause' });
    else this.#playAtSpeed();
  }

  #playAtSpeed(): void {
    const speed = playSpeeds.find(known => String(known) === this.#speed.value) ?? playSpeeds[0];
    this.#actions.ask({ kind: 'play', speed });
  }

  #go(): void {
    const to = readInstant(this.#field.text(), this.#slider.at);
    if (to === undefined) this.#actions.fail(this.#texts.page('time.unreadable'));
    else this.#actions.ask({ kind: 'moveTo', to });
  }
}

/** Plain: the toolkit's would add 9 KB to the script. */
function speedChoice(texts: PageTexts, onChange: () => void): HTMLSelectElement {
  const choice = element('select', 'time-choice');
  for (const speed of playSpeeds) {
    const option = element('option', '', `${texts.count(speed)}×`);
    option.value = String(speed);
    choice.append(option);
  }
  choice.value = '10';
  choice.addEventListener('change', onChange);
  return choice;
}

function gapItem(texts: PageTexts): KeyedChild<UnknownSpan> {
  const item = element('li');
  return {
    element: item,
    update: ({ from, to, why }) => setText(item, texts.page('time.gap', exactTime(from), exactTime(to), why)),
  };
}
