import type { Contender } from '../../locks/lockQueue.ts';
import type { OwnerStatus, RecordedOwner, SourceOutcome, SourceReport } from '../../inspector/owners/ownerFacts.ts';
import { ageText, type Clean, dateTimeText, l10n, listed, spanText } from './language.ts';
import { displayText } from '../../base/displayText.ts';
import { foreign, section, type Report } from '../../base/report.ts';
import { sessionText } from '../../base/sessionText.ts';

/** The owner session and where it comes from. */
export function ownerLine({ session, connection, recorded, alive }: OwnerStatus): string {
  if (alive === 'no-owner') return l10n.t('Owner session: none (not ephemeral)');
  if (connection === undefined) {
    return recorded === undefined
      ? l10n.t('Owner session: {0}, address not known', sessionText(session))
      : l10n.t('Owner session: {0}, recorded from {1}', sessionText(session), recordedAddress(recorded, displayText));
  }
  return l10n.t(
    'Owner session: {0} from {1}, connected to {2}',
    sessionText(session),
    displayText(connection.address),
    displayText(connection.server),
  );
}

/** Where the client of a session was, as it was recorded. @param clean makes foreign text harmless */
export function recordedAddress({ address, host, process }: RecordedOwner, clean: Clean): string {
  const names = [host, process].filter(name => name !== undefined).map(name => clean(name));
  return names.length === 0 ? clean(address) : l10n.t('{0} ({1})', clean(address), listed(names));
}

/** As `ownerLine`, short: without the server. */
export function sessionLine(status: OwnerStatus): string {
  const { session, connection, alive } = status;
  if (connection === undefined || alive === 'no-owner') return ownerLine(status);
  return l10n.t('Owner session: {0} from {1}', sessionText(session), displayText(connection.address, 46));
}

/** A sentence, and a few words for a line that is cut at its end. */
const aliveTexts: Readonly<Record<OwnerStatus['alive'], () => [sentence: string, words: string]>> = {
  yes: () => [l10n.t('The session is alive.'), l10n.t('session alive')],
  no: () => [l10n.t('The session is over: the leader does not know it.'), l10n.t('session over')],
  unknown: () => [
    l10n.t('It is not known whether the session is alive: no server reported it.'),
    l10n.t('session perhaps alive'),
  ],
  'no-owner': () => [l10n.t('No session keeps this node alive: it stays until it is deleted.'), l10n.t('no session')],
};

/** Whether the session lives, as a sentence. */
export function aliveLine({ alive }: OwnerStatus): string {
  return aliveTexts[alive]()[0];
}

/** The same in a few words. */
export function aliveWords({ alive }: OwnerStatus): string {
  return aliveTexts[alive]()[1];
}

/** How long the client is connected and what its session may miss; empty if no server reported it. */
export function connectionLines({ connection }: OwnerStatus, now: number): string[] {
  if (connection === undefined) return [];
  const { establishedAt, timeoutMs } = connection;
  const lines: string[] = [];
  if (establishedAt !== undefined) {
    lines.push(l10n.t('Connected since {0} ({1})', dateTimeText(establishedAt), ageText(now - establishedAt)));
  }
  if (timeoutMs !== undefined) lines.push(l10n.t('Session timeout: {0}', spanText(timeoutMs)));
  return lines;
}

const outcomeTexts: Readonly<Record<SourceOutcome, () => string>> = {
  ok: () => l10n.t('answered'),
  'not-allowed': () => l10n.t("not allowed by the server's 4lw.commands.whitelist"),
  unreachable: () => l10n.t('cannot be reached'),
  timeout: () => l10n.t('no complete answer in time'),
  'too-large': () => l10n.t('its answer is too large'),
  redirected: () => l10n.t('it redirects to another address, which is not followed'),
  malformed: () => l10n.t('its answer cannot be parsed'),
  foreign: () =>
    l10n.t('it does not know the session of this window, so its answer is ignored: it may belong to another cluster'),
  'not-serving': () => l10n.t('the server has no quorum'),
  'own-machine': () => l10n.t('not asked: the cluster reports this address, which is this machine here'),
  'local-network': () =>
    l10n.t('not asked: the cluster reports this address, which is link-local, multicast or broadcast'),
  'not-attempted': () => l10n.t('not asked'),
};

const questionTexts: Readonly<Record<SourceReport['question'], () => string>> = {
  connections: () => l10n.t('connections'),
  dump: () => l10n.t('sessions'),
  watches: () => l10n.t('watches'),
  statistics: () => l10n.t('statistics'),
};

/** One line for one source: who was asked for what, and what came of it. */
export function sourceLine({ server, by, question, outcome, detail }: SourceReport): string {
  const way = by === 'admin-server' ? 'AdminServer' : l10n.t('four-letter word');
  const text = outcomeTexts[outcome]();
  const end = detail === '' ? text : l10n.t('{0} ({1})', text, displayText(detail, 100));
  return l10n.t('{0}, {1} by {2}: {3}', displayText(server), questionTexts[question](), way, end);
}

/** The text of *Show Owner*. */
export interface OwnerFindings {
  cluster: string;
  contender: Contender;
  status: OwnerStatus;
  sources: readonly SourceReport[];
  /** Epoch ms. */
  now: number;
}

/** Who is behind a node, and which sources were asked; those that refused are named. */
export function ownerReport({ cluster, contender, status, sources, now }: OwnerFindings): Report {
  const identifier = contender.identifier === '' ? l10n.t('nothing') : foreign(contender.identifier);
  return {
    headline: aliveLine(status),
    blocks: [
      {
        kind: 'list',
        items: [
          l10n.t('Owner of {0} on {1}', foreign(contender.path), foreign(cluster)),
          l10n.t('Identifier: {0}', identifier),
          ownerLine(status),
          ...connectionLines(status, now),
        ],
      },
      ...section(l10n.t('Asked'), sources.map(sourceLine)),
    ],
  };
}
