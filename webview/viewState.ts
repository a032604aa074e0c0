import { picturePageSize, type PanelView } from '../src/protocol.ts';

/** The API of a webview; `acquireVsCodeApi` may be called once, by main.ts. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  /** What `setState` kept, also while the panel was hidden; undefined at first. */
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

interface SavedState {
  view: PanelView;
  /** Distances from the top, in CSS pixels. */
  scroll: { page: number; picture: number };
  /** What the host gave to keep: which lock it is. */
  lock?: unknown;
}

const initial: SavedState = {
  view: { filter: '', tableFrom: 0, pictureCount: picturePageSize },
  scroll: { page: 0, picture: 0 },
};

/**
 * What the user looks at, kept by VS Code while the panel is hidden and the page does not exist, and while the window is closed: another
 * version of the page may have written it, so fields that are missing have their first value.
 */
export class ViewState {
  readonly #api: Pick<VsCodeApi, 'getState' | 'setState'>;
  readonly #changed: (view: PanelView) => void;
  #saved: SavedState;

  /** `changed` is called with every new view, not for scrolling. */
  constructor(api: Pick<VsCodeApi, 'getState' | 'setState'>, changed: (view: PanelView) => void) {
    this.#api = api;
    this.#changed = changed;
    this.#saved = { ...initial, ...(api.getState() as Partial<SavedState> | undefined) };
  }

  get view(): PanelView {
    return this.#saved.view;
  }

  get scroll(): Readonly<SavedState['scroll']> {
    return this.#saved.scroll;
  }

  show(change: Partial<PanelView>): void {
    const view = { ...this.#saved.view, ...change };
    if (view.sort === undefined) delete view.sort;
    this.#saved = { ...this.#saved, view };
    this.#api.setState(this.#saved);
    this.#changed(view);
  }

  keepLock(lock: unknown): void {
    this.#saved = { ...this.#saved, lock };
    this.#api.setState(this.#saved);
  }

  scrolled(scroll: SavedState['scroll']): void {
    this.#saved = { ...this.#saved, scroll };
    this.#api.setState(this.#saved);
  }
}
