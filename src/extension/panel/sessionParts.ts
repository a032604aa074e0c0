import type { PageLock, SessionState } from '../../sessionProtocol.ts';
import { l10n } from '../words/language.ts';

/** How often ages are computed again. */
export const tickMs = 10_000;
/** After a failure the servers are asked again so late, ms. */
export const lookAgainMs = 30_000;
/** When the history of a page that lacks the newest changes is completed. */
export const historyAfterMs = 1_000;
/** Changes that come together are shown together; expensive states are made less often. */
export const pace = { gatherMs: 50, spacingMs: 250, restPerWork: 3, longestSpacingMs: 5_000 };

/** The locks that the rows and the picture of a page lead to. */
export function locksOn(state: SessionState | undefined): (PageLock | undefined)[] {
  if (state === undefined) return [];
  const { places, endings, watches, history, graph } = state;
  return [...places.rows, ...endings.rows, ...watches.locks.rows, ...history.holds.rows, ...graph.nodes].map(
    ({ lock }) => lock,
  );
}

/** What frees, as lines of text. Its texts are safe for the screen. */
export function endingLines(state: SessionState | undefined): string[] {
  if (state === undefined) return [];
  const { rows, more } = state.endings;
  const lines = rows.map(({ path, name, text, lock }) => {
    const shown = lock?.lockName === undefined ? path : l10n.t('{0} ({1})', path, name);
    return l10n.t('{0}: {1}', shown, text);
  });
  return [...state.endingNotes, ...lines, more].filter(line => line !== '');
}
