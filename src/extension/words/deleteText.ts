import { lastSegment } from '../../base/paths.ts';
import type { DeleteConsequences } from '../../inspector/deleteConsequences.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { joined, l10n, nameText, sentences } from './language.ts';
import { standingText } from './heldText.ts';
import { whoText } from './contenderText.ts';
import { displayEnd, displayText } from '../../base/displayText.ts';
import { useText, type ClusterUse } from './clusterText.ts';
import type { FinishedAct } from '../../app/deletes/deletePipeline.ts';
import { mayLive, nameOf } from '../../app/deletes/lookAtContender.ts';
import { aliveLine, sessionLine } from './ownerText.ts';

// A question is cut so that its dialog fits a window of 600 x 480: VS Code's dialog is 480 px wide, about 60 characters.

/** Longest foreign text of a line, in characters. */
const lineLength = 56;
const shownNames = 3;

function namesText(contenders: readonly Contender[]): string {
  const names = contenders.slice(0, shownNames).map(contender => whoText(contender, 20));
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

/** What the program behind the node does afterwards; empty if there is none. */
function programLine({ owner, twoHoldersPossible, contender }: DeleteConsequences): string {
  if (!mayLive(owner)) return '';
  // A persistent node may belong to a program that still runs: only its session does not show it.
  if (owner.alive === 'no-owner') {
    return contender.role === 'holder'
      ? l10n.t('If a program still works under this lock, it is not notified, and two holders are possible.')
      : l10n.t('If a program still waits with this node, it is not notified.');
  }
  return twoHoldersPossible
    ? l10n.t('It is NOT notified and works on as if it still held the lock: two holders at the same time are possible.')
    : l10n.t('It is NOT notified. Its place is lost, and it may wait for ever.');
}

/** What is at stake: whether the program behind the node works with it. */
function title({ role }: Contender, { alive }: OwnerStatus, lock: string): string {
  const isHolder = role === 'holder';
  switch (alive) {
    case 'yes':
      return isHolder ? l10n.t('Delete a LIVE holder of {0}?', lock) : l10n.t('Delete a LIVE waiter of {0}?', lock);
    case 'no':
      return isHolder
        ? l10n.t('Delete a holder of {0} whose session has ended?', lock)
        : l10n.t('Delete a waiter of {0} whose session has ended?', lock);
    case 'unknown':
    case 'no-owner':
      return isHolder
        ? l10n.t('Delete a holder of {0} that may be alive?', lock)
        : l10n.t('Delete a waiter of {0} that may be alive?', lock);
  }
}

/**
 * The question before a contender's node is deleted: what is at stake, then the consequences, then the facts. Every foreign text is
 * clean and cut, since a long dialog hides its end.
 */
export function deleteQuestion(
  profile: ClusterUse & Pick<ClusterProfile, 'name'>,
  consequences: DeleteConsequences,
): { question: string; detail: string } {
  const { lock, contender, owner, now, remainingHolders } = consequences;
  const program = programLine(consequences);
  const facts = [
    clusterLine(profile),
    l10n.t(
      'Lock: {0}',
      displayEnd(lock.lockName === undefined ? lock.path : `${lock.path} ${lock.lockName}`, lineLength),
    ),
    l10n.t('Node: {0}', displayEnd(lastSegment(contender.path), lineLength)),
    l10n.t('Who: {0}', joined([whoText(contender, 40), standingText(contender, now)])),
    sessionLine(owner),
    owner.alive === 'yes' ? '' : aliveLine(owner),
  ];
  return {
    question: title(contender, owner, nameText(nameOf(lock), 40)),
    detail: joined(
      [
        program === '' ? '' : `⚠ ${program}`,
        successionLine(consequences),
        remainingHolders.length > 0 ? l10n.t('Still holding afterwards: {0}', namesText(remainingHolders)) : '',
        `\n${joined(facts, '\n')}`,
      ],
      '\n',
    ),
  };
}

/** Which cluster, for a question. */
export function clusterLine(profile: ClusterUse & Pick<ClusterProfile, 'name'>): string {
  return l10n.t('Cluster: {0} ({1})', displayText(profile.name, 40), useText(profile));
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
