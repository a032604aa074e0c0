import type { Card, Intent, PanelSnapshot } from '../src/protocol.ts';
import { momentOf } from './answerText.ts';
import { element, setAttributes, setClasses, setShown, setText } from './dom.ts';
import { RovingFocus } from './focus.ts';
import { KeyedChildren, type KeyedChild } from './keyedChildren.ts';
import { markClasses, MarkList } from './marks.ts';
import type { PageTexts } from './pageTexts.ts';

/** A card as it stands on the page. */
interface PlacedCard {
  card: Card;
  /** What the contender is to the lock, in words. */
  role: string;
  /** Ages count to this moment, epoch ms; absent: it is not known. */
  at: number | undefined;
  /** By the clock of the snapshots, epoch ms. */
  now: number;
  lock: PanelSnapshot['lock'];
  /** It is of a recording: no server can be asked. */
  isRecorded: boolean;
}

/** The holders, and who is next: who, where, since when, and what to do. */
export class CardsView {
  readonly element = element('section', 'cards');
  readonly #texts: PageTexts;
  readonly #list = element('ul');
  readonly #more = element('p', 'note');
  readonly #cards: KeyedChildren<PlacedCard, CardView>;
  #snapshot: PanelSnapshot | undefined;

  constructor(texts: PageTexts, ask: (intent: Intent) => void) {
    this.#texts = texts;
    this.#cards = new KeyedChildren(this.#list, {
      key: ({ card }) => `${card.czxid} ${card.name}`,
      create: () => new CardView(texts, ask),
    });
    setAttributes(this.element, { 'aria-label': texts.page('card.label') });
    this.element.append(this.#list, this.#more);
  }

  /** `now` by the clock of the snapshots, epoch ms. */
  update(snapshot: PanelSnapshot, now: number): void {
    this.#snapshot = snapshot;
    const { answer, totals } = snapshot;
    this.tick(now);
    const more = totals.holders - answer.holders.length;
    setText(this.#more, this.#texts.page('card.more', more));
    setShown(this.#more, more > 0);
  }

  /** Ages go on without the host. */
  tick(now: number): void {
    if (this.#snapshot === undefined) return;
    const { answer, lock, status, time } = this.#snapshot;
    const isRecorded = time !== undefined;
    const at = momentOf(status, now);
    const placed = answer.holders.map(card => ({ card, role: this.#holderText(card), at, now, lock, isRecorded }));
    const next =
      answer.next?.card === undefined
        ? []
        : [{ card: answer.next.card, role: this.#nextText(), at, now, lock, isRecorded }];
    this.#cards.update([...placed, ...next]);
    setShown(this.#list, placed.length + next.length > 0);
  }

  #holderText({ kind }: Card): string {
    return this.#texts.page(kind === 'candidate' ? 'card.leads' : 'card.holds');
  }

  #nextText(): string {
    const next = this.#snapshot?.answer.next;
    const role = this.#texts.page(next?.succession === 'limit-unknown' ? 'card.nextProbably' : 'card.next');
    if (next?.others === 0) return role;
    return next?.others === undefined
      ? this.#texts.page('answer.withMany', role)
      : this.#texts.page('answer.withOthers', role, next.others);
  }
}

class CardView implements KeyedChild<PlacedCard> {
  readonly element = element('li', 'card');
  readonly #texts: PageTexts;
  readonly #role = element('span', 'card-role');
  readonly #kind = element('span', 'card-kind');
  readonly #who = element('strong', 'card-who');
  readonly #marks: MarkList;
  readonly #time = element('p');
  readonly #address = element('p', 'card-address');
  readonly #session = element('p', 'card-session');
  readonly #seen = element('span', 'card-seen');
  readonly #sessionName = element('span');
  readonly #tools = element('div', 'card-tools');
  readonly #focus = new RovingFocus(this.#tools);
  readonly #find: HTMLElement;
  readonly #show: HTMLElement;
  readonly #copy: HTMLElement;
  readonly #delete: HTMLElement;
  #card: Card | undefined;

  constructor(texts: PageTexts, ask: (intent: Intent) => void) {
    this.#texts = texts;
    this.#marks = new MarkList(texts);
    const tool = (text: string, intent: (card: Card) => Intent): HTMLElement =>
      cardTool(text, () => {
        if (this.#card !== undefined) ask(intent(this.#card));
      });
    this.#find = tool(texts.page('table.findOwners'), () => ({ kind: 'findOwners' }));
    this.#find.className = 'link';
    this.#show = tool(texts.page('row.showData'), ({ name, czxid }) => ({ kind: 'showNodeData', name, czxid }));
    this.#copy = tool(texts.page('card.copy'), ({ name, czxid }) => ({ kind: 'copy', part: 'row', name, czxid }));
    this.#delete = tool(texts.page('row.forceDelete'), ({ name, czxid }) => ({ kind: 'forceDelete', name, czxid }));
    this.#delete.classList.add('is-dangerous');
    this.#session.append(this.#sessionName, ' ', this.#seen);
    this.#tools.append(this.#find, this.#show, this.#copy, this.#delete);
    setAttributes(this.#tools, { role: 'toolbar' });
    const top = element('div', 'card-top', this.#role, ' ', this.#kind);
    this.element.append(top, this.#who, this.#marks.element, this.#time, this.#address, this.#session, this.#tools);
  }

  update({ card, role, at, now, lock, isRecorded }: PlacedCard): void {
    this.#card = card;
    const { isHolder, marks, who, address, isUnread } = card;
    setClasses(this.element, { 'is-holder': isHolder, 'is-next': !isHolder, ...markClasses(marks) });
    setText(this.#role, role);
    setText(this.#kind, `#${this.#texts.count(card.position)} · ${this.#texts.kind(card.kind)}`);
    setText(this.#who, who);
    this.#marks.update(marks);
    setText(this.#time, isUnread === true ? '' : timeText(card, at, now, this.#texts));
    setText(this.#address, address ?? '');
    this.#updateSession(card, now);
    setAttributes(this.#tools, { 'aria-label': `${this.#texts.page('row.actions')}: ${who}` });
    this.#updateTools(card, lock, isRecorded);
  }

  #updateSession({ session, seen }: Card, now: number): void {
    const seenAt = seen === undefined ? '' : this.#texts.time(seen.at, now);
    setText(this.#sessionName, this.#texts.page('card.session', session));
    setText(this.#seen, seen === undefined ? '' : this.#texts.page(seen.isAlive ? 'card.alive' : 'card.over', seenAt));
    setClasses(this.#seen, { 'is-over': seen?.isAlive === false });
  }

  /** Tools that cannot be used are not there: who works by keyboard goes past them. */
  #updateTools(
    { address, hasOwner, isUnread }: Card,
    { isRemoved, isReadOnly }: PanelSnapshot['lock'],
    isRecorded: boolean,
  ): void {
    setShown(this.#find, address === undefined && hasOwner && !isRemoved && !isRecorded);
    setShown(this.#show, !isRemoved);
    setShown(this.#delete, isUnread !== true && !isReadOnly && !isRemoved);
    const tools = { find: this.#find, show: this.#show, copy: this.#copy, delete: this.#delete };
    const stops = Object.entries(tools).map(([key, tool]) => ({ key, element: tool }));
    this.#focus.update(() => stops.filter(({ element: tool }) => !tool.hidden));
  }
}

function cardTool(text: string, onClick: () => void): HTMLElement {
  const button = element('button', 'card-tool', text);
  button.type = 'button';
  button.tabIndex = -1;
  button.addEventListener('click', onClick);
  return button;
}

/** For how long it holds or waits, and since when. */
function timeText(card: Card, at: number | undefined, now: number, texts: PageTexts): string {
  const { createdAt, heldSince, isHolder } = card;
  const begun = isHolder ? (heldSince ?? { earliest: createdAt }) : { earliest: createdAt, latest: createdAt };
  const isExact = begun.latest !== undefined && begun.latest - begun.earliest < 1_000;
  const since = texts.page(isExact ? 'card.since' : 'card.sinceEarliest', texts.time(begun.earliest, now));
  if (at === undefined) return since;
  const span = texts.page(isHolder ? 'card.heldFor' : 'card.waited', texts.heldFor(card, at));
  return texts.page('answer.comma', span, since);
}
