import { l10n } from 'vscode';
import { aclText, RefusedDelete, type RefusalReason } from '../../inspector/refusedDelete.ts';
import { RefusedRevoke } from '../../inspector/refusedRevoke.ts';
import { displayText } from '../../base/displayText.ts';
import { sentences } from './joinTexts.ts';

/** Why a node was not deleted, in one sentence. */
export function refusalText(reason: RefusalReason): string {
  switch (reason) {
    case 'read-only':
      return l10n.t('The cluster is marked read-only.');
    case 'invalid-path':
      return l10n.t('This is no path of a node.');
    case 'root':
      return l10n.t('The root of the tree or of the chroot is never deleted.');
    case 'depth':
      return l10n.t('Nodes directly below the root are never deleted.');
    case 'zookeeper':
      return l10n.t("What lies below /zookeeper is the server's own.");
    case 'not-a-contender':
      return l10n.t('It is not recognised as a contender of a lock.');
    default:
      return contentText(reason);
  }
}

function contentText(
  reason: Exclude<RefusalReason, 'read-only' | 'invalid-path' | 'root' | 'depth' | 'zookeeper' | 'not-a-contender'>,
): string {
  switch (reason) {
    case 'unreadable':
      return l10n.t('It may not be read, so it cannot be compared with what you saw.');
    case 'has-children':
      return l10n.t('It has children, and a contender has none.');
    case 'not-empty':
      return l10n.t('It has children now: somebody uses the lock.');
    case 'not-a-lock-directory':
      return l10n.t('Nothing says that it was a lock: it holds content of its own or never had a child.');
    case 'no-permission':
      return l10n.t('The right DELETE is missing on the parent; the ACL of the node itself does not matter.');
    case 'too-many':
      return l10n.t('At most 100 nodes are deleted at once.');
  }
}

function refusalAdvice({ reason, missing }: RefusedDelete): string {
  if (missing !== undefined) {
    return l10n.t(
      'The ACL of {0} is: {1}. Ask its owner, or log in as somebody who has DELETE there.',
      displayText(missing.parent),
      missing.parentAcl === undefined ? l10n.t('not readable') : displayText(aclText(missing.parentAcl), 400),
    );
  }
  if (reason === 'read-only') return l10n.t('Edit the cluster if it must be.');
  if (reason === 'has-children' || reason === 'not-a-contender') return l10n.t('Use another tool if it must go.');
  return '';
}

/** Why nothing was deleted or asked for, ready for the screen; `undefined` for any other error. */
export function deleteErrorText(error: unknown): { what: string; next: string } | undefined {
  if (error instanceof RefusedDelete) {
    return {
      what: sentences(l10n.t('{0} was not deleted.', displayText(error.path)), refusalText(error.reason)),
      next: refusalAdvice(error),
    };
  }
  if (error instanceof RefusedRevoke) {
    const why =
      error.reason === 'does-not-listen' ? l10n.t('Its owner does not listen for that.') : refusalText(error.reason);
    return {
      what: sentences(l10n.t('{0} was not asked to give the lock back.', displayText(error.path)), why),
      next: l10n.t('Only a revocable Curator mutex can be asked.'),
    };
  }
  return undefined;
}
