import { l10n } from 'vscode';
import {
  LockCancelled,
  LockTimeout,
  MultiReleaseError,
  QueueCorrupted,
  RemovedFromQueue,
  SessionLost,
  WrongDialect,
} from '../../recipes/errors.ts';
import { ReadOnlyCluster, SelfBlocked } from '../testLocks/testLockErrors.ts';
import { pathsText, recipeText } from '../testLocks/testLockText.ts';
import { displayText } from './displayText.ts';

/** Why a test lock was not taken or given back, ready for the screen; `undefined` for any other error. */
export function recipeErrorText(error: unknown): { what: string; next: string } | undefined {
  return requestErrorText(error) ?? attemptErrorText(error);
}

/** Refused before anything was sent, or because of what stands at the path. */
function requestErrorText(error: unknown): { what: string; next: string } | undefined {
  if (error instanceof ReadOnlyCluster) {
    return {
      what: l10n.t('The cluster "{0}" is marked read-only: no locks are taken there.', displayText(error.cluster)),
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
  if (error instanceof WrongDialect || error instanceof QueueCorrupted) {
    // Which of many reasons it is, only its own text says.
    return { what: displayText(error.message, 400), next: '' };
  }
  return undefined;
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
  if (error instanceof MultiReleaseError) {
    return {
      what: l10n.t('{0} of the locks were not released.', error.errors.length),
      next: l10n.t('Their nodes go when the session ends. See the log for details.'),
    };
  }
  if (error instanceof LockCancelled) return { what: l10n.t('Cancelled.'), next: '' };
  return undefined;
}
