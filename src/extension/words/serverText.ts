import { byKind } from '../../base/byKind.ts';
import { displayText } from '../../base/displayText.ts';
import { aclText } from '../../inspector/refusedDelete.ts';
import { identityText, ownersOf, rightNeeded, type AccessDeniedError } from '../../zookeeper/accessDenied.ts';
import type { ClosedReason, ConnectFailure, ServerFailure, TlsReason } from '../../zookeeper/connectFailure.ts';
import type * as client from '../../zookeeper/errors.ts';
import type { LoginCause, LoginRefusal, SessionCause } from '../../zookeeper/sessionCause.ts';
import { inEditor, l10n, type Language, nameText, sentencesIn, spanText } from './language.ts';

/** What went wrong, and what to do next; both ready for the screen. */
export interface ErrorText {
  what: string;
  /** May be empty. */
  next: string;
}

type FailureKind = Exclude<ConnectFailure, 'tls' | 'closed'> | `tls ${TlsReason}` | `closed ${ClosedReason}`;

function kindOf(cause: ServerFailure): FailureKind {
  if (cause.failure === 'tls') return `tls ${cause.reason}`;
  return cause.failure === 'closed' ? `closed ${cause.reason}` : cause.failure;
}

/** @param detail of the failure; used only where the kind alone does not say enough */
type FailureRow = (l10n: Language, server: string, detail: string) => string;

const failureTexts: Readonly<Record<FailureKind, FailureRow>> = {
  dns: (l10n, server) => l10n.t('{0}: the host name is not known.', server),
  refused: (l10n, server) => l10n.t('{0}: nothing listens on this port.', server),
  unreachable: (l10n, server) => l10n.t('{0}: the host cannot be reached.', server),
  timeout: (l10n, server) => l10n.t('{0}: no answer in time.', server),
  'not-zookeeper': (l10n, server) => l10n.t('{0}: this is not a ZooKeeper server.', server),
  'read-only': (l10n, server) => l10n.t('{0}: quorum lost, the server is read-only.', server),
  behind: (l10n, server) =>
    l10n.t('{0}: its data are older than what this session has seen. The cluster was wiped or restored.', server),
  'closed not-serving': (l10n, server) => l10n.t('{0}: it is up but serves no requests.', server),
  'closed mute': (l10n, server) => l10n.t('{0}: it closed the connection without an answer.', server),
  'closed not-caught-up': (l10n, server) =>
    l10n.t('{0}: it has not yet received the latest changes that this session has seen.', server),
  'closed hung-up': (l10n, server) => l10n.t('{0}: it closed the connection during the handshake.', server),
  'closed broke-off': (l10n, server) => l10n.t('{0}: the connection broke off.', server),
  'tls wrong-host': (l10n, server, detail) =>
    l10n.t('{0}: its certificate is for other host names ({1}).', server, detail),
  'tls expired': (l10n, server) => l10n.t('{0}: its certificate has expired.', server),
  'tls not-yet-valid': (l10n, server) => l10n.t('{0}: its certificate is not valid yet.', server),
  'tls revoked': (l10n, server) => l10n.t('{0}: its certificate was revoked.', server),
  'tls self-signed': (l10n, server) => l10n.t('{0}: its certificate is self-signed and not trusted.', server),
  'tls unknown-authority': (l10n, server) => l10n.t('{0}: its certificate was issued by an unknown authority.', server),
  'tls plain-port': (l10n, server) => l10n.t('{0}: this port does not speak TLS.', server),
  'tls tls-port': (l10n, server) => l10n.t('{0}: this port speaks TLS, but the connection is not encrypted.', server),
  'tls hung-up': (l10n, server) =>
    l10n.t('{0}: it closed the connection during the TLS handshake, as a port without TLS does.', server),
  'tls certificate-demanded': (l10n, server) => l10n.t('{0}: it requires a client certificate.', server),
  'tls certificate-refused': (l10n, server) => l10n.t('{0}: it refused the client certificate.', server),
  'tls no-common-version': (l10n, server) => l10n.t('{0}: it offers no safe TLS version or cipher.', server),
  'tls own-files': (l10n, server) => l10n.t('{0}: the certificate, the key or the passphrase cannot be used.', server),
  'tls other': (l10n, server, detail) => l10n.t('{0}: no secure connection ({1}).', server, detail),
};

