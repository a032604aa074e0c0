import type { Intent, PanelSnapshot, PanelStatus, PanelView, Warning } from '../src/protocol.ts';
import { answerText } from './answerText.ts';
import { CardsView } from './cardsView.ts';
import { createButton } from './components.ts';
import { createBadge, createProgress } from './indicators.ts';
import { element, setAttributes, setShown, setText } from './dom.ts';
import { KeyedChildren, type KeyedChild } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';

export interface HeaderActions {
  ask(intent: Intent): void;
  show(change: Partial<PanelView>): void;
  announce(text: string): void;
  answer(text: string): void;
}

/** Which lock this is, who holds it, who is next, and what is wrong with it. */
export class HeaderView {
  readonly element = element('header', 'lock');
  readonly #texts: PageTexts;
  readonly #actions: HeaderActions;
  readonly #name = element('h1');
  readonly #production: HTMLElement;
  readonly #readOnly: HTMLElement;
  readonly #path = element('code', 'path');
  readonly #origin = element('span', 'origin');
  readonly #ring: HTMLElement;
  readonly #status = element('span', 'status-text');
  readonly #line = element('p', 'status');
  readonly #answer = element('p', 'answer');
  readonly #cards: CardsView;
  readonly #connect: HTMLElement;
  readonly #reconnect: HTMLElement;
  readonly #openAgain: HTMLElement;
  readonly #explain: HTMLElement;
  readonly #explainPast: HTMLElement;
  readonly #outcome = element('p', 'outcome');
  readonly #list = element('ul', 'warnings');
  readonly #warnings: KeyedChildren<Warning, KeyedChild<Warning>>;
  #announced = '';
  #snapshot: PanelSnapshot | undefined;

