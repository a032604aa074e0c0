import { l10n } from 'vscode';
import type { ClosedReason, ConnectFailure, ServerFailure } from '../../zookeeper/connectFailure.ts';
import {
  CancelledError,
  ConnectError,
  ConnectStringError,
  NotConnectedError,
  OutcomeUnknownError,
  ReplyLostError,
  ReplyTooLargeError,
  SessionLostError,
  ZooKeeperError,
  type ConnectStringFault,
} from '../../zookeeper/errors.ts';
import { MalformedReplyError } from '../../zookeeper/wire/jute.ts';
import { deleteErrorText } from './deleteErrorText.ts';
import { clusterFileErrorText } from './clusterFileErrorText.ts';
import { displayText } from '../../base/displayText.ts';
import { sentences } from './joinTexts.ts';
import { recipeErrorText } from './recipeErrorText.ts';
import { securityErrorText } from './securityErrorText.ts';
import { serverErrorText } from './serverErrorText.ts';
import { serverFailureText } from './serverFailureText.ts';
import { targetErrorText } from './targetErrorText.ts';
import { tlsAdvice, tlsGeneralAdvice } from './tlsErrorText.ts';

type PlainFailure = Exclude<ConnectFailure, 'tls' | 'closed'>;

/** What went wrong, and what to do next; both ready for the screen. */
export interface ErrorText {
  what: string;
  next: string;
}

/** An error in the person's language. Unknown errors show their own text. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof ZooKeeperError) return serverErrorText(error);
  if (error instanceof ConnectError) return connectErrorText(error);
  if (error instanceof ConnectStringError) {
    return { what: connectStringFaultText(error.fault, error.part), next: l10n.t('Edit the cluster.') };
  }
  return (
    recipeErrorText(error, errorSentence) ??
    securityErrorText(error) ??
    deleteErrorText(error) ??
    clusterFileErrorText(error) ??
    targetErrorText(error) ??
    sessionErrorText(error)
  );
}

/** Both parts as one text. */
export function errorSentence(error: unknown): string {
  const { what, next } = errorText(error);
  return sentences(what, next);
}

function sessionErrorText(error: unknown): ErrorText {
  if (error instanceof SessionLostError) {
    return { what: l10n.t('The session is lost.'), next: l10n.t('Connect again.') };
  }
  if (error instanceof NotConnectedError) {
    return { what: l10n.t('There is no connection to the cluster.'), next: l10n.t('Try again when it is back.') };
  }
  if (error instanceof ReplyLostError) {
    return { what: l10n.t('The cluster did not answer.'), next: l10n.t('Try again.') };
  }
  if (error instanceof OutcomeUnknownError) {
    return {
      what: l10n.t('The answer was lost: {0} may or may not have been changed.', displayText(error.path)),
      next: l10n.t('Look at it before you try again.'),
    };
  }
  if (error instanceof ReplyTooLargeError) {
    return {
      what: l10n.t('The answer for {0} is too large to show ({1} bytes).', displayText(error.path), error.bytes),
      next: l10n.t('Open a smaller part of the tree.'),
    };
  }
  if (error instanceof MalformedReplyError) {
    return {
      what: l10n.t('The server sent an answer that no ZooKeeper would give.'),
      next: l10n.t('Check what stands between here and the server. The log has the details.'),
    };
  }
  if (error instanceof CancelledError) return { what: l10n.t('Cancelled.'), next: '' };
  return {
    what: displayText(error instanceof Error ? error.message : String(error)),
    next: l10n.t('See the log for details.'),
  };
}

function connectErrorText(error: ConnectError): ErrorText {
  const what =
    error.causes.length === 0
      ? l10n.t('No server was tried within the time limit.')
      : sentences(...error.causes.map(cause => serverFailureText(cause)));
  return { what, next: connectAdvice(error.causes) };
}

function generalAdvice(): string {
  return l10n.t('Check the connect string and the network.');
}

/** One piece of advice, for what all servers have in common. */
function connectAdvice(causes: readonly ServerFailure[]): string {
  const [first] = causes;
  if (first === undefined || causes.some(({ failure }) => failure !== first.failure)) return generalAdvice();
  if (!('reason' in first)) return plainAdvice(first.failure);
  const isShared = causes.every(cause => 'reason' in cause && cause.reason === first.reason);
  if (first.failure === 'tls') return isShared ? tlsAdvice(first.reason) : tlsGeneralAdvice();
  return isShared ? closedAdvice(first.reason) : closedGeneralAdvice();
}

function closedAdvice(reason: ClosedReason): string {
  switch (reason) {
    case 'not-serving':
      return l10n.t('The ensemble may have no quorum, or the server may still be starting. Try again.');
    case 'mute':
      return l10n.t(
        'If this is the secure client port, edit the cluster and choose TLS. The server may also have too many connections.',
      );
    case 'hung-up':
      return l10n.t('The server may have too many connections from this machine.');
    case 'broke-off':
      return generalAdvice();
  }
}

function closedGeneralAdvice(): string {
  return l10n.t('The servers may be without quorum, have too many connections, or want TLS.');
}

function plainAdvice(failure: PlainFailure): string {
  switch (failure) {
    case 'dns':
      return l10n.t('Check the spelling, and whether a VPN is needed.');
    case 'refused':
      return l10n.t('Check the port (2181 is usual), and whether ZooKeeper runs.');
    case 'not-zookeeper':
      return l10n.t("Check the port: it must be ZooKeeper's client port.");
    case 'read-only':
      return l10n.t('Wait until a majority of the ensemble runs again, or ask who runs it.');
    case 'behind':
      return l10n.t('Disconnect and connect again: a new session begins with what the cluster has now.');
    case 'unreachable':
    case 'timeout':
      return generalAdvice();
  }
}

/** Why a connect string cannot be used. `part` is foreign text. */
export function connectStringFaultText(fault: ConnectStringFault, part: string): string {
  const shown = displayText(part, 60);
  switch (fault) {
    case 'empty':
      return l10n.t('Type at least one server, for example localhost:2181.');
    case 'blank':
      return l10n.t('There is a blank in "{0}". Separate servers with commas.', shown);
    case 'host':
      return part.trim() === ''
        ? l10n.t('A host name is missing: write host:port, separated by single commas.')
        : l10n.t('"{0}" is not a host. An IPv6 address goes in brackets, like [::1]:2181.', shown);
    case 'port':
      return l10n.t('The port in "{0}" must be a number from 1 to 65535.', shown);
    case 'chroot':
      return l10n.t('"{0}" is not a path. A path at the end looks like /team/locks.', shown);
    case 'separator':
      return l10n.t('Separate servers with commas, not as in "{0}".', shown);
  }
}
