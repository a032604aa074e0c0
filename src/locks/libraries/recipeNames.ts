import { bySequence, ignoresForeign, type Dialect, type StemMatch } from './dialect.ts';

// `R-<seq>`, `W-<seq>` and `<hostname>-R-<seq>`, `<hostname>-W-<seq>` (docs/recipes.md, R2). Order by number only:
// sorting by the whole name would put a host before another.

function match(stem: string): StemMatch | undefined {
  const letter = stem[stem.length - 2];
  if (!stem.endsWith('-') || (letter !== 'R' && letter !== 'W')) return undefined;
  const host = stem.slice(0, -2);
  if (host !== '' && (host.length < 2 || !host.endsWith('-'))) return undefined;
  return { kind: letter === 'R' ? 'read' : 'write', identifier: host.slice(0, -1) };
}

export const letters: Dialect = {
  id: 'rw-letters',
  match,
  compare: bySequence,
  rule: { type: 'read-write', readerWatches: 'nearest-writer', writerWatches: 'predecessor' },
  foreign: ignoresForeign,
};