type Advice = (l10n: Language) => string;

const generalAdvice: Advice = l10n => l10n.t('Check the connect string and the network.');
const closedAdvice: Advice = l10n =>
  l10n.t('The servers may have no quorum, have too many connections, or require TLS.');
const tlsAdvice: Advice = l10n =>
  l10n.t('Edit the cluster: check the CA certificates, the client certificate and the secure client port.');
const renewAdvice: Advice = l10n => l10n.t('Ask the operator of the server to renew the certificate.');
const plainPortAdvice: Advice = l10n =>
  l10n.t('Edit the cluster: use the secure client port, or connect without encryption.');

/** Kinds that need more than `generalAdvice`. */
const advice: Readonly<Partial<Record<FailureKind, Advice>>> = {
  dns: l10n => l10n.t('Check the spelling, and whether a VPN is needed.'),
  refused: l10n => l10n.t('Check the port (2181 is usual), and whether ZooKeeper runs.'),
  'not-zookeeper': l10n => l10n.t("Check the port: it must be ZooKeeper's client port."),
  'read-only': l10n => l10n.t('Wait until a majority of the ensemble runs again, or ask its operator.'),
  behind: l10n => l10n.t('Disconnect and connect again: a new session accepts the current data.'),
  'closed not-serving': l10n =>
    l10n.t('The ensemble may have no quorum, or the server may still be starting. Try again.'),
  'closed mute': l10n =>
    l10n.t(
      'If this is the secure client port, edit the cluster and choose TLS. The server may also have too many connections.',
    ),
  'closed hung-up': l10n => l10n.t('The server may have too many connections from this machine.'),
  'tls wrong-host': l10n => l10n.t('Edit the cluster: use one of these names, or set the server name to expect.'),
  'tls expired': renewAdvice,
  'tls not-yet-valid': l10n =>
    l10n.t('Check the clock of this machine, and the date from which the certificate is valid.'),
  'tls revoked': renewAdvice,
  'tls self-signed': l10n => l10n.t('Edit the cluster: choose this certificate as CA if you trust it.'),
  'tls unknown-authority': l10n =>
    l10n.t('Edit the cluster: choose the CA certificates of this authority if you trust it.'),
  'tls plain-port': plainPortAdvice,
  'tls tls-port': l10n => l10n.t('Edit the cluster: choose TLS, or use the plain client port.'),
  'tls hung-up': plainPortAdvice,
  'tls certificate-demanded': l10n => l10n.t('Edit the cluster: choose TLS with client certificate.'),
  'tls certificate-refused': l10n =>
    l10n.t('Edit the cluster: choose another client certificate, one that the server trusts.'),
  'tls no-common-version': l10n => l10n.t('Ask the operator of the server to enable TLS 1.2 or 1.3.'),
  'tls own-files': l10n => l10n.t('Edit the cluster: choose the files again.'),
  'tls other': tlsAdvice,
};

/** Advice for what all servers have in common. */
function connectAdvice([first, ...others]: readonly ServerFailure[]): Advice {
  if (first === undefined || others.some(({ failure }) => failure !== first.failure)) return generalAdvice;
  if (others.every(other => kindOf(other) === kindOf(first))) return advice[kindOf(first)] ?? generalAdvice;
  return first.failure === 'tls' ? tlsAdvice : closedAdvice;
}

/** Why a server cannot be used, as a whole sentence. */
function serverFailureText(cause: ServerFailure, l10n: Language): string {
  const { host, port, detail } = cause;
  const server = displayText(host.includes(':') ? `[${host}]:${String(port)}` : `${host}:${String(port)}`);
  return failureTexts[kindOf(cause)](l10n, server, displayText(detail));
}

/** The failure of each server, and what to do. */
export function connectErrorText(l10n: Language, { causes }: client.ConnectError): ErrorText {
  const failures = causes.map(cause => serverFailureText(cause, l10n));
  return {
    what: causes.length === 0 ? l10n.t('No server was tried within the time limit.') : sentencesIn(l10n, failures),
    next: connectAdvice(causes)(l10n),
  };
}

type ConnectStringRow = (l10n: Language, shown: string, part: string) => string;

