import type { PageText } from '../src/panelTexts.ts';
import type { TimeBar } from '../src/historyProtocol.ts';
import type { CopyPart, Intent, PanelSnapshot, PanelView, TableColumn } from '../src/protocol.ts';
import { momentOf } from './answerText.ts';
import { ActionMenu, type MenuEntry, type MenuOwner } from './actionMenu.ts';
import { Announcer } from './announcer.ts';
import { createBadge } from './indicators.ts';
import { CycleView } from './cycleView.ts';
import { element, setAttributes, setShown, setText } from './dom.ts';
import { HeaderView, showsQueue } from './headerView.ts';
import { keepFocus } from './focus.ts';
import type { PageTexts } from './pageTexts.ts';
import { PictureView } from './pictureView.ts';
import { TableView } from './tableView.ts';
import { TimeBarView } from './timeBarView.ts';
import { TimelineView } from './timelineView.ts';

export interface PageActions {
  ask: (intent: Intent) => void;
  show: (change: Partial<PanelView>) => void;
}

/** The whole page in one language: header, picture, table, timeline, and the menu that the two lists share. */
export class Page {
  readonly element = element('main', 'page');
  readonly picture: PictureView;
  readonly #cycles: CycleView;
  readonly #texts: PageTexts;
  readonly #actions: PageActions;
  readonly #announcer = new Announcer();
  readonly #menu = new ActionMenu();
  readonly #header: HeaderView;
  readonly #table: TableView;
  /** Where a recording has its time bar. */
  readonly #timeSlot = element('div');
  readonly #timeline: TimelineView;
  readonly #charts: HTMLElement;
  readonly #count = createBadge('');
  #isReadOnly = false;
  #isRemoved = false;
  #timeBar: TimeBarView | undefined;

  constructor(texts: PageTexts, view: PanelView, actions: PageActions) {
    this.#texts = texts;
    this.#actions = actions;
    const answer = (text: string): void => this.#announcer.answer(text);
    const openMenu = (owner: MenuOwner, anchor: Element, column?: TableColumn): void =>
      this.#openMenu(owner, anchor, column);
    this.#header = new HeaderView(texts, this.#timeSlot, {
      ask: actions.ask,
      show: change => this.#find(change),
      announce: text => this.#announcer.say(text),
      answer,
    });
    this.#cycles = new CycleView(texts, step => actions.ask({ kind: 'showLock', ...step }));
    this.picture = new PictureView(texts, { show: actions.show, openMenu });
    this.#table = new TableView(texts, view, { ...actions, openMenu, answer });
    this.#timeline = new TimelineView(texts, actions);
    titled(this.picture.element, texts.page('queue.heading'));
    titled(this.#table.element, texts.page('table.heading'), this.#count);
    titled(this.#timeline.element, texts.page('history.heading'));
    this.#charts = element('div', 'charts-row', this.picture.element, this.#timeline.element);
    this.element.append(
      this.#header.element,
      this.#cycles.element,
      this.#charts,
      this.#table.element,
      this.#announcer.element,
      this.#menu.element,
    );
  }

  /** `now` by the host's clock, epoch ms. */
  update(snapshot: PanelSnapshot, view: PanelView, now: number): void {
    keepFocus(() => {
      this.#update(snapshot, view, now);
      this.#menu.settle();
    });
  }

  #update(snapshot: PanelSnapshot, view: PanelView, now: number): void {
    const { status, time } = snapshot;
    if (time !== undefined) this.#showTime(time);
    // A recording that was closed moves no more.
    setShown(this.#timeSlot, time !== undefined && !snapshot.lock.isRemoved);
    this.#isReadOnly = snapshot.lock.isReadOnly;
    this.#isRemoved = snapshot.lock.isRemoved;
    setAttributes(this.element, { 'data-state': status.state, 'aria-busy': String(status.state === 'loading') });
    if (document.title !== snapshot.lock.name) document.title = snapshot.lock.name;
    this.#header.update(snapshot, now);
    setText(this.#count, this.#texts.count(snapshot.totals.contenders));
    for (const part of [this.picture.element, this.#table.element]) setShown(part, showsQueue(status));
    setShown(this.#timeline.element, !['loading', 'unconnected'].includes(status.state));
    this.#cycles.update(showsQueue(status) ? snapshot.cycles : []);
    this.#timeline.update(snapshot.history, time, now);
    this.picture.update(snapshot, view);
    // The last: to give the focus back makes the browser lay out the page, once more for each change that follows.
    this.#table.update(snapshot, view, momentOf(status, now) ?? now);
  }

  /** Of a recording the timeline is what the page was opened for, so it comes before the queue and has more room. */
  #showTime(time: TimeBar): void {
    if (this.#timeBar === undefined) {
      const fail = (text: string): void => this.showOutcome(text, true);
      this.#timeBar = new TimeBarView(this.#texts, { ask: this.#actions.ask, fail });
      this.#timeSlot.append(this.#timeBar.element);
      this.#charts.classList.add('is-recorded');
      this.#charts.prepend(this.#timeline.element);
    }
    this.#timeBar.update(time);
  }

  tick(now: number): void {
    this.#header.tick(now);
    this.#table.tick(now);
    this.#timeline.tick(now);
  }

  /** Leads to the rows that a filter finds. */
  #find(change: Partial<PanelView>): void {
    this.#actions.show(change);
    this.#table.reveal(change.filter ?? '');
  }

  showOutcome(text: string, isFailure: boolean): void {
    this.#header.showOutcome(text, isFailure);
  }

  dispose(): void {
    this.#menu.close();
    this.#announcer.dispose();
    this.picture.dispose();
    this.#table.dispose();
    this.#timeBar?.dispose();
    this.#timeline.dispose();
    this.element.remove();
  }

  #openMenu(owner: MenuOwner, anchor: Element, column?: TableColumn): void {
    if (owner.shown === undefined) return;
    const { name, czxid, isUnread } = owner.shown;
    const entry = (text: PageText, intent: Intent, isEnabled = true): MenuEntry => ({
      text: this.#texts.page(text),
      isEnabled,
      isDangerous: intent.kind === 'forceDelete',
      choose: () => this.#actions.ask(intent),
    });
    const canDelete = isUnread !== true && !this.#isReadOnly && !this.#isRemoved;
    const copy = (text: PageText, part: CopyPart): MenuEntry => entry(text, { kind: 'copy', name, czxid, part });
    const entries = [
      ...(column === undefined ? [] : [copy('row.copyCell', column)]),
      copy('row.copyRow', 'row'),
      copy('row.copyPath', 'path'),
      entry('row.showData', { kind: 'showNodeData', name, czxid }, !this.#isRemoved),
      entry('row.showSession', { kind: 'showSession', name, czxid }, isUnread !== true && !this.#isRemoved),
      ...(this.#timeBar !== undefined
        ? []
        : [entry('row.forceDelete', { kind: 'forceDelete', name, czxid }, canDelete)]),
    ];
    this.#menu.open(this.#texts.page('row.actions'), entries, owner, anchor);
  }
}

/** A section is a landmark with its heading as name. */
function titled(section: HTMLElement, title: string, ...more: Node[]): void {
  setAttributes(section, { 'aria-label': title });
  section.prepend(element('h2', '', title, ...more));
}
