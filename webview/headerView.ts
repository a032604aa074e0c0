import type { Intent, PanelSnapshot, PanelStatus } from '../src/protocol.ts';
import { createBadge, createButton, createProgress } from './components.ts';
import { element, setAttributes, setShown, setText } from './dom.ts';
import { textItems } from './keyedChildren.ts';
import type { PageTexts } from './pageTexts.ts';

export interface HeaderActions {
  ask(intent: Intent): void;
  announce(text: string): void;
  answer(text: string): void;
}

/** Which lock this is, how it stands, and what is wrong with it. */
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
  readonly #summary = element('span', 'summary');
  readonly #reconnect: HTMLElement;
  readonly #explain: HTMLElement;
  readonly #outcome = element('p', 'outcome');
  readonly #list = element('ul', 'warnings');
  readonly #warnings = textItems(this.#list);
  #announced = '';

  constructor(texts: PageTexts, actions: HeaderActions) {
    this.#texts = texts;
    this.#actions = actions;
    this.#production = createBadge(texts.page('mark.production'));
    this.#production.classList.add('is-production');
    this.#readOnly = createBadge(texts.page('mark.readOnly'));
    this.#ring = createProgress(texts.page('status.loading'));
    this.#reconnect = createButton(texts.page('status.reconnect'), () => actions.ask({ kind: 'reconnect' }));
    this.#explain = createButton(texts.page('status.explain'), () => actions.ask({ kind: 'explain' }));
    const title = element('div', 'title', this.#name, this.#production, this.#readOnly);
    const where = element('p', 'where', this.#path, this.#origin);
    const dot = element('span', 'status-dot');
    dot.setAttribute('aria-hidden', 'true');
    this.#line.append(this.#ring, dot, this.#status, this.#summary, this.#reconnect, this.#explain);
    this.element.append(title, where, this.#line, this.#outcome, this.#list);
    setShown(this.#outcome, false);
  }

  update({ lock, status, totals, takenAt }: PanelSnapshot): void {
    setText(this.#name, lock.name);
    setText(this.#path, lock.path);
    setText(this.#origin, [lock.cluster, lock.dialect].filter(text => text !== '').join(' · '));
    setShown(this.#production, lock.isProduction);
    setShown(this.#readOnly, lock.isReadOnly);
    const statusText = describeStatus(status, this.#texts, takenAt);
    const summary = this.#texts.page('queue.summary', totals.contenders, totals.holders, totals.waiters);
    setAttributes(this.#line, { 'data-state': status.state });
    setText(this.#status, statusText);
    setText(this.#summary, summary);
    setShown(this.#ring, status.state === 'loading');
    setShown(this.#summary, showsQueue(status));
    setShown(this.#reconnect, !lock.isRemoved && ['disconnected', 'failed', 'denied'].includes(status.state));
    setShown(this.#explain, !lock.isRemoved && showsQueue(status));
    this.#warnings.update(lock.warnings);
    setShown(this.#list, lock.warnings.length > 0);
    this.#announce([statusText, ...(showsQueue(status) ? [summary] : []), ...lock.warnings].join(' '));
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

/** In the other states nothing was read, or there is nothing. */
export function showsQueue(status: PanelStatus): boolean {
  return status.state === 'live' || status.state === 'disconnected' || status.state === 'failed';
}

function describeStatus(status: PanelStatus, texts: PageTexts, now: number): string {
  const text = 'text' in status ? status.text : '';
  const contact = status.state === 'disconnected' ? status.lastContact : undefined;
  const since = contact === undefined ? '' : texts.page('status.lastContact', texts.time(contact, now));
  return [texts.page(`status.${status.state}`), text, since].filter(part => part !== '').join(' · ');
}
