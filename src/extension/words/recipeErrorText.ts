import { l10n } from 'vscode';
import {
  LockCancelled,
  LockTimeout,
  MultiReleaseError,
  NodeLeftBehind,
  QueueCorrupted,
  RemovedFromQueue,
  SessionLost,
  WrongDialect,
  type DialectFault,
} from '../../recipes/errors.ts';
import { isZooKeeperError } from '../../zookeeper/errors.ts';
import { ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import { NodeRemains, SelfBlocked } from '../../app/testLocks/testLock.ts';
import { pathsText, recipeText } from './testLockText.ts';
import { dialectText } from './dialectText.ts';
import { displayText } from '../../base/displayText.ts';
import { listed, sentences } from './joinTexts.ts';

/**
 * Why a test lock was not taken or given back, ready for the screen; `undefined` for any other error.
 *
 * @param sentence any error as one text, for errors that gather others
 */
export function recipeErrorText(
  error: unknown,
  sentence: (error: unknown) => string,
): { what: string; next: string } | undefined {
  if (error instanceof MultiReleaseError) return multiReleaseText(error, sentence);
  if (error instanceof NodeRemains) return nodeRemainsText(error);
  if (error instanceof NodeLeftBehind) return nodeLeftText(error, sentence);
  return requestErrorText(error) ?? attemptErrorText(error);
}

/** Refused before anything was sent, or because of what stands at the path. */
function requestErrorText(error: unknown): { what: string; next: string } | undefined {
  if (error instanceof ReadOnlyCluster) {
    const cluster = displayText(error.cluster);
    return {
      what:
        error.refused === 'delete'
          ? l10n.t('The cluster "{0}" is marked read-only: nothing is deleted there.', cluster)
          : l10n.t('The cluster "{0}" is marked read-only: no locks are taken there.', cluster),
      next: l10n.t('Edit the cluster if it must be.'),
    };
  }
  if (error instanceof SelfBlocked) {
    const { request } = error.lock;
    return {
      what: l10n.t(
        'This window holds {0} already: waiting for it would be a deadlock with itself.',
        displayText(error.path),
      ),
      next: l10n.t('First release "{0}" ({1}) under Test Locks.', pathsText(request), recipeText(request.recipe)),
    };
  }
  if (error instanceof WrongDialect) return dialectFaultText(displayText(error.path), error.fault);
  if (error instanceof QueueCorrupted) {
    const path = displayText(error.path);
    return {
      what:
        error.fault === 'run-out'
          ? l10n.t('{0} was not touched: its sequence counter has run out.', path)
          : l10n.t('{0} was not touched: its sequence counter stands still.', path),
      next: l10n.t("Let its queue run empty, and create the lock's directory anew."),
    };
  }
  return undefined;
}

function dialectFaultText(path: string, fault: DialectFault): { what: string; next: string } {
  switch (fault.kind) {
    case 'in-use':
    case 'no-recipe':
      return missingRecipeText(path, fault.kind, dialectText(fault.dialect), recipeText(fault.recipe));
    case 'semaphore':
      return {
        what: l10n.t('{0} was not touched: a semaphore of {1} is in use there.', path, dialectText(fault.dialect)),
        next: l10n.t('Acquire a semaphore at {0}, or choose another path.', displayText(fault.semaphore)),
      };
    case 'stranger':
      return {
        what: l10n.t(
          '{0} was not touched: "{1}" belongs to another kind of lock, and the two would not see each other.',
          path,
          displayText(fault.name),
        ),
        next: l10n.t('Choose the dialect in use there, or another path.'),
      };
    case 'limit':
      return {
        what: l10n.t('{0} was not touched: its limit is "{1}", not {2}.', path, displayText(fault.found), fault.wanted),
        next: l10n.t('Acquire it again with the same limit as the others.'),
      };
    case 'directory':
      return {
        what: l10n.t('{0} was not touched: it has children, and an exclusive lock is a single node.', path),
        next: l10n.t('Choose a path below it.'),
      };
    case 'twice':
      return {
        what: l10n.t('{0} was not touched: it is named twice, so it would wait for itself.', path),
        next: l10n.t('Name each path once.'),
      };
  }
}

function missingRecipeText(
  path: string,
  kind: 'in-use' | 'no-recipe',
  dialect: string,
  recipe: string,
): { what: string; next: string } {
  return kind === 'in-use'
    ? {
        what: l10n.t(
          '{0} was not touched: locks of {1} are in use there, and cannot be taken as "{2}".',
          path,
          dialect,
          recipe,
        ),
        next: l10n.t('Choose another recipe or another path.'),
      }
    : {
        what: l10n.t('{0} was not touched: {1} has no {2} lock.', path, dialect, recipe),
        next: l10n.t('Choose another recipe or another dialect.'),
      };
}

/** More would not be read in one message. */
const failuresTold = 3;

function multiReleaseText(
  { errors }: MultiReleaseError,
  sentence: (error: unknown) => string,
): { what: string; next: string } {
  const reasons = errors.slice(0, failuresTold).map(sentence);
  return {
    what: sentences(l10n.t('Locks that were not released: {0}.', errors.length), ...new Set(reasons)),
    next: l10n.t('Their nodes go when the session ends. See the log for details.'),
  };
}

function nodeRemainsText({ lock: { request } }: NodeRemains): { what: string; next: string } {
  return {
    what: l10n.t(
      '"{0}" stays under Test Locks: its node could not be deleted and still blocks others.',
      pathsText(request),
    ),
    next: l10n.t(
      'The node goes when the session ends: release the other test locks of the cluster "{0}", then dismiss this one.',
      displayText(request.cluster.profile.name),
    ),
  };
}

function nodeLeftText(
  { why, nodes, cause }: NodeLeftBehind,
  sentence: (error: unknown) => string,
): { what: string; next: string } {
  const paths = listed(nodes.slice(0, failuresTold).map(({ path }) => displayText(path)));
  return {
    what: sentences(
      (requestErrorText(why) ?? attemptErrorText(why))?.what ?? sentence(why),
      nodes.length === 1
        ? l10n.t('Its node is still in the queue: {0}.', paths)
        : l10n.t('Its nodes are still in their queues: {0}.', paths),
      isZooKeeperError(cause, 'NO_AUTH') ? l10n.t('You have no permission to delete it.') : sentence(cause),
    ),
    next: l10n.t(
      'It goes with the session: release your other test locks of this cluster and disconnect it. Or ask somebody with the DELETE right to delete it.',
    ),
  };
}

function attemptErrorText(error: unknown): { what: string; next: string } | undefined {
  if (error instanceof LockTimeout) {
    return {
      what: l10n.t('{0} was not acquired in time.', displayText(error.path)),
      next: l10n.t('The queue shows who holds it.'),
    };
  }
  if (error instanceof SessionLost) {
    return {
      what: l10n.t('{0} was not acquired: the session ended while it waited.', displayText(error.path)),
      next: l10n.t('Acquire it again.'),
    };
  }
  if (error instanceof RemovedFromQueue) {
    return {
      what: l10n.t('{0} was deleted by somebody else while it waited.', displayText(error.path)),
      next: l10n.t('Acquire it again to queue up at the end.'),
    };
  }
  if (error instanceof LockCancelled) return { what: l10n.t('Cancelled.'), next: '' };
  return undefined;
}
