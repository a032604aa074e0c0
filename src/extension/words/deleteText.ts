import { l10n } from 'vscode';
import type { DeleteConsequences } from '../../inspector/deleteConsequences.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { sentences, joined } from './language.ts';
import { standingLine } from './heldText.ts';
import { dialectText, whoText, kindText } from './contenderText.ts';
import { displayText } from '../../base/displayText.ts';
import { environmentText } from './clusterText.ts';
import type { FinishedAct } from '../../app/deletes/deletePipeline.ts';
import { mayLive } from '../../app/deletes/lookAtContender.ts';
import { aliveLine, ownerLine } from './ownerText.ts';

/** A modal dialog has no scroll bar. */
const shownNames = 5;

function namesText(contenders: readonly Contender[]): string {
  const names = contenders.slice(0, shownNames).map(whoText);
  if (contenders.length > shownNames) names.push(l10n.t('and {0} more', contenders.length - shownNames));
  return names.join(', ');
}

function successionLine({ succession, nextHolders, contender, hasWaiters }: DeleteConsequences): string {
  if (succession === 'race') return l10n.t('Gets the lock next: the first client that creates the node.');
  if (succession === 'election')
    return l10n.t('Gets the lock next: the one that the waiters elect by the data of their nodes.');
  if (succession === 'limit-unknown' && nextHolders.length > 0) {
    return l10n.t('Gets the lock next, probably: {0}', namesText(nextHolders));
  }
  if (nextHolders.length > 0) return l10n.t('Gets the lock next: {0}', namesText(nextHolders));
  if (contender.role === 'waiter') return l10n.t('The delete does not pass the lock on.');
  return hasWaiters
    ? l10n.t('Gets the lock next: none of those that wait.')
    : l10n.t('Gets the lock next: no one, there are no waiters.');
}

function warningLines(consequences: DeleteConsequences): string[] {
  const { owner, twoHoldersPossible, contender } = consequences;
  if (!mayLive(owner)) return [];
  // A persistent node may belong to a program that still runs: only its session does not show it.
  if (owner.alive === 'no-owner') {
    return contender.role === 'holder'
      ? [l10n.t('If a program still works under this lock, it is not notified, and two holders are possible.')]
      : [l10n.t('If a program still waits with this node, it is not notified.')];
  }
  return [
    l10n.t('The owner is NOT notified. It continues to work as if it still held the lock.'),
    twoHoldersPossible ? l10n.t('Two holders at the same time are possible.') : '',
  ];
}

/** The question before a contender's node is deleted, with its consequences. Every foreign text is clean. */
export function deleteQuestion(
  profile: Pick<ClusterProfile, 'name' | 'environment'>,
  consequences: DeleteConsequences,
): { question: string; detail: string } {
  const { lock, contender, position, owner, now, remainingHolders } = consequences;
  const role = contender.role === 'holder' ? l10n.t('holds') : l10n.t('waits');
  const lockName = lock.lockName === undefined ? '' : displayText(lock.lockName);
  const lines = [
    l10n.t('Cluster: {0} ({1})', displayText(profile.name), environmentText(profile.environment)),
    l10n.t('Lock: {0}', joined([displayText(lock.path, 400), lockName], ' ')),
    l10n.t('Node: {0}', displayText(contender.path, 600)),
    l10n.t('Who: {0}', whoText(contender)),
    l10n.t(
      'Kind: {0}, {1}, position {2}, naming scheme: {3}',
      kindText(contender.kind),
      role,
      position,
      dialectText(lock.dialect),
    ),
    ownerLine(owner),
    aliveLine(owner),
    standingLine(contender, now),
    successionLine(consequences),
    remainingHolders.length > 0 ? l10n.t('Still holding afterwards: {0}', namesText(remainingHolders)) : '',
  ];
  const warnings = warningLines(consequences).filter(line => line !== '');
  const facts = lines.filter(line => line !== '');
  return {
    question:
      contender.role === 'holder'
        ? l10n.t('Force delete the node that holds {0}?', displayText(lock.path))
        : l10n.t('Force delete a waiter of {0}?', displayText(lock.path)),
    detail: [...facts, ...(warnings.length > 0 ? ['', ...warnings.map(line => `⚠ ${line}`)] : [])].join('\n'),
  };
}

/** A message; `calm` if the outcome is what the user wanted. */
export interface OutcomeText {
  text: string;
  calm: boolean;
}

/**
 * The outcome of a force delete, or of a request to release.
 *
 * @param next the contenders that get the lock once the node is gone
 */
export function outcomeText({ act, outcome, stillThere }: FinishedAct, next: readonly Contender[] = []): OutcomeText {
  const path = displayText(act.target.path);
  switch (outcome) {
    case 'deleted': {
      const after = next.length > 0 ? l10n.t('Next: {0}.', namesText(next)) : '';
      return { text: sentences(l10n.t('{0} was deleted.', path), after), calm: true };
    }
    case 'already gone':
    case 'changed':
      return unchangedText(act.target.path, outcome);
    case 'requested':
      return { text: l10n.t('The holder was asked to release the lock. The queue shows whether it does.'), calm: true };
    case 'already requested':
      return { text: l10n.t('The holder was already asked, and still holds it.'), calm: false };
    case 'unknown':
      if (act.action === 'request revoke')
        return { text: l10n.t('The answer was lost: it is not known whether the holder was asked.'), calm: false };
      return { text: unknownText(path, stillThere === true), calm: false };
  }
}

/** Why a node was left alone: it is gone, or another node has its name. */
export function unchangedText(path: string, why: 'already gone' | 'changed'): OutcomeText {
  const shown = displayText(path);
  if (why === 'already gone') return { text: l10n.t('{0} was already gone. Nothing was deleted.', shown), calm: true };
  const text = l10n.t(
    '{0} has changed since you looked: it is another node now. Nothing was deleted. Look at the queue again.',
    shown,
  );
  return { text, calm: false };
}

function unknownText(path: string, stillThere: boolean): string {
  return stillThere
    ? l10n.t('The answer was lost, but {0} is still there: nothing was deleted so far. Check it, then repeat.', path)
    : l10n.t(
        'The answer was lost: {0} may or may not be deleted. Refresh the lock when the cluster answers again; repeat only if the node still exists.',
        path,
      );
}