  /** @param timeBar of a recording: above the answer, whose length differs from moment to moment */
  constructor(texts: PageTexts, timeBar: HTMLElement, actions: HeaderActions) {
    this.#texts = texts;
    this.#actions = actions;
    this.#production = createBadge(texts.page('mark.production'));
    this.#production.classList.add('is-production');
    this.#readOnly = createBadge(texts.page('mark.readOnly'));
    this.#ring = createProgress(texts.page('status.loading'));
    const connect = (): void => actions.ask({ kind: 'reconnect' });
    this.#connect = createButton(texts.page('status.connect'), connect);
    this.#reconnect = createButton(texts.page('status.reconnect'), connect);
    this.#openAgain = createButton(texts.page('status.openAgain'), connect);
    this.#explain = createButton(texts.page('status.explain'), () => actions.ask({ kind: 'explain' }));
    this.#explainPast = createButton(texts.page('status.explainPast'), () => actions.ask({ kind: 'explainPast' }));
    this.#cards = new CardsView(texts, intent => actions.ask(intent));
    this.#warnings = new KeyedChildren(this.#list, {
      key: ({ text, filter }) => `${filter ?? ''} ${text}`,
      create: warning => warningItem(warning, texts, actions),
    });
    const title = element('div', 'title', this.#name, this.#production, this.#readOnly, this.#line);
    const where = element('p', 'where', this.#path, this.#origin);
    const dot = element('span', 'status-dot');
    dot.setAttribute('aria-hidden', 'true');
    const buttons = [this.#connect, this.#reconnect, this.#openAgain, this.#explain, this.#explainPast];
    this.#line.append(this.#ring, dot, this.#status, ...buttons);
    this.element.append(title, where, timeBar, this.#answer, this.#outcome, this.#cards.element, this.#list);
    setShown(this.#outcome, false);
  }

  /** `now` by the clock of the snapshots, epoch ms. */
  update(snapshot: PanelSnapshot, now: number): void {
    const { lock, status } = snapshot;
    this.#snapshot = snapshot;
    setText(this.#name, lock.name);
    setText(this.#path, lock.path);
    setText(this.#origin, [lock.cluster, lock.dialect].filter(text => text !== '').join(' · '));
    setShown(this.#production, lock.isProduction);
    setShown(this.#readOnly, lock.isReadOnly);
    setAttributes(this.#line, { 'data-state': status.state });
    setText(this.#status, describeStatus(snapshot, this.#texts));
    setShown(this.#ring, status.state === 'loading');
    setText(this.#answer, showsQueue(status) ? answerText(snapshot, this.#texts, now) : '');
    setShown(this.#answer, showsQueue(status));
    setShown(this.#cards.element, showsQueue(status));
    this.#cards.update(snapshot, now);
    this.#showTools(snapshot);
    this.#warnings.update(lock.warnings);
    setShown(this.#list, lock.warnings.length > 0);
    this.#announceState(snapshot);
  }

  /** A recording needs no connection, and has a past to explain. */
  #showTools({ lock, status, time }: PanelSnapshot): void {
    const isListed = !lock.isRemoved;
    const isLive = time === undefined;
    setShown(this.#connect, isListed && isLive && status.state === 'unconnected');
    setShown(this.#reconnect, isListed && isLive && ['disconnected', 'failed', 'denied'].includes(status.state));
    setShown(this.#openAgain, 'canOpen' in status && status.canOpen === true);
    setShown(this.#explain, isListed && showsQueue(status));
    setShown(this.#explainPast, isListed && !isLive);
  }

  #announceState(snapshot: PanelSnapshot): void {
    const { lock, status, takenAt, time } = snapshot;
    // While it plays, a voice could not follow.
    if (time !== undefined && time.speed > 0) return;
    const answer = showsQueue(status) ? [answerText(snapshot, this.#texts)] : [];
    const warnings = lock.warnings.map(({ text }) => text);
    // How far files are read would be said at every per cent.
    const isLoading = status.state === 'loading';
    const standing = isLoading ? this.#texts.page('status.loading') : describeStatus(snapshot, this.#texts);
    const state = [standing, contactText(status, this.#texts, takenAt)];
    this.#announce([...state, ...answer, ...warnings].join(' '));
  }

  /** Ages go on without the host. */
  tick(now: number): void {
    if (this.#snapshot === undefined || !showsQueue(this.#snapshot.status)) return;
    setText(this.#answer, answerText(this.#snapshot, this.#texts, now));
    this.#cards.tick(now);
  }

  /** What came of the last intent; stays until the next one. */
  showOutcome(text: string, isFailure: boolean): void {
    setText(this.#outcome, text);
    this.#outcome.classList.toggle('is-failure', isFailure);
    setShown(this.#outcome, text !== '');
    if (text !== '') this.#actions.answer(text);
  }

  #announce(text: string): void {
    if (text === this.#announced) return;
    this.#announced = text;
    this.#actions.announce(text);
  }
}

/** With the way to the rows that it is about. */
function warningItem({ text, filter }: Warning, texts: PageTexts, actions: HeaderActions): KeyedChild<Warning> {
  const item = element('li', '', element('span', '', text));
  if (filter !== undefined) {
    const button = element('button', 'link', texts.page('warning.show'));
    button.type = 'button';
    button.addEventListener('click', () => actions.show({ filter, tableFrom: 0 }));
    item.append(' ', button);
  }
  return { element: item, update: () => undefined };
}

/** In the other states nothing was read, or there is nothing. */
export function showsQueue(status: PanelStatus): boolean {
  return ['live', 'recorded'].includes(status.state) || status.state === 'disconnected' || status.state === 'failed';
}

function causeOf(status: PanelStatus): string {
  return 'text' in status ? (status.text ?? '') : '';
}

/** The cause alone where there is one: that the queue is not current, and since when, says the answer below. */
function describeStatus({ status, time }: PanelSnapshot, texts: PageTexts): string {
  const isNone = status.state === 'empty' || status.state === 'gone';
  const isPast = time !== undefined && isNone;
  const general = texts.page(isPast ? `status.${status.state}Then` : `status.${status.state}`);
  const cause = causeOf(status);
  if (status.state === 'denied') return [general, cause].filter(part => part !== '').join(' ');
  if (cause !== '') return cause;
  return isNone && time?.isSure === false ? texts.page('answer.unsure', general) : general;
}

/** For the announcement, whose answer has no times. */
function contactText(status: PanelStatus, texts: PageTexts, now: number): string {
  const contact = status.state === 'disconnected' ? status.lastContact : undefined;
  return contact === undefined ? '' : texts.page('status.lastContact', texts.time(contact, now));
}
