import { onHostMessage } from '../hostMessages.ts';
import type {
  GraphNode,
  SessionHostMessage,
  SessionPageMessage,
  SessionState,
  SessionTexts,
} from '../../src/sessionProtocol.ts';
import { Announcer } from '../announcer.ts';
import { element, setAttributes, setShown, setText } from '../dom.ts';
import { createButton } from '../incident/controls.ts';
import { createBadge, createProgress } from '../indicators.ts';
import type { VsCodeApi } from '../viewState.ts';
import { GraphView } from './graphView.ts';
import {
  endingsElement,
  factsElement,
  holdsElement,
  locksElement,
  notesElement,
  placesElement,
  sessionsElement,
  type Links,
} from './lists.ts';
import { RebuiltPart, type StatePart } from './rebuiltPart.ts';

/** Runs the page of a session in `root` until the result is called. */
export function startSessionPage(root: HTMLElement, api: VsCodeApi): () => void {
  const stopped = new AbortController();
  const post = (message: SessionPageMessage): void => api.postMessage(message);
  let page: SessionPage | undefined;
  let state: SessionState | undefined;
  const receive = (message: SessionHostMessage): void => {
    switch (message.type) {
      case 'texts':
        page?.dispose();
        document.documentElement.lang = message.language;
        page = new SessionPage(message.texts, post);
        root.append(page.element);
        break;
      case 'keep':
        api.setState({ kept: message.kept });
        return;
      case 'said':
        page?.say(message.text);
        return;
      case 'state':
        state = message.state;
    }
    if (state !== undefined) page?.update(state);
  };
  onHostMessage(receive, stopped.signal, ['texts', 'keep', 'said', 'state']);
  post({ type: 'ready' });
  return () => {
    stopped.abort();
    page?.dispose();
  };
}

/** The whole page in one language: the answer, what frees, what is held and waited for, the picture, facts and history. */
class SessionPage {
  readonly element = element('main', 'page session-page');
  readonly #texts: SessionTexts;
  readonly #announcer = new Announcer();
  readonly #title = element('h1');
  readonly #cluster = element('span', 'origin');
  readonly #production: HTMLElement;
  readonly #progress: HTMLElement;
  readonly #status = element('span', 'status-text');
  readonly #line = element('p', 'status');
  readonly #connect: HTMLElement;
  readonly #open: HTMLElement;
  readonly #ask: HTMLButtonElement;
  readonly #copyEndings: HTMLElement;
  readonly #summary = element('p', 'answer');
  readonly #graph: GraphView;
  readonly #graphSection: HTMLElement;
  readonly #body = element('div', 'session-body');
  readonly #parts: readonly StatePart[];
  readonly #sessionsSection: HTMLElement;

