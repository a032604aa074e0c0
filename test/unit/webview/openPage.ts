import './jsdomGaps.ts';
import { vi } from 'vitest';
import type { HostMessage, PageMessage, PanelSnapshot } from '../../../src/protocol.ts';
import { registerComponents } from '../../../webview/components.ts';
import { startPage } from '../../../webview/startPage.ts';
import { testTexts } from './testTexts.ts';

// jsdom builds a table of custom elements slowly, and slower on a machine that does other things.
vi.setConfig({ testTimeout: 20_000 });

export interface OpenPage {
  /** Everything that the page has posted, but for what it has drawn. */
  sent: PageMessage[];
  /** The revisions that it has drawn. */
  drawn: number[];
  /** What VS Code keeps for the page. */
  kept(): unknown;
  receive(message: HostMessage | Record<string, unknown>): void;
  show(snapshot: PanelSnapshot): Promise<void>;
  find(selector: string): HTMLElement;
  all(selector: string): HTMLElement[];
  close(): void;
}

/** The whole page with the real toolkit, in jsdom; the host is the test. */
export async function openPage(options: { kept?: unknown } = {}): Promise<OpenPage> {
  registerComponents();
  const sent: PageMessage[] = [];
  const drawn: number[] = [];
  const take = (message: PageMessage): void => {
    if (message.type === 'drawn') drawn.push(message.revision);
    else sent.push(structuredClone(message));
  };
  let kept = options.kept;
  const stop = startPage(document.body, {
    postMessage: message => take(message as PageMessage),
    getState: () => kept,
    setState: state => void (kept = structuredClone(state)),
  });
  const receive: OpenPage['receive'] = data => void window.dispatchEvent(new MessageEvent('message', { data }));
  receive({ type: 'texts', texts: testTexts(), language: 'en', lock: { path: '/orders' } });
  await rendered();
  const find = (selector: string): HTMLElement => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`The page has no ${selector}.`);
    return found;
  };
  return {
    sent,
    drawn,
    kept: () => kept,
    receive,
    show: async snapshot => {
      receive({ type: 'snapshot', snapshot });
      await rendered();
    },
    find,
    all: selector => [...document.querySelectorAll<HTMLElement>(selector)],
    close: () => {
      stop();
      document.body.replaceChildren();
    },
  };
}

/** The toolkit writes its attributes in a microtask of the next frame. */
export async function rendered(): Promise<void> {
  await new Promise(resolve => requestAnimationFrame(resolve));
}

export function press(target: Element, key: string, modifiers: KeyboardEventInit = {}): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers }));
}

/** What has the focus; the toolkit's elements included. */
export function focused(): Element {
  return document.activeElement ?? document.body;
}
