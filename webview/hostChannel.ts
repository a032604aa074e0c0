import type { HostMessage, Intent, PageMessage, PanelView } from '../src/protocol.ts';

export type Outcome = Omit<Extract<HostMessage, { type: 'outcome' }>, 'type' | 'request'>;

/** The page goes away before the host has answered. */
export class ChannelClosed extends Error {
  constructor() {
    super('The lock panel was closed before its request was answered.');
    this.name = 'ChannelClosed';
  }
}

export interface HostListener {
  texts(message: Extract<HostMessage, { type: 'texts' }>): void;
  snapshot(message: Extract<HostMessage, { type: 'snapshot' }>): void;
}

interface Pending {
  resolve: (outcome: Outcome) => void;
  reject: (reason: Error) => void;
}

/** The page's side of src/protocol.ts: typed sends, answers matched to their requests, the rest to the listener. */
export class HostChannel {
  readonly #api: Pick<VsCodeApi, 'postMessage'>;
  readonly #listener: HostListener;
  readonly #source: EventTarget;
  readonly #pending = new Map<number, Pending>();
  readonly #onMessage = (event: Event): void => {
    if (event instanceof MessageEvent && isHostMessage(event.data)) this.#receive(event.data);
  };
  #lastRequest = 0;
  #isClosed = false;

  /** `source` is where messages arrive: the window. */
  constructor(api: Pick<VsCodeApi, 'postMessage'>, listener: HostListener, source: EventTarget) {
    this.#api = api;
    this.#listener = listener;
    this.#source = source;
    source.addEventListener('message', this.#onMessage);
  }

  /** The first message of the page; the host sends nothing before it. */
  ready(view: PanelView): void {
    this.#post({ type: 'ready', view });
  }

  show(view: PanelView): void {
    this.#post({ type: 'view', view });
  }

  /** Settles with the host's answer; rejects with ChannelClosed when the page goes away first. */
  ask(intent: Intent): Promise<Outcome> {
    if (this.#isClosed) return Promise.reject(new ChannelClosed());
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    return new Promise((resolve, reject) => {
      this.#pending.set(request, { resolve, reject });
      this.#post({ type: 'intent', request, intent });
    });
  }

  dispose(): void {
    this.#isClosed = true;
    this.#source.removeEventListener('message', this.#onMessage);
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new ChannelClosed());
  }

  #post(message: PageMessage): void {
    if (!this.#isClosed) this.#api.postMessage(message);
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case 'texts':
        this.#listener.texts(message);
        return;
      case 'snapshot':
        this.#listener.snapshot(message);
        return;
      case 'outcome':
        this.#settle(message);
        return;
      default:
        // A host of another version may say more; what the page does not know it leaves alone.
        message satisfies never;
    }
  }

  #settle({ request, outcome, text }: Extract<HostMessage, { type: 'outcome' }>): void {
    const pending = this.#pending.get(request);
    this.#pending.delete(request);
    pending?.resolve(text === undefined ? { outcome } : { outcome, text });
  }
}

/** Only VS Code can post here, so a known shape is taken at its word; scripts of the browser's extensions also send events. */
function isHostMessage(message: unknown): message is HostMessage {
  return typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string';
}

/** What VS Code gives a webview; `acquireVsCodeApi` may be called once, by main.ts. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  /** What `setState` kept, also while the panel was hidden; undefined at first. */
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}
