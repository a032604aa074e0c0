// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionHostMessage, SessionPageMessage, SessionState } from '../../../src/sessionProtocol.ts';
import { startSessionPage } from '../../../webview/session/sessionPage.ts';
import './jsdomGaps.ts';
import { chain, fan, hostileName, liveState, sessionTestTexts } from './sessionStates.ts';
import { WideBox } from './wideBox.ts';

vi.setConfig({ testTimeout: 20_000 });

let sent: SessionPageMessage[];
let kept: unknown;
let stop: () => void;

function receive(data: SessionHostMessage): void {
  window.dispatchEvent(new MessageEvent('message', { data }));
}

const show = (state: SessionState): void => receive({ type: 'state', state });
const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!;
const texts = (selector: string): string[] => [...document.querySelectorAll(selector)].map(found => found.textContent);
const isShown = (selector: string): boolean => find(selector).closest('[hidden]') === null;
const button = (text: string): HTMLButtonElement =>
  [...document.querySelectorAll('button')].find(found => found.textContent === text)!;
const drawn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0));
const graphNodes = (): SVGGElement[] => [...document.querySelectorAll<SVGGElement>('.node')];
const press = (key: string): void =>
  void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', WideBox);
  [sent, kept] = [[], undefined];
  stop = startSessionPage(document.body, {
    postMessage: message => sent.push(structuredClone(message) as SessionPageMessage),
    getState: () => kept,
    setState: state => void (kept = structuredClone(state)),
  });
  receive({ type: 'texts', texts: sessionTestTexts, language: 'en' });
});

