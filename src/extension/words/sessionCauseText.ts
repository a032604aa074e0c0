import { l10n } from 'vscode';
import type { LeaseCause } from '../../recipes/lock.ts';
import type { SessionCause } from '../../zookeeper/sessionCause.ts';
import { displayText } from '../../base/displayText.ts';
import { errorText } from './errorText.ts';
import { loginText } from './loginText.ts';
import { serverFailureText } from './serverFailureText.ts';

/** Why a session is uncertain or lost, as a whole sentence. */
export function sessionCauseText(cause: SessionCause): string {
  switch (cause.kind) {
    case 'late':
      return l10n.t('The server answers late.');
    case 'closed':
      return l10n.t('The session was closed.');
    case 'connection':
      return serverFailureText(cause.failure);
    case 'silent':
      return l10n.t('There was no confirmed contact for {0} ms.', cause.timeoutMs);
    case 'expired':
      return l10n.t('{0}: it says that the session has expired.', displayText(cause.server));
    case 'replaced':
      return l10n.t('{0}: it handed out another session.', displayText(cause.server));
    case 'login':
      return loginText(cause);
  }
}

/** Why a lease is uncertain or lost, as a whole sentence. */
export function leaseCauseText(cause: LeaseCause): string {
  switch (cause.kind) {
    case 'session':
      return cause.cause === undefined ? l10n.t('The session is over.') : sessionCauseText(cause.cause);
    case 'node-deleted':
      return l10n.t('Its node was deleted by somebody else.');
    case 'node-replaced':
      return l10n.t('Its node was replaced by somebody else.');
    case 'unread':
      return errorText(cause.error).what;
  }
}
