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
