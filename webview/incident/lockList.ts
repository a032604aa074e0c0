import type { IncidentTexts, ShownLock } from '../../src/incidentProtocol.ts';
import { element, setAttributes, setText } from '../dom.ts';
import { reportElement } from './reportElement.ts';
import { KeyedChildren, type KeyedChild } from '../keyedChildren.ts';

/** The locks of the file; each name opens its queue. */
export class LockList {
  readonly element = element('ul', 'locks');
  readonly #rows: KeyedChildren<ShownLock, KeyedChild<ShownLock>>;

  constructor(texts: IncidentTexts, open: (id: number) => void) {
    // Without its bullets Safari's screen reader would take it for no list.
    setAttributes(this.element, { role: 'list' });
    this.#rows = new KeyedChildren(this.element, {
      key: ({ id }) => String(id),
      create: lock => new LockRow(lock, texts, open),
    });
  }

  update(locks: readonly ShownLock[]): void {
    this.#rows.update(locks);
  }
}

class LockRow implements KeyedChild<ShownLock> {
  readonly element: HTMLElement;
  readonly #standing = element('span', 'lock-standing');

  constructor({ id, name, path, dialect, marks, report }: ShownLock, texts: IncidentTexts, open: (id: number) => void) {
    const button = element('button', 'link lock-name', name);
    button.type = 'button';
    button.title = texts.showQueue;
    button.addEventListener('click', () => open(id));
    const shown = marks.map(({ text, isProven }) =>
      element('span', isProven ? 'lock-mark is-proven' : 'lock-mark', text),
    );
    const where = element('span', 'lock-where', element('code', 'path', path), dialect === '' ? '' : ` · ${dialect}`);
    const said = report === undefined ? [] : [reportElement(report, false)];
    const head = element('div', 'lock-head', button, this.#standing, ...shown);
    this.element = element('li', 'lock-line', head, where, ...said);
  }

  update({ standing }: ShownLock): void {
    setText(this.#standing, standing);
  }
}
