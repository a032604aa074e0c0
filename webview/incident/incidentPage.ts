import { onHostMessage } from '../hostMessages.ts';
import {
  incidentFilterLimit,
  lockLimit,
  locksAtOnce,
  type IncidentAction,
  type IncidentHostMessage,
  type IncidentPageMessage,
  type IncidentState,
  type IncidentTexts,
  type IncidentView,
} from '../../src/incidentProtocol.ts';
import { Announcer } from '../announcer.ts';
import { element, setAttributes, setShown, setText } from '../dom.ts';
import { createBadge, createProgress } from '../indicators.ts';
import type { VsCodeApi } from '../viewState.ts';
import { createButton, createSearchField } from './controls.ts';
import { LockList } from './lockList.ts';
import { reportElement } from './reportElement.ts';

type OpenState = Extract<IncidentState, { state: 'open' }>;

/** Runs the page of an incident file in `root` until the result is called. */
export function startIncidentPage(root: HTMLElement, api: VsCodeApi): () => void {
  const stopped = new AbortController();
  const view: IncidentView = {
    filter: '',
    shown: locksAtOnce,
    ...(api.getState() as Partial<IncidentView> | undefined),
  };
  const post = (message: IncidentPageMessage): void => api.postMessage(message);
  const show = (change: Partial<IncidentView>): void => {
    Object.assign(view, change);
    api.setState(view);
    post({ type: 'view', view });
  };
  let page: IncidentPage | undefined;
  let state: IncidentState | undefined;
  const receive = (message: IncidentHostMessage): void => {
    if (message.type === 'texts') {
      page?.dispose();
      document.documentElement.lang = message.language;
      page = new IncidentPage(message.texts, view, { post, show });
      root.append(page.element);
    } else state = message.state;
    if (state !== undefined) page?.update(state);
  };
  onHostMessage(receive, stopped.signal, ['texts', 'state']);
  post({ type: 'ready', view });
  return () => {
    stopped.abort();
    page?.dispose();
  };
}

interface Actions {
  post: (message: IncidentPageMessage) => void;
  show: (change: Partial<IncidentView>) => void;
}

/** The whole page in one language: what the file is, its locks, what was said of them. */
class IncidentPage {
  readonly element = element('main', 'page');
  readonly #texts: IncidentTexts;
  readonly #announcer = new Announcer();
  readonly #title = element('h1');
  readonly #production: HTMLElement;
  readonly #redacted: HTMLElement;
  readonly #progress: HTMLElement;
  readonly #status = element('span', 'status-text');
  readonly #line = element('p', 'status');
  readonly #openAgain: HTMLElement;
  readonly #toolbar: HTMLElement;
  readonly #facts = element('dl', 'facts');
  readonly #problems = element('ul', 'warnings');
  readonly #filter: HTMLElement;
  readonly #count: HTMLElement;
  readonly #locks: LockList;
  readonly #more: HTMLElement;
  readonly #none = element('p', 'note');
  readonly #lockSection: HTMLElement;
  readonly #reports = element('div', 'reports');
  readonly #reportSection: HTMLElement;
  /** The file does not change while it is open: what is long is built once. */
  #built = '';

  constructor(texts: IncidentTexts, view: IncidentView, { post, show }: Actions) {
    this.#texts = texts;
    const button = (text: string, action: IncidentAction): HTMLElement =>
      createButton(text, () => post({ type: 'act', action }));
    this.#production = createBadge(texts.production);
    this.#production.classList.add('is-production');
    this.#redacted = createBadge(texts.redacted);
    this.#progress = createProgress(texts.reading);
    this.#openAgain = button(texts.openAgain, 'openAgain');
    this.#line.append(this.#progress, this.#status, this.#openAgain);
    this.#toolbar = element(
      'div',
      'toolbar',
      button(texts.report, 'report'),
      button(texts.compare, 'compare'),
      button(texts.copy, 'copy'),
    );
    setAttributes(this.#problems, { 'aria-label': texts.problems });
    this.#filter = createSearchField(
      { label: texts.filter, text: view.filter, maxLength: incidentFilterLimit },
      filter => show({ filter, shown: locksAtOnce }),
    );
    this.#count = createBadge('');
    this.#locks = new LockList(texts, id => post({ type: 'showLock', id }));
    this.#more = createButton(texts.more, () => show({ shown: Math.min(lockLimit, view.shown + locksAtOnce) }));
    const title = element('div', 'title', this.#title, this.#production, this.#redacted);
    const header = element('header', 'lock', title, this.#line, this.#facts, this.#problems, this.#toolbar);
    const filter = element('div', 'incident-filter', this.#filter);
    this.#lockSection = section(texts.locks, [this.#count], filter, this.#none, this.#locks.element, this.#more);
    this.#reportSection = section(texts.explanation, [], this.#reports);
    this.element.append(header, this.#reportSection, this.#lockSection, this.#announcer.element);
  }

  update(state: IncidentState): void {
    const isOpen = state.state === 'open';
    setAttributes(this.element, { 'data-state': state.state, 'aria-busy': String(state.state === 'reading') });
    setShown(this.#line, !isOpen);
    setShown(this.#progress, state.state === 'reading');
    setShown(this.#openAgain, state.state === 'notOpen' && state.canOpen);
    for (const part of [this.#facts, this.#toolbar, this.#lockSection, this.#reportSection]) setShown(part, isOpen);
    this.#name(state);
    setShown(this.#problems, isOpen && state.problems.length > 0);
    if (isOpen) this.#open(state);
    else {
      setText(this.#status, state.text);
      // How far it is would be said at every per cent.
      this.#announcer.say(state.state === 'reading' ? this.#texts.reading : state.text);
    }
  }

  dispose(): void {
    this.#announcer.dispose();
    this.element.remove();
  }

  #name(state: IncidentState): void {
    const { title } = state;
    if (document.title !== title) document.title = title;
    setText(this.#title, title);
    setShown(this.#production, state.state === 'open' && state.isProduction);
    setShown(this.#redacted, state.state === 'open' && state.isRedacted);
  }

  #open(state: OpenState): void {
    this.#build(state);
    setText(this.#count, state.count);
    setText(this.#none, state.isEmpty ? this.#texts.noLocks : this.#texts.noMatch);
    setShown(this.#none, state.locks.length === 0);
    setShown(this.#filter, !state.isEmpty);
    setShown(this.#more, state.hasMore);
    this.#locks.update(state.locks);
  }

  #build(state: OpenState): void {
    const { title, facts, problems, reports } = state;
    const built = JSON.stringify([facts, problems, reports]);
    if (built === this.#built) return;
    this.#built = built;
    this.#facts.replaceChildren(
      ...facts.map(({ name, value }) => element('div', 'fact', element('dt', '', name), element('dd', '', value))),
    );
    this.#problems.replaceChildren(...problems.map(problem => element('li', '', problem)));
    this.#reports.replaceChildren(...reports.map((report, at) => reportElement(report, at === 0)));
    setShown(this.#reportSection, reports.length > 0);
    this.#announcer.say([title, ...problems].join(' '));
  }
}

/** A landmark with its heading as name. */
function section(title: string, besides: Node[], ...content: Node[]): HTMLElement {
  const made = element('section', '', element('h2', '', title, ...besides), ...content);
  setAttributes(made, { 'aria-label': title });
  return made;
}