afterEach(() => {
  stop();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe('the page of a session', () => {
  it('asks first, and keeps what the host gives it for a window that is loaded again', () => {
    expect(sent).toEqual([{ type: 'ready' }]);
    receive({ type: 'keep', kept: { cluster: 'orders', subject: { session: '0x1' } } });
    expect(kept).toEqual({ kept: { cluster: 'orders', subject: { session: '0x1' } } });
  });

  it('shows the answer, what frees, what is held and waited for, and foreign text as text', () => {
    show(liveState());
    expect(find('h1').textContent).toBe('Session 0x100a5b3c2d10000');
    expect(document.title).toBe('Session 0x100a5b3c2d10000 · orders');
    expect(find('.answer').textContent).toContain('holds 2');
    expect(texts('.ending p')).toEqual(['Goes to worker-2.', 'Only its place in the queue goes.']);
    expect(texts('#holds-and-waits tbody tr')).toHaveLength(2);
    expect(texts('#if-ended .note')).toEqual(['and 3 more']);
    expect(document.body.textContent).toContain(hostileName);
    expect(document.querySelectorAll('img, script, a')).toHaveLength(0);
    expect([isShown('.status'), isShown('#sessions-found'), isShown('.is-production')]).toEqual([false, false, true]);
  });

  it('leads to queues and other pages, asks the servers and copies', () => {
    show(liveState());
    find('.endings .link').click();
    for (const text of ['10.0.0.1:4000', 'worker-3', hostileName, 'Ask the servers', 'Copy', 'Copy what frees']) {
      button(text).click();
    }
    expect(sent.slice(1)).toEqual([
      { type: 'showQueue', lock: { path: '/orders/payment' } },
      { type: 'showSession', subject: { address: '10.0.0.1' } },
      { type: 'showSession', subject: { session: '0x3' } },
      { type: 'showSession', subject: { identifier: hostileName } },
      { type: 'askServers' },
      { type: 'copy', part: 'subject' },
      { type: 'copy', part: 'endings' },
    ]);
    receive({ type: 'said', text: 'Copied.' });
    expect(texts('[role=status]')).toContain('Copied.');
  });

  it('says what it does while the servers are asked', () => {
    show(liveState({ isAsking: true }));
    expect(button('Asking the servers').getAttribute('aria-disabled')).toBe('true');
    show(liveState());
    expect(button('Ask the servers').hasAttribute('aria-disabled')).toBe(false);
    show(liveState({ canAsk: false }));
    expect(button('Ask the servers').hidden).toBe(true);
  });

  it('shows nothing but the reason before something is known, and what was known with it later', () => {
    show(liveState({ state: 'absent', status: 'There is no connection.', remedy: 'connect' }));
    expect([isShown('.session-body'), isShown('.status'), button('Connect').hidden]).toEqual([false, true, false]);
    button('Connect').click();
    expect(sent.at(-1)).toEqual({ type: 'connect' });
    show(liveState({ state: 'stale', status: 'There is no connection.', remedy: 'open' }));
    expect(find('.page').dataset['state']).toBe('disconnected');
    expect([isShown('.session-body'), button('Connect').hidden, button('Open again').hidden]).toEqual([true, true, false]); // prettier-ignore
    show(liveState({ state: 'reading', status: '' }));
    expect([find('.status-text').textContent, find('.page').getAttribute('aria-busy')]).toEqual([
      sessionTestTexts.reading,
      'true',
    ]);
  });

  it('lists the sessions of an address', () => {
    const rows = [{ text: '0x1', about: 'worker-1 · holds 1', subject: { session: '0x1' } }];
    show(liveState({ sessions: { rows, more: '' } }));
    expect(isShown('#sessions-found')).toBe(true);
    button('0x1').click();
    expect(sent.at(-1)).toEqual({ type: 'showSession', subject: { session: '0x1' } });
  });

  it('keeps the keyboard where it was when a part is built again', () => {
    show(liveState());
    find('.endings .link').focus();
    const state = liveState();
    state.endings.rows.unshift({ ...state.endings.rows[0]!, name: 'another' });
    show(state);
    expect(document.activeElement?.textContent).toBe('payment');
    show(liveState({ endings: { rows: [], more: '' } }));
    expect(document.activeElement).toBe(document.body);
  });

  it('ignores messages that are not of the host', () => {
    window.dispatchEvent(new MessageEvent('message', { data: { type: 'evil' } }));
    window.dispatchEvent(new MessageEvent('message', { data: null }));
    expect(texts('h1')).toEqual(['']);
  });
});

describe('the picture of who waits for whom', () => {
  it('has a labelled node for each, one of which Tab reaches; arrows move, Enter opens', async () => {
    show(liveState());
    await drawn();
    const nodes = graphNodes();
    expect(nodes).toHaveLength(7);
    expect(nodes.map(node => node.getAttribute('aria-label'))).toContain('payment, lock · waiting here: 2.');
    expect(nodes.filter(node => node.getAttribute('tabindex') === '0')).toHaveLength(1);
    nodes[0]!.focus();
    press('Enter');
    expect(sent.at(-1)).toEqual({ type: 'showSession', subject: { session: '0x1' } });
    expect(find('.caption').textContent).toBe('worker-1, session 0x100a5b3c2d10000.');
    press('ArrowRight');
    press('Enter');
    expect(sent.at(-1)).toMatchObject({ type: 'showQueue' });
    press('End');
    const { length } = sent;
    // A node without a session has no page.
    press('Enter');
    expect(sent).toHaveLength(length);
    expect(document.activeElement?.getAttribute('aria-disabled')).toBe('true');
  });

  it('keeps nodes and focus through changes', async () => {
    show(liveState());
    await drawn();
    const [first] = graphNodes();
    first!.focus();
    const graph = chain();
    graph.nodes = graph.nodes.map(node => ({ ...node, label: `${node.label} Changed.` }));
    show(liveState({ graph }));
    expect(document.activeElement).toBe(first);
    expect(first!.getAttribute('aria-label')).toBe('worker-1, session 0x100a5b3c2d10000. Changed.');
    graph.nodes = graph.nodes.filter(({ key }) => key !== 'nightly');
    graph.edges = graph.edges.filter(({ from }) => from !== 'nightly');
    show(liveState({ graph }));
    expect([graphNodes().length, document.activeElement === first]).toEqual([6, true]);
  });

  it('draws 200 nodes with hostile names, says that it is cut, and is hidden without arrows', async () => {
    const graph = fan(200);
    graph.nodes = graph.nodes.map(node => ({ ...node, title: hostileName, label: hostileName }));
    show(liveState({ graph }));
    await drawn();
    expect(graphNodes()).toHaveLength(200);
    expect(document.querySelectorAll('.graph img, .graph script')).toHaveLength(0);
    expect(find('.graph .note').textContent).toMatch(/^Only the nearest 200/u);
    show(liveState({ graph: { nodes: [], edges: [], note: '' } }));
    expect(isShown('#who-waits')).toBe(false);
  });
});
