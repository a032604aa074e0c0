import { l10n } from 'vscode';
import type { StaleReason } from '../../inspector/staleSigns.ts';
import { deadlockCaveat } from './deadlockCaveat.ts';
import { joined } from './language.ts';
import type { ContenderMarks, LockMarks } from '../../app/clusters/marks.ts';

/** Why a contender may be stale, in one sentence. */
export function staleReasonText(reason: StaleReason): string {
  switch (reason) {
    case 'not-ephemeral':
      return l10n.t('Not ephemeral: no session keeps it alive, so it stays when its owner dies.');
    case 'lease-expired':
      return l10n.t('Its own data say that its lease is over.');
    case 'owner-unknown':
      return l10n.t('The leader does not know its owner session.');
    case 'same-session':
      return l10n.t(
        'A later node of the same session waits for it: it is left over from a lost reply, or one program has two threads.',
      );
    case 'waits-for-nobody':
      return l10n.t('It does not hold the lock, and no event will wake it.');
  }
}

/** The same in a few words, for a line that is cut at its end. */
export function staleReasonWords(reason: StaleReason): string {
  switch (reason) {
    case 'not-ephemeral':
      return l10n.t('not ephemeral');
    case 'lease-expired':
      return l10n.t('its lease is over');
    case 'owner-unknown':
      return l10n.t('the leader does not know its session');
    case 'same-session':
      return l10n.t('a later node of the same session waits for it');
    case 'waits-for-nobody':
      return l10n.t('no event will wake it');
  }
}

function staleText({ stale }: ContenderMarks): string {
  const [first] = stale;
  if (first === undefined) return '';
  if (first.confidence === 'certain') return l10n.t('stale');
  return first.confidence === 'likely' ? l10n.t('looks stale') : l10n.t('maybe stale');
}

/** What a contender's row says about it; empty if nothing is wrong. */
export function contenderMarkText(marks: ContenderMarks | undefined): string {
  if (marks === undefined) return '';
  return joined([
    marks.deadlocked ? l10n.t('deadlocked') : '',
    staleText(marks),
    marks.longHeld ? l10n.t('held for long') : '',
  ]);
}

/** The reasons, a line each. */
export function contenderMarkLines(marks: ContenderMarks | undefined): string[] {
  if (marks === undefined) return [];
  const lines = marks.stale.map(({ reason }) => `⚠ ${staleReasonText(reason)}`);
  if (marks.deadlocked) {
    lines.push(
      `⚠ ${l10n.t('Its session is part of a deadlock: sessions wait for each other forever.')}`,
      deadlockCaveat(),
    );
  }
  if (marks.longHeld) lines.push(l10n.t('Held for longer than the limit in the settings. Age alone proves nothing.'));
  return lines;
}

/** What a lock's row says about its contenders. */
export function lockMarkText({ deadlocked, stale, maybeStale, longHeld }: LockMarks): string {
  return joined([
    deadlocked > 0 ? l10n.t('deadlocked') : '',
    stale > 0 ? l10n.t('{0} stale', stale) : '',
    stale === 0 && maybeStale > 0 ? l10n.t('{0} maybe stale', maybeStale) : '',
    longHeld > 0 ? l10n.t('held for long') : '',
  ]);
}

/** The trouble that a row's colour stands for; its words say the same. */
export type MarkSeverity = 'stale' | 'deadlocked';

/** @returns `undefined` for a lock without trouble */
export function lockSeverity({ deadlocked, stale }: LockMarks): MarkSeverity | undefined {
  if (deadlocked > 0) return 'deadlocked';
  return stale > 0 ? 'stale' : undefined;
}

/** Whether a contender is stale with more than the confidence *possible*. */
export function looksStale(marks: ContenderMarks | undefined): boolean {
  const [first] = marks?.stale ?? [];
  return first !== undefined && first.confidence !== 'possible';
}

/** @returns `undefined` for a contender without trouble */
export function contenderSeverity(marks: ContenderMarks | undefined): MarkSeverity | undefined {
  if (marks?.deadlocked === true) return 'deadlocked';
  return looksStale(marks) ? 'stale' : undefined;
}
