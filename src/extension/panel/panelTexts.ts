import { l10n } from 'vscode';
import type { PageText } from '../../panelTexts.ts';
import type { PanelTexts } from '../../protocol.ts';
import { kindText } from '../words/kindText.ts';

/** Every fixed text of the lock panel in the editor's language. The page replaces the braces. */
export function panelTexts(): PanelTexts {
  return {
    columns: {
      position: l10n.t('Position'),
      kind: l10n.t('Kind'),
      who: l10n.t('Who'),
      address: l10n.t('Address'),
      age: l10n.t('Age'),
      waitsFor: l10n.t('Waits for'),
      session: l10n.t('Session'),
      sequence: l10n.t('Sequence'),
      czxid: l10n.t('czxid'),
    },
    kinds: {
      exclusive: kindText('exclusive'),
      read: kindText('read'),
      write: kindText('write'),
      lease: kindText('lease'),
      candidate: kindText('candidate'),
    },
    page: { ...queueTexts(), ...tableTexts(), ...historyTexts(), ...spanTexts(), ...statusTexts() },
  };
}

type TextsOf<Prefix extends string> = Record<Extract<PageText, `${Prefix}.${string}`>, string>;

function queueTexts(): TextsOf<'queue' | 'mark'> {
  return {
    'queue.heading': l10n.t('Queue'),
    'queue.summary': l10n.t('{0} in the queue: {1} holding, {2} waiting'),
    'queue.holders': l10n.t('Holds'),
    'queue.waiters': l10n.t('Waits, in grant order'),
    'queue.readers': l10n.t('Readers'),
    'queue.readersGroup': l10n.t('{0} readers'),
    'queue.slots': l10n.t('{0} of {1} leases taken'),
    'queue.freeSlot': l10n.t('free'),
    'queue.folded': l10n.t('and {0} more'),
    'queue.unfold': l10n.t('Show more'),
    'queue.foldAgain': l10n.t('Show fewer'),
    'queue.tooMany': l10n.t('More are not drawn; the table has them all.'),
    'queue.edge': l10n.t('{0} waits for {1}'),
    'queue.deadlockEdge': l10n.t('{0} waits for {1}: part of a deadlock'),
    'queue.pictureLabel': l10n.t('Who holds the lock and who waits for whom'),
    'mark.holder': l10n.t('holds'),
    'mark.waiter': l10n.t('waits'),
    'mark.stale': l10n.t('looks stale'),
    'mark.deadlocked': l10n.t('deadlocked'),
    'mark.own': l10n.t('test lock of this window'),
    'mark.production': l10n.t('Production'),
    'mark.readOnly': l10n.t('Read-only'),
  };
}

function tableTexts(): TextsOf<'table' | 'row'> {
  return {
    'table.heading': l10n.t('Contenders'),
    'table.label': l10n.t('Contenders of the lock'),
    'table.filter': l10n.t('Filter'),
    'table.filterPlaceholder': l10n.t('Part of any column'),
    'table.filterClear': l10n.t('Clear filter'),
    'table.range': l10n.t('{0} to {1} of {2}'),
    'table.noMatch': l10n.t('No contender matches the filter.'),
    'table.previous': l10n.t('Previous page'),
    'table.next': l10n.t('Next page'),
    'table.sortedAscending': l10n.t('Sorted by {0}, ascending'),
    'table.sortedDescending': l10n.t('Sorted by {0}, descending'),
    'table.grantOrder': l10n.t('In grant order'),
    'table.keys': l10n.t(
      'Arrow keys move between cells. Enter on a heading sorts, on a cell opens its actions. Ctrl+C copies the cell.',
    ),
    'table.findOwners': l10n.t('Find owners'),
    'row.actions': l10n.t('Actions'),
    'row.copyCell': l10n.t('Copy cell'),
    'row.copyRow': l10n.t('Copy row'),
    'row.copyPath': l10n.t('Copy path'),
    'row.showData': l10n.t('Show node data'),
    'row.forceDelete': l10n.t('Force delete…'),
  };
}

function historyTexts(): TextsOf<'history' | 'figure'> {
  return {
    'history.heading': l10n.t('Timeline'),
    'history.since': l10n.t('Seen since {0}'),
    'history.empty': l10n.t('Nobody has been seen holding the lock since then.'),
    'history.unseen': l10n.t('Nothing has been seen yet.'),
    'history.pause': l10n.t('Pause'),
    'history.resume': l10n.t('Resume'),
    'history.paused': l10n.t('Paused: nothing is recorded.'),
    'history.clear': l10n.t('Clear'),
    'history.saveJson': l10n.t('Save as JSON…'),
    'history.saveCsv': l10n.t('Save as CSV…'),
    'history.events': l10n.t('Events kept: {0}, older ones dropped: {1}'),
    'history.barsLabel': l10n.t('Who held the lock from when to when'),
    'history.lengthLabel': l10n.t('Length of the queue over time'),
    'history.bar': l10n.t('{0} held from {1} to {2}: {3}'),
    'history.barOpen': l10n.t('{0} holds since {1}'),
    'history.barLastSeen': l10n.t('{0} held since {1} when last seen: {2}'),
    'history.hidden': l10n.t('Not drawn, for others held at the same time: {0}'),
    'history.unwatched': l10n.t('Not watched: nothing is known of this time'),
    'history.fromBefore': l10n.t('held already when watching began'),
    'figure.handOvers': l10n.t('Hand-overs'),
    'figure.longestQueue': l10n.t('Longest queue'),
    'figure.hold': l10n.t('Time held'),
    'figure.wait': l10n.t('Time waited'),
    'figure.gap': l10n.t('Gap between holders'),
    'figure.none': l10n.t('none seen yet'),
    'figure.spread': l10n.t('median {0}, 95 % within {1}, longest {2}'),
    'figure.spreadTwo': l10n.t('median {0}, 95 % within {1}'),
  };
}

export function spanTexts(): TextsOf<'span'> {
  return {
    'span.ms': l10n.t('{0} ms'),
    'span.s': l10n.t('{0} s'),
    'span.min': l10n.t('{0} min {1} s'),
    'span.h': l10n.t('{0} h {1} min'),
    'span.d': l10n.t('{0} d {1} h'),
  };
}

function statusTexts(): TextsOf<'status'> {
  return {
    'status.loading': l10n.t('Reading the queue.'),
    'status.live': l10n.t('Live'),
    'status.empty': l10n.t('Nobody holds the lock or waits for it.'),
    'status.gone': l10n.t('The lock does not exist (any more).'),
    'status.denied': l10n.t('The lock may not be read.'),
    'status.failed': l10n.t('The lock could not be read.'),
    'status.disconnected': l10n.t('Not current: this is the last that was seen.'),
    'status.lastContact': l10n.t('Last contact: {0}'),
    'status.reconnect': l10n.t('Reconnect'),
    'status.explain': l10n.t('Explain lock'),
  };
}
