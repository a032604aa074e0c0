import type { Moment } from '../../history/hold.ts';
import type { IncidentHeader } from '../../incident/incident.ts';
import { joined, l10n, listed } from './language.ts';
import { gapLines } from './loadText.ts';

type Header = Omit<IncidentHeader, 'version'>;

/** How a page or a report shows what is not in the words of a language. */
export interface HeaderLook {
  /** Foreign text. */
  text: (foreign: string) => string;
  moment: (moment: Moment) => string;
  /** @param epochMs of this machine's clock */
  time: (epochMs: number) => string;
}

/** Lists of paths are cut there: a deadlock may go through many locks. */
const pathsInLists = 5;

/** What a file is, as names and values. */
export function headerFacts(header: Header, look: HeaderLook): { name: string; value: string }[] {
  const { cluster, savedAt, savedBy, scope, span, source } = header;
  const paths = scope.paths.slice(0, pathsInLists).map(look.text);
  const more = scope.paths.length - paths.length;
  const where = listed([...paths, ...(more > 0 ? [l10n.t('{0} more', more)] : [])]);
  const scopes = {
    cluster: () => l10n.t('all locks below {0}', where),
    lock: () => l10n.t('the lock {0}', where),
    deadlock: () => l10n.t('a deadlock of {0}', where),
  };
  const sources = {
    live: () => l10n.t('none: only the moment of saving'),
    recording: () => l10n.t('from a recorder'),
    logs: () => l10n.t('from transaction logs'),
  };
  return [
    { name: l10n.t('Cluster'), value: look.text(cluster.name) },
    { name: l10n.t('About'), value: scopes[scope.kind]() },
    { name: l10n.t('The locks are shown as at'), value: look.moment(span.to) },
    ...(source === 'live' ? [] : [{ name: l10n.t('Recorded since'), value: look.moment(span.from) }]),
    { name: l10n.t('History'), value: sources[source]() },
    { name: l10n.t('Saved'), value: joined([look.time(savedAt), look.text(savedBy)]) },
  ];
}

/** What is not in a file, or not as of its moment, a line each. */
export function notSeenLines(header: Header, { text }: Pick<HeaderLook, 'text'>): string[] {
  const { changing, notRead = [], notSearched = [], isSearchCut = false } = header;
  const lines = gapLines({ unread: notRead, truncated: isSearchCut, denied: notSearched });
  if (changing.length === 0) return lines;
  const paths = listed(changing.slice(0, pathsInLists).map(text));
  return [
    ...lines,
    l10n.t(
      'These locks changed while they were read, so they may be a little later or earlier than the others: {0}',
      paths,
    ),
  ];
}