  constructor(texts: SessionTexts, post: (message: SessionPageMessage) => void) {
    this.#texts = texts;
    const links: Links & { texts: SessionTexts } = {
      texts,
      showSession: subject => post({ type: 'showSession', subject }),
      showQueue: lock => post({ type: 'showQueue', lock }),
    };
    this.#production = createBadge(texts.production);
    this.#production.classList.add('is-production');
    this.#progress = createProgress(texts.reading);
    this.#connect = createButton(texts.connect, () => post({ type: 'connect' }));
    this.#open = createButton(texts.open, () => post({ type: 'connect' }));
    this.#ask = createButton(texts.askServers, () => post({ type: 'askServers' }));
    this.#copyEndings = createButton(texts.copyEndings, () => post({ type: 'copy', part: 'endings' }));
    this.#graph = new GraphView(texts, node => open(node, links));
    const parts = partsOf(links);
    this.#parts = Object.values(parts);
    const copy = createButton(texts.copySubject, () => post({ type: 'copy', part: 'subject' }));
    this.#line.append(this.#progress, this.#status, this.#connect, this.#open);
    this.#graphSection = section('who-waits', texts.picture, this.#graph.element);
    this.#sessionsSection = section('sessions-found', texts.sessions, parts.sessions.element);
    const title = element('div', 'title', this.#title, this.#production, copy);
    this.#body.append(
      section('if-ended', texts.ifEnded, parts.endingNotes.element, parts.endings.element, this.#copyEndings),
      this.#sessionsSection,
      section('holds-and-waits', texts.places, parts.places.element),
      this.#graphSection,
      section('facts-known', texts.facts, parts.facts.element, this.#ask),
      section('watches', texts.watches, parts.watches.element),
      section('past', texts.history, parts.history.element),
    );
    const header = element('header', 'lock', title, this.#cluster, this.#line, this.#summary);
    this.element.append(header, this.#body, this.#announcer.element);
  }

  update(state: SessionState): void {
    const isKnown = state.state !== 'reading' && state.state !== 'absent';
    setAttributes(this.element, {
      'data-state': state.state === 'stale' ? 'disconnected' : state.state,
      'aria-busy': String(state.state === 'reading'),
    });
    this.#head(state);
    setShown(this.#body, isKnown);
    if (isKnown) {
      for (const part of this.#parts) part.update(state);
      setShown(this.#copyEndings, state.endings.rows.length > 0);
      setShown(this.#sessionsSection, state.sessions !== undefined);
      // Before it has a width it cannot be drawn.
      setShown(this.#graphSection, state.graph.edges.length > 0);
      this.#graph.update(state.graph);
    }
    this.#announcer.say([state.status, state.summary].filter(text => text !== '').join(' '));
  }

  /** The outcome of an action. */
  say(text: string): void {
    this.#announcer.answer(text);
  }

  dispose(): void {
    this.#announcer.dispose();
    this.#graph.dispose();
    this.element.remove();
  }

  #head({ title, cluster, isProduction, status, remedy, state, summary, canAsk, isAsking }: SessionState): void {
    const whole = cluster === '' ? title : `${title} · ${cluster}`;
    if (document.title !== whole) document.title = whole;
    setText(this.#title, title);
    setText(this.#cluster, cluster);
    setShown(this.#production, isProduction);
    setText(this.#status, state === 'reading' && status === '' ? this.#texts.reading : status);
    setShown(this.#progress, state === 'reading');
    setShown(this.#line, state === 'reading' || status !== '');
    setShown(this.#connect, remedy === 'connect');
    setShown(this.#open, remedy === 'open');
    setText(this.#summary, summary);
    setShown(this.#summary, summary !== '');
    setShown(this.#ask, canAsk);
    setText(this.#ask, isAsking ? this.#texts.asking : this.#texts.askServers);
    // A disabled button would lose the focus.
    setAttributes(this.#ask, { 'aria-disabled': isAsking ? 'true' : undefined });
  }
}

/** The parts that are built again when what they show differs. */
function partsOf(links: Links & { texts: SessionTexts }) {
  return {
    endingNotes: new RebuiltPart(
      ({ endingNotes }) => endingNotes,
      notes => notesElement(notes, 'ending-note'),
    ),
    endings: new RebuiltPart(
      ({ endings }) => endings,
      endings => endingsElement(endings, links),
    ),
    places: new RebuiltPart(
      ({ places, placesNote }) => ({ places, placesNote }),
      ({ places, placesNote }) => element('div', '', placesElement(places, links), notesElement([placesNote])),
    ),
    sessions: new RebuiltPart(
      ({ sessions }) => sessions ?? { rows: [], more: '' },
      sessions => sessionsElement(sessions, links),
    ),
    facts: new RebuiltPart(
      ({ facts, factNotes }) => ({ facts, factNotes }),
      ({ facts, factNotes }) => element('div', '', factsElement(facts, links), notesElement(factNotes)),
    ),
    watches: new RebuiltPart(
      ({ watches }) => watches,
      ({ text, locks }) => element('div', '', notesElement([text]), locksElement(locks, links)),
    ),
    history: new RebuiltPart(
      ({ history }) => history,
      ({ facts, note, holds }) =>
        element('div', '', factsElement(facts, links), notesElement([note]), holdsElement(holds, links)),
    ),
  };
}

/** Leads from a node of the picture to its page; one that can be named nowhere stays. */
function open({ subject, lock }: GraphNode, { showSession, showQueue }: Links): void {
  if (subject !== undefined) showSession(subject);
  else if (lock !== undefined) showQueue(lock);
}

/** A landmark with its heading as name. */
function section(id: string, title: string, ...content: Node[]): HTMLElement {
  const made = element('section', '', element('h2', '', title), ...content);
  setAttributes(made, { id, 'aria-label': title });
  return made;
}