const connectStringTexts: Readonly<Record<client.ConnectStringError['fault'], ConnectStringRow>> = {
  empty: l10n => l10n.t('Type at least one server, for example localhost:2181.'),
  blank: (l10n, shown) => l10n.t('There is a space in "{0}". Separate servers with commas.', shown),
  host: (l10n, shown, part) =>
    part.trim() === ''
      ? l10n.t('A host name is missing: write host:port, separated by single commas.')
      : l10n.t('"{0}" is not a host. An IPv6 address goes in brackets, like [::1]:2181.', shown),
  port: (l10n, shown) => l10n.t('The port in "{0}" must be a number from 1 to 65535.', shown),
  chroot: (l10n, shown) => l10n.t('"{0}" is not a path. A path at the end looks like /team/locks.', shown),
  separator: (l10n, shown) => l10n.t('Separate servers with commas, not as in "{0}".', shown),
};

/** Why a connect string cannot be used. `part` is foreign text. */
export function connectStringText(l10n: Language, { fault, part }: client.ConnectStringError): string {
  return connectStringTexts[fault](l10n, displayText(part, 60), part);
}

const loginTexts: Readonly<Record<LoginRefusal, (l10n: Language, scheme: string) => string>> = {
  malformed: (l10n, scheme) => l10n.t('The log-in was not tried: a {0} credential has the form user:password.', scheme),
  credential: (l10n, scheme) =>
    l10n.t('The log-in was refused: the server does not accept the {0} credential.', scheme),
  'no-sasl': l10n => l10n.t('The log-in was refused: the server does not accept SASL.'),
  'no-digest-md5': l10n => l10n.t('The log-in was refused: the server has no SASL DIGEST-MD5.'),
  'wrong-account': l10n => l10n.t('The log-in was refused: the user or the password is wrong.'),
  'bad-challenge': l10n => l10n.t('The log-in was stopped: the server sent an invalid SASL challenge.'),
  'demands-more': l10n => l10n.t('The log-in was stopped: the server requires encryption within SASL.'),
  'no-proof': l10n => l10n.t('The log-in was stopped: the server could not prove that it knows the password.'),
  required: l10n => l10n.t('The cluster requires a log-in, usually by SASL.'),
};

const chooseLogin: Advice = l10n =>
  l10n.t('Edit the cluster and choose SASL DIGEST-MD5, or the kind of log-in that its servers are set up for.');
const repeatLogin: Advice = l10n =>
  l10n.t('Connect to type the password again, or edit the cluster to change the user or the kind of log-in.');

/** A log-in that was refused, and what to do. */
export function loginErrorText(l10n: Language, { why }: client.AuthenticationFailedError): ErrorText {
  return { what: loginText(why, l10n), next: (why.refusal === 'required' ? chooseLogin : repeatLogin)(l10n) };
}

/** Why a log-in was refused, and by which server. */
function loginText({ refusal, scheme, server }: LoginCause, l10n: Language): string {
  const sentence = loginTexts[refusal](l10n, displayText(scheme, 40));
  return server === undefined ? sentence : l10n.t('{0} ({1})', sentence, displayText(server));
}

/** Why a session is uncertain or lost, as a whole sentence. */
export const sessionCauseText = byKind<SessionCause, string>({
  late: () => l10n.t('The server answers late.'),
  unconfirmed: () =>
    l10n.t('The leader has not confirmed the session in time. The server may be slow, or cut off from the leader.'),
  stopped: ({ forMs }) =>
    l10n.t('This program or this computer stood still for {0}, so nothing kept the session alive.', spanText(forMs)),
  closed: () => l10n.t('The session was closed.'),
  connection: ({ failure }) => serverFailureText(failure, inEditor),
  silent: ({ timeoutMs }) => l10n.t('There was no confirmed contact for {0}.', spanText(timeoutMs)),
  expired: ({ server }) => l10n.t('{0}: the server reports that the session has expired.', displayText(server)),
  replaced: ({ server }) => l10n.t('{0}: the server opened another session instead.', displayText(server)),
  login: cause => loginText(cause, inEditor),
});

/** @param path of the request, ready for the screen */
type AnswerRow = (l10n: Language, path: string, error: client.ZooKeeperError) => ErrorText;

