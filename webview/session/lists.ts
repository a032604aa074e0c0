import type {
  PageLock,
  PageSubject,
  SessionFact,
  SessionTexts,
  ShownEnding,
  ShownHold,
  ShownList,
  ShownLockName,
  ShownPlace,
  ShownSession,
} from '../../src/sessionProtocol.ts';
import { element, setAttributes } from '../dom.ts';

/** What the links of the page do. */
export interface Links {
  showSession: (subject: PageSubject) => void;
  showQueue: (lock: PageLock) => void;
}

interface Made extends Links {
  texts: SessionTexts;
}

function link(text: string, title: string, open: () => void): HTMLButtonElement {
  const made = element('button', 'link', text);
  made.type = 'button';
  made.title = title;
  made.addEventListener('click', open);
  return made;
}

function subjectLink(text: string, subject: PageSubject | undefined, { texts, showSession }: Made): Node | string {
  return subject === undefined ? text : link(text, texts.showSession, () => showSession(subject));
}

/** The name of a lock, which opens its queue, and its path. */
function lockElement({ name, path, lock }: ShownLockName, { texts, showQueue }: Made): HTMLElement {
  const shown = lock === undefined ? element('span', '', name) : link(name, texts.showQueue, () => showQueue(lock));
  shown.classList.add('lock-name');
  return element('span', 'lock-where', shown, ' ', element('code', 'path', path));
}

function more(list: ShownList<unknown>): HTMLElement[] {
  return list.more === '' ? [] : [element('p', 'note', list.more)];
}

/** Facts by name; those of one name stand together. */
export function factsElement(facts: readonly SessionFact[], made: Made): HTMLElement {
  const groups = Map.groupBy(facts, ({ name }) => name);
  const shown = [...groups].map(([name, values]) => {
    const lines = values.map(({ value, subject }) => element('dd', '', subjectLink(value, subject, made)));
    return element('div', 'fact', element('dt', '', name), ...lines);
  });
  return element('dl', 'facts', ...shown);
}

/** Lines of text, one paragraph each. */
export function notesElement(notes: readonly string[], className = 'note'): HTMLElement {
  return element('div', 'notes', ...notes.filter(note => note !== '').map(note => element('p', className, note)));
}

/** Roles are said as well: a narrow page shows rows as blocks, which takes them from a table. */
function withRole<K extends 'table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td'>(
  tag: K,
  role: string,
  className: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = element(tag, className, ...content);
  setAttributes(made, { role });
  return made;
}

function cell(label: string, ...content: (Node | string)[]): HTMLElement {
  const made = withRole('td', 'cell', '', ...content);
  // As a block it has the head of its column before its value.
  setAttributes(made, { 'data-label': label });
  return made;
}

function row(isHolder: boolean, ...cells: HTMLElement[]): HTMLElement {
  return withRole('tr', 'row', isHolder ? 'is-holder' : '', ...cells);
}

function table(label: string, heads: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  const head = row(false, ...heads.map(text => withRole('th', 'columnheader', '', text)));
  const made = withRole(
    'table',
    'table',
    'rows',
    withRole('thead', 'rowgroup', '', head),
    withRole('tbody', 'rowgroup', '', ...rows),
  );
  setAttributes(made, { 'aria-label': label });
  return made;
}

/** What the sessions hold and wait for. */
export function placesElement(list: ShownList<ShownPlace>, made: Made): HTMLElement {
  const { texts } = made;
  if (list.rows.length === 0) return element('div');
  const hasOwner = list.rows.some(({ owner }) => owner !== undefined);
  const rows = list.rows.map(place =>
    row(
      place.isHolder,
      cell(texts.lock, lockElement(place, made)),
      ...(hasOwner ? [cell(texts.session, place.owner ?? '')] : []),
      cell(texts.role, place.standing),
      cell(texts.since, place.since),
      cell(texts.waitsFor, place.waitsFor === '' ? '—' : subjectLink(place.waitsFor, place.ahead, made)),
    ),
  );
  const heads = [texts.lock, ...(hasOwner ? [texts.session] : []), texts.role, texts.since, texts.waitsFor];
  return element('div', '', table(texts.places, heads, rows), ...more(list));
}

/** What happens to each lock. */
export function endingsElement(list: ShownList<ShownEnding>, made: Made): HTMLElement {
  if (list.rows.length === 0) return element('div');
  const rows = list.rows.map(ending =>
    element(
      'li',
      ending.isHolder ? 'ending is-holder' : 'ending',
      lockElement(ending, made),
      element('p', '', ending.text),
    ),
  );
  return element('div', '', bare('endings', rows), ...more(list));
}

/** The sessions of an address or an identifier. */
export function sessionsElement(list: ShownList<ShownSession>, made: Made): HTMLElement {
  const rows = list.rows.map(({ text, about, subject }) =>
    element('li', '', subjectLink(text, subject, made), element('p', 'note', about)),
  );
  return element('div', '', ...(rows.length === 0 ? [] : [bare('sessions', rows)]), ...more(list));
}

/** Locks by name alone. */
export function locksElement(list: ShownList<ShownLockName>, made: Made): HTMLElement {
  const rows = list.rows.map(lock => element('li', '', lockElement(lock, made)));
  return element('div', '', ...(rows.length === 0 ? [] : [bare('watched', rows)]), ...more(list));
}

/** What the sessions held before. */
export function holdsElement(list: ShownList<ShownHold>, made: Made): HTMLElement {
  const { texts } = made;
  if (list.rows.length === 0) return element('div');
  const rows = list.rows.map(hold =>
    row(
      false,
      cell(texts.lock, lockElement(hold, made)),
      cell(texts.heldFrom, hold.from),
      cell(texts.heldTo, hold.to),
      cell(texts.ended, hold.ended === '' ? '—' : hold.ended),
    ),
  );
  const heads = [texts.lock, texts.heldFrom, texts.heldTo, texts.ended];
  return element('div', '', element('h3', '', texts.held), table(texts.held, heads, rows), ...more(list));
}

function bare(className: string, rows: readonly HTMLElement[]): HTMLElement {
  const list = element('ul', className, ...rows);
  // Without its bullets Safari's screen reader would take it for no list.
  setAttributes(list, { role: 'list' });
  return list;
}
