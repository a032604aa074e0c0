// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockLimit } from '../../../src/incidentProtocol.ts';
import type { IncidentHostMessage, IncidentPageMessage, IncidentState } from '../../../src/incidentProtocol.ts';
import { startIncidentPage } from '../../../webview/incident/incidentPage.ts';
import { incidentTestTexts, lockShown, openState } from './incidentStates.ts';

vi.setConfig({ testTimeout: 20_000 });

let sent: IncidentPageMessage[];
let kept: unknown;
let stop: () => void;

function open(): void {
  sent = [];
  stop = startIncidentPage(document.body, {
    postMessage: message => sent.push(structuredClone(message) as IncidentPageMessage),
    getState: () => kept,
    setState: state => void (kept = structuredClone(state)),
  });
  receive({ type: 'texts', texts: incidentTestTexts, language: 'en' });
}

function receive(data: IncidentHostMessage): void {
  window.dispatchEvent(new MessageEvent('message', { data }));
}

const show = (state: IncidentState): void => receive({ type: 'state', state });
const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!;
const texts = (selector: string): string[] => [...document.querySelectorAll(selector)].map(found => found.textContent);
const isShown = (selector: string): boolean => find(selector).closest('[hidden]') === null;
const button = (text: string): HTMLButtonElement =>
  [...document.querySelectorAll('button')].find(found => found.textContent === text)!;

beforeEach(() => {
  kept = undefined;
  open();
});

afterEach(() => {
  stop();
  document.body.replaceChildren();
});

describe('the page of an incident file', () => {
  it('asks first, and says what it does until the file is read', () => {
    expect(sent).toEqual([{ type: 'ready', view: { filter: '', shown: 100 } }]);
    show({ state: 'reading', title: 'Incident · a', text: 'Reading /a.zkincident: 25 %' });
    expect(find('.status-text').textContent).toBe('Reading /a.zkincident: 25 %');
    expect([isShown('.progress'), isShown('.locks'), isShown('.toolbar')]).toEqual([true, false, false]);
    expect(find('.page').getAttribute('aria-busy')).toBe('true');
  });

  it('says why a file is refused, and opens it again when asked', () => {
    show({
      state: 'notOpen',
      title: 'Incident · a',
      text: 'It has a newer format. Update the extension.',
      canOpen: true,
    });
    expect(find('.status-text').textContent).toBe('It has a newer format. Update the extension.');
    expect([isShown('.progress'), isShown('.facts'), isShown('h1')]).toEqual([false, false, true]);
    button('Open again').click();
    expect(sent.at(-1)).toEqual({ type: 'act', action: 'openAgain' });
    show({ state: 'notOpen', title: 'Incident · a', text: 'Another file system.', canOpen: false });
    expect(button('Open again').hidden).toBe(true);
  });

  it('shows what the file is, its locks and their marks, and what was said; foreign text stays text', () => {
    show(openState());
    expect(find('h1').textContent).toBe('Incident · orders-2026-11-24.zkincident');
    expect(texts('dt')).toContain('Recorded since');
    expect(texts('.warnings li')).toHaveLength(1);
    expect(texts('.lock-name')[0]).toBe('payment');
    expect(texts('.lock-mark.is-proven')).toEqual(['deadlocked']);
    expect(texts('code.foreign')).toEqual(['<img src=x onerror=alert(1)>', '[x](command:evil)']);
    expect(document.querySelectorAll('img, a, script')).toHaveLength(0);
    expect([...document.querySelectorAll('details')].map(({ open: isOpen }) => isOpen)).toEqual([true, false, false]);
  });

  it('opens the queue of a lock, and runs the commands of the file', () => {
    show(openState());
    button('payment').click();
    for (const text of ['Show incident report', 'Compare…', 'Copy as Markdown']) button(text).click();
    expect(sent.slice(1)).toEqual([
      { type: 'showLock', id: 0 },
      { type: 'act', action: 'report' },
      { type: 'act', action: 'compare' },
      { type: 'act', action: 'copy' },
    ]);
  });

  it('filters, shows more, and has it so again when it comes back', () => {
    show(openState({ hasMore: true, count: '2 of 300' }));
    button('Show more').click();
    const field = find('.search') as HTMLInputElement;
    field.value = 'pay';
    field.dispatchEvent(new Event('input'));
    expect(sent.slice(-2)).toEqual([
      { type: 'view', view: { filter: '', shown: 200 } },
      { type: 'view', view: { filter: 'pay', shown: 100 } },
    ]);
    show(openState({ locks: [], count: '0' }));
    expect([find('.note').textContent, isShown('.note'), isShown('.search')]).toEqual(['No lock matches.', true, true]);
    stop();
    document.body.replaceChildren();
    open();
    expect(sent).toEqual([{ type: 'ready', view: { filter: 'pay', shown: 100 } }]);
  });

  it('asks for no more locks than there can be', () => {
    stop();
    document.body.replaceChildren();
    kept = { filter: '', shown: lockLimit - 50 };
    open();
    show(openState({ hasMore: true }));
    button('Show more').click();
    expect(sent.at(-1)).toEqual({ type: 'view', view: { filter: '', shown: lockLimit } });
  });

  it('has names for screen readers, and keeps keys of its field from VS Code', () => {
    show(openState());
    expect(find('.search').getAttribute('aria-label')).toBe(incidentTestTexts.filter);
    const heard: string[] = [];
    const hear = ({ key }: KeyboardEvent): void => void heard.push(key);
    window.addEventListener('keydown', hear);
    for (const [key, altKey] of [
      ['ArrowLeft', true],
      ['F1', false],
    ] as const)
      // prettier-ignore
      find('.search').dispatchEvent(new KeyboardEvent('keydown', { key, altKey, shiftKey: true, bubbles: true }));
    window.removeEventListener('keydown', hear);
    expect(heard).toEqual(['F1']);
  });

  it('keeps the keyboard where it is while locks come and go, and unfolded what was unfolded', () => {
    show(openState());
    const last = [...document.querySelectorAll('details')].at(-1)!;
    last.open = true;
    const named = button('payment');
    named.focus();
    show(openState({ locks: [lockShown(0, { name: 'payment', standing: 'free' })], count: '1' }));
    expect(document.activeElement).toBe(named);
    expect(last.isConnected && last.open).toBe(true);
  });

  it('has what was said of one lock below that lock', () => {
    show(openState());
    expect(find('.lock-line details').textContent).toBe('Held by worker-1, 2 waitingIt is alive.');
  });

  it('says so when nothing was there', () => {
    show(openState({ locks: [], reports: [], problems: [], count: '0', isEmpty: true }));
    expect([find('.note').textContent, isShown('.search')]).toEqual(['There was no lock.', false]);
    expect([isShown('.reports'), isShown('.warnings')]).toEqual([false, false]);
  });

  it('hears nothing but messages of the host', () => {
    show(openState());
    for (const data of [undefined, 7, {}, { type: 'snapshot' }, { type: {} }]) {
      window.dispatchEvent(new MessageEvent('message', { data }));
    }
    expect(find('h1').textContent).toContain('Incident');
  });
});