/** Server error codes with words of their own. */
const answerTexts: Readonly<Partial<Record<string, AnswerRow>>> = {
  NO_NODE: (l10n, path) => ({ what: l10n.t('{0} does not exist.', path), next: l10n.t('Check the path, or refresh.') }),
  NO_CHILDREN_FOR_EPHEMERALS: (l10n, path) => ({
    what: l10n.t('{0} cannot be created: its parent is an ephemeral node, which can have no children.', path),
    next: l10n.t('Choose another path. If the parent is the lock itself, take it by Acquire Exclusive Lock.'),
  }),
  NO_AUTH: (l10n, shown, { operation, path }) => {
    const { right, node } = rightNeeded(operation, path);
    return {
      what: denialText(l10n, shown, operation),
      next: l10n.t(
        'Ask for the right {0} on {1}, or log in as a user who has it.',
        right.toUpperCase(),
        nameText(node, 200, l10n),
      ),
    };
  },
  BAD_ARGUMENTS: (l10n, path) => ({
    what: l10n.t('The server does not accept the path {0}.', path),
    next: l10n.t('Check the path.'),
  }),
  SESSION_EXPIRED: l10n => ({ what: l10n.t('The session is lost.'), next: l10n.t('Connect again.') }),
  THROTTLED_OP: l10n => ({
    what: l10n.t('The server is overloaded and refused the request.'),
    next: l10n.t('Try again later.'),
  }),
  NOT_READONLY: (l10n, path) => ({
    what: l10n.t('Quorum lost: the server is read-only, {0} was not changed.', path),
    next: l10n.t('Try again when the ensemble has a leader.'),
  }),
  SESSION_CLOSED_REQUIRE_SASL_AUTH: l10n => ({ what: loginTexts.required(l10n, 'sasl'), next: chooseLogin(l10n) }),
  EPHEMERAL_ON_LOCAL_SESSION: l10n => ({
    what: l10n.t(
      'No lock can be taken: the servers open local sessions, which only one server knows and which cannot own an ephemeral node.',
    ),
    next: l10n.t(
      'Set localSessionsUpgradingEnabled=true on every server: then a session becomes global with its first ephemeral node.',
    ),
  }),
  AUTH_FAILED: l10n => ({
    what: l10n.t('The log-in was refused.'),
    next: l10n.t('Edit the cluster: check user, password and kind of log-in.'),
  }),
};

/** A request that the server answered with an error code. */
export function serverAnswerText(l10n: Language, error: client.ZooKeeperError): ErrorText {
  const { codeName, operation } = error;
  const shown = nameText(error.path, 200, l10n);
  return (
    answerTexts[codeName]?.(l10n, shown, error) ?? {
      what: l10n.t('The server refused {0} for {1}: {2}.', operation, shown, codeName),
      next: l10n.t('See the log of the ZooKeeper server for the cause.'),
    }
  );
}

const denialTexts: Readonly<Partial<Record<string, (l10n: Language, path: string) => string>>> = {
  create: (l10n, path) => l10n.t('You have no permission to create {0}.', path),
  remove: (l10n, path) => l10n.t('You have no permission to delete {0}.', path),
  setData: (l10n, path) => l10n.t('You have no permission to change {0}.', path),
};

function denialText(l10n: Language, path: string, operation: string): string {
  return denialTexts[operation]?.(l10n, path) ?? l10n.t('You have no permission to read {0}.', path);
}

/** A denied request, with the ACL that decided it. Names and ids of an ACL are foreign text, and so is the name that a server gives us. */
export function explainedDenialText(l10n: Language, { denied, operation, path }: AccessDeniedError): ErrorText {
  const { acl, identities } = denied;
  const node = nameText(denied.node, 200, l10n);
  const right = denied.right.toUpperCase();
  const who = identities?.map(({ scheme, user }) => identityText(scheme, user)).join(', ');
  const missing = l10n.t('The right {0} is missing on {1}.', right, node);
  return {
    what: sentencesIn(l10n, [denialText(l10n, nameText(path, 200, l10n), operation), missing]),
    next: sentencesIn(l10n, [
      acl === undefined
        ? l10n.t('You have no permission to read the ACL of {0}.', node)
        : l10n.t('The ACL of {0} is: {1}.', node, displayText(aclText(acl), 400)),
      who === undefined ? '' : l10n.t('You are {0}.', nameText(who, 200, l10n)),
      ownersOf(denied)?.length === 0
        ? l10n.t('No user has {0} there: a user with ADMIN must change the ACL.', right)
        : l10n.t('Ask its owner, or log in as a user who has {0} there.', right),
    ]),
  };
}
