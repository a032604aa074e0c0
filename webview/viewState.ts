import { filterLimit, picturePageSize, tableColumns, type PanelView } from '../src/protocol.ts';

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
}

/** What the person looks at, kept by VS Code while the panel is hidden and the page does not exist. */
export class ViewState {
  readonly #api: Pick<VsCodeApi, 'getState' | 'setState'>;
  readonly #changed: (view: PanelView) => void;
  #saved: SavedState;

  /** `changed` hears of every new view, not of scrolling. */
  constructor(api: Pick<VsCodeApi, 'getState' | 'setState'>, changed: (view: PanelView) => void) {
    this.#api = api;
    this.#changed = changed;
    this.#saved = restored(api.getState());
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

  scrolled(change: Partial<SavedState['scroll']>): void {
    this.#saved = { ...this.#saved, scroll: { ...this.#saved.scroll, ...change } };
    this.#api.setState(this.#saved);
  }
}

/** What an older version of the page kept may have another shape; each part that does not fit falls back alone. */
function restored(state: unknown): SavedState {
  const saved = fields(state);
  const view = fields(saved.get('view'));
  const scroll = fields(saved.get('scroll'));
  const filter = view.get('filter');
  const sort = restoredSort(fields(view.get('sort')));
  return {
    view: {
      ...(sort === undefined ? {} : { sort }),
      filter: typeof filter === 'string' ? filter.slice(0, filterLimit) : '',
      tableFrom: count(view.get('tableFrom'), 0),
      pictureCount: count(view.get('pictureCount'), picturePageSize),
    },
    scroll: { page: count(scroll.get('page'), 0), picture: count(scroll.get('picture'), 0) },
  };
}

function restoredSort(sort: ReadonlyMap<string, unknown>): PanelView['sort'] {
  const column = tableColumns.find(known => known === sort.get('column'));
  return column === undefined ? undefined : { column, descending: sort.get('descending') === true };
}

function fields(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function count(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}
