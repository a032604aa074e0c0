import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiRefusal, type ApiRefusalReason } from '../../../../src/app/api/apiRefusal.ts';
import {
  ClusterChanged,
  NoClusterError,
  ReadOnlyCluster,
  RowGone,
} from '../../../../src/app/clusters/clusterErrors.ts';
import { ClusterFileError, type ClusterFileFault } from '../../../../src/app/profiles/clusterFile.ts';
import { MissingSecretError } from '../../../../src/app/security/clusterSecrets.ts';
import { TlsFileError, WrongPassphraseError, type TlsFileFault } from '../../../../src/app/security/tlsFiles.ts';
import { NodeRemains, SelfBlocked } from '../../../../src/app/testLocks/testLock.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ErrorReporter } from '../../../../src/extension/platform/errorReporting.ts';
import { englishText, errorSentence, errorText, leaseCauseText } from '../../../../src/extension/words/errorText.ts';
import { RefusedDelete, RefusedRevoke, type RefusalReason } from '../../../../src/inspector/refusedDelete.ts';
import * as recipes from '../../../../src/recipes/errors.ts';
import type { LeaseCause } from '../../../../src/recipes/lock.ts';
import { AccessDeniedError } from '../../../../src/zookeeper/accessDenied.ts';
import type {
  ClosedReason,
  ConnectFailure,
  ServerFailure,
  TlsReason,
} from '../../../../src/zookeeper/connectFailure.ts';
import { SandboxPortError } from '../../../../src/sandbox/sandboxPortError.ts';
import * as client from '../../../../src/zookeeper/errors.ts';
import type { LoginRefusal, SessionCause } from '../../../../src/zookeeper/sessionCause.ts';
import { MalformedReplyError } from '../../../../src/zookeeper/wire/jute.ts';
import { hostileTexts, linkPattern, unseenPattern } from '../corpus.ts';
import { translateToBrackets, untranslated } from '../brackets.ts';
import { l10n, shown } from '../fakeVscode.ts';
import { clusterNode, profileNamed } from '../fixtures.ts';
import { pastErrors } from './pastErrors.ts';
import { hold, testLock } from '../../app/testLocks/testLockFixtures.ts';

const fake = { ...l10n };

afterEach(() => {
  Object.assign(l10n, fake);
});

// One entry for each member of a closed list: a member that is added does not compile until it stands here.
const connectFailures: Record<Exclude<ConnectFailure, 'tls' | 'closed'>, 1> = {
  dns: 1, refused: 1, unreachable: 1, timeout: 1, 'not-zookeeper': 1, 'read-only': 1, behind: 1,
}; // prettier-ignore
const closedReasons: Record<ClosedReason, 1> = {
  'not-serving': 1,
  mute: 1,
  'not-caught-up': 1,
  'hung-up': 1,
  'broke-off': 1,
};
const tlsReasons: Record<TlsReason, 1> = {
  'wrong-host': 1, expired: 1, 'not-yet-valid': 1, revoked: 1, 'self-signed': 1, 'unknown-authority': 1,
  'plain-port': 1, 'tls-port': 1, 'hung-up': 1, 'certificate-demanded': 1, 'certificate-refused': 1,
  'no-common-version': 1, 'own-files': 1, other: 1,
}; // prettier-ignore
const loginRefusals: Record<LoginRefusal, 1> = {
  malformed: 1, credential: 1, 'no-sasl': 1, 'no-digest-md5': 1, 'wrong-account': 1, 'bad-challenge': 1,
  'demands-more': 1, 'no-proof': 1, required: 1,
}; // prettier-ignore
const stringFaults: Record<client.ConnectStringFault, 1> = {
  empty: 1, blank: 1, host: 1, port: 1, chroot: 1, separator: 1,
}; // prettier-ignore
const apiRefusals: Record<ApiRefusalReason, 1> = {
  untrusted: 1, 'unknown-cluster': 1, 'not-connected': 1, 'not-installed': 1, 'not-allowed': 1, 'too-many': 1,
  'released-at-once': 1,
}; // prettier-ignore
const clusterFileFaults: Record<ClusterFileFault, 1> = {
  'too-large': 1, 'not-json': 1, kind: 1, version: 1, newer: 1, 'unknown-field': 1, clusters: 1, 'too-many': 1,
  unreadable: 1,
}; // prettier-ignore
const tlsFileFaults: Record<TlsFileFault, 1> = {
  missing: 1, unreadable: 1, relative: 1, 'too-large': 1, foreign: 1, mismatch: 1,
}; // prettier-ignore
const refusals: Record<RefusalReason, 1> = {
  'read-only': 1, 'invalid-path': 1, root: 1, depth: 1, zookeeper: 1, 'not-a-contender': 1, unreadable: 1,
  'has-children': 1, 'not-empty': 1, 'not-a-lock-directory': 1, 'no-permission': 1, 'too-many': 1,
}; // prettier-ignore

function keys<K extends string>(list: Record<K, 1>): K[] {
  return Object.keys(list) as K[];
}

/** A failure of each kind. @param text foreign text */
function failuresOf(text: string): Record<string, ServerFailure> {
  const server = { host: text, port: 2181, detail: text };
  return Object.fromEntries([
    ...keys(connectFailures).map(failure => [failure, { ...server, failure }]),
    ...keys(closedReasons).map(reason => [`closed ${reason}`, { ...server, failure: 'closed', reason }]),
    ...keys(tlsReasons).map(reason => [`tls ${reason}`, { ...server, failure: 'tls', reason }]),
  ]) as Record<string, ServerFailure>;
}

function dialectFaultsOf(text: string): { [K in recipes.DialectFault['kind']]: recipes.DialectFault & { kind: K } } {
  return {
    'in-use': { kind: 'in-use', dialect: 'curator-latch', recipe: 'read' },
    'no-recipe': { kind: 'no-recipe', dialect: 'kazoo', recipe: 'write' },
    semaphore: { kind: 'semaphore', dialect: 'kazoo-semaphore', semaphore: text },
    stranger: { kind: 'stranger', name: text },
    limit: { kind: 'limit', found: text, wanted: 2 },
    directory: { kind: 'directory' },
    twice: { kind: 'twice' },
  };
}

function sessionCausesOf(text: string): { [K in SessionCause['kind']]: (SessionCause & { kind: K })[] } {
  return {
    late: [{ kind: 'late' }],
    unconfirmed: [{ kind: 'unconfirmed' }],
    stopped: [{ kind: 'stopped', forMs: 3_000 }],
    closed: [{ kind: 'closed' }],
    connection: Object.values(failuresOf(text)).map(failure => ({ kind: 'connection', failure })),
    silent: [{ kind: 'silent', timeoutMs: 400 }],
    expired: [{ kind: 'expired', server: text }],
    replaced: [{ kind: 'replaced', server: text }],
    login: keys(loginRefusals).map(refusal => ({ kind: 'login', server: text, scheme: text, refusal, detail: text })),
  };
}

function leaseCausesOf(text: string): LeaseCause[] {
  const byKind: Record<LeaseCause['kind'], LeaseCause[]> = {
    session: [undefined, ...Object.values(sessionCausesOf(text)).flat()].map(cause => ({ kind: 'session', cause })),
    'node-deleted': [{ kind: 'node-deleted' }],
    'node-replaced': [{ kind: 'node-replaced' }],
    unread: [{ kind: 'unread', error: new client.ZooKeeperError(-102, 'getData', text) }],
  };
  return Object.values(byKind).flat();
}

function deniedOf(text: string, hasAcl: boolean): AccessDeniedError {
  const acl = [
    { scheme: 'digest', id: `${text}:aGFzaA==`, permissions: 'cdrwa' },
    { scheme: 'world', id: 'anyone', permissions: 'r' },
  ];
  const facts = { node: text, right: 'create' as const };
  return new AccessDeniedError(
    new client.ZooKeeperError(-102, 'create', `${text}/b`),
    hasAcl
      ? { ...facts, acl, identities: [{ scheme: 'sasl', user: text }] }
      : { ...facts, acl: undefined, identities: undefined },
  );
}

function recipeErrors(text: string): Record<string, Error> {
  const timeout = new recipes.LockTimeout(text, 5);
  const left = (path: string) => ({ path, cause: new client.ZooKeeperError(-102, 'remove', path) });
  const held = { kind: 'held', hold } as const;
  const lock = testLock(held, { paths: [text], lockName: text, cluster: clusterNode({ profile: profileNamed(text) }) });
  return {
    LockTimeout: timeout,
    LockCancelled: new recipes.LockCancelled(text),
    SessionLost: new recipes.SessionLost(text, text),
    RemovedFromQueue: new recipes.RemovedFromQueue(text),
    ...named('WrongDialect', dialectFaultsOf(text), fault => new recipes.WrongDialect(text, fault)),
    'QueueCorrupted run-out': new recipes.QueueCorrupted(text, 'run-out'),
    'QueueCorrupted stands-still': new recipes.QueueCorrupted(text, 'stands-still'),
    'NodeLeftBehind one': new recipes.NodeLeftBehind(timeout, [left(text)]),
    'NodeLeftBehind two': new recipes.NodeLeftBehind(deniedOf(text, true), [left(text), left('/c')]),
    MultiReleaseError: new recipes.MultiReleaseError([timeout, deniedOf(text, true), deniedOf(text, true)]),
    NodeRemains: new NodeRemains(lock, undefined),
    SelfBlocked: new SelfBlocked(text, lock),
  };
}

function clientErrors(text: string): Record<string, Error> {
  const answer = (code: number, operation: string) => new client.ZooKeeperError(code, operation, `${text}/b`);
  const causes = failuresOf(text);
  const together = (...kinds: string[]) => new client.ConnectError(kinds.map(kind => causes[kind]!), 1); // prettier-ignore
  return {
    'ZooKeeperError NO_NODE': answer(-101, 'getData'),
    'ZooKeeperError NO_AUTH create': answer(-102, 'create'),
    'ZooKeeperError NO_AUTH remove': answer(-102, 'remove'),
    'ZooKeeperError NO_AUTH setData': answer(-102, 'setData'),
    'ZooKeeperError NO_AUTH getChildren': answer(-102, 'getChildren'),
    'ZooKeeperError NO_CHILDREN_FOR_EPHEMERALS': answer(-108, 'create'),
    'ZooKeeperError BAD_ARGUMENTS': answer(-8, 'getData'),
    'ZooKeeperError SESSION_EXPIRED': answer(-112, 'getData'),
    'ZooKeeperError AUTH_FAILED': answer(-115, 'getData'),
    'ZooKeeperError NOT_READONLY': answer(-119, 'create'),
    'ZooKeeperError SESSION_CLOSED_REQUIRE_SASL_AUTH': answer(-124, 'getData'),
    'ZooKeeperError THROTTLED_OP': answer(-127, 'getData'),
    'ZooKeeperError CODE_-999': answer(-999, 'getData'),
    'AccessDeniedError with ACL': deniedOf(text, true),
    'AccessDeniedError without ACL': deniedOf(text, false),
    NotConnectedError: new client.NotConnectedError('create', text, text),
    ReplyLostError: new client.ReplyLostError('create', text, text),
    ReplyTooLargeError: new client.ReplyTooLargeError('create', text, 5),
    OutcomeUnknownError: new client.OutcomeUnknownError('create', text, text),
    MalformedReplyError: new MalformedReplyError(text),
    CancelledError: new client.CancelledError(text),
    SessionLostError: new client.SessionLostError({ kind: 'expired', server: text }),
    ...named('AuthenticationFailedError', loginRefusals, (_, refusal) => {
      return new client.AuthenticationFailedError({ kind: 'login', server: text, scheme: text, refusal, detail: text });
    }),
    ...named('ConnectError', causes, cause => new client.ConnectError([cause], 1)),
    'ConnectError no server': together(),
    'ConnectError of several kinds': together('dns', 'refused'),
    'ConnectError alike': together('tls expired', 'tls expired'),
    'ConnectError TLS': together('tls expired', 'tls unknown-authority'),
    'ConnectError closed': together('closed mute', 'closed hung-up'),
    ...named('ConnectStringError', stringFaults, (_, fault) => new client.ConnectStringError(fault, text)),
  };
}

function clusterErrors(text: string): Record<string, Error> {
  return {
    'ReadOnlyCluster acquire': new ReadOnlyCluster({ name: text }),
    'ReadOnlyCluster delete': new ReadOnlyCluster({ name: text }, 'delete'),
    ...pastErrors(text),
    RowGone: new RowGone(),
    SandboxPortError: new SandboxPortError(0, 'EACCES'),
    ...named(
      'ClusterChanged',
      { removed: 1, changed: 1, disconnected: 1 },
      (_, kind) => new ClusterChanged(text, kind),
    ),
    ...named('ClusterFileError', clusterFileFaults, (_, fault) => new ClusterFileError(fault, text)),
    ...named('TlsFileError', tlsFileFaults, (_, fault) => new TlsFileError('cert', text, fault)),
    'TlsFileError foreign key': new TlsFileError('key', text, 'foreign'),
    WrongPassphraseError: new WrongPassphraseError(text),
    'MissingSecretError password': new MissingSecretError({ kind: 'password', scheme: 'sasl', user: text }),
    'MissingSecretError passphrase': new MissingSecretError({ kind: 'passphrase', keyFile: text }),
    ...named('RefusedDelete', refusals, (_, reason) => new RefusedDelete(reason, text)),
    'RefusedDelete with ACL': new RefusedDelete('no-permission', text, {
      parent: text,
      parentAcl: [{ scheme: 'digest', id: 'ann:aGFzaA==', permissions: 'd' }],
    }),
    'RefusedRevoke does-not-listen': new RefusedRevoke('does-not-listen', text),
    'RefusedRevoke read-only': new RefusedRevoke('read-only', text),
  };
}

/** One error for each entry of a list. */
function named<K extends string, V>(
  name: string,
  list: Record<K, V>,
  make: (value: V, key: K) => Error,
): Record<string, Error> {
  return Object.fromEntries(
    Object.entries(list).map(([key, value]) => [`${name} ${key}`, make(value as V, key as K)] as const),
  );
}

function apiRefusalsOf(text: string): Record<string, Error> {
  return Object.fromEntries(keys(apiRefusals).map(reason => [`ApiRefusal ${reason}`, new ApiRefusal(reason, text)]));
}

/** At least one error of every class, and one for every reason that it can have. @param text foreign text in it */
function samplesOf(text: string): Record<string, Error> {
  return { ...clientErrors(text), ...recipeErrors(text), ...clusterErrors(text), ...apiRefusalsOf(text) };
}

/** Caught where they arise, by `src/zookeeper`, `src/replay` and ErrorReporter; and what the API throws, which has its words already. */
const internal = ['CredentialRefused', 'FileDamage', 'NoClusterError', 'ApiFailure'];

const source = join(import.meta.dirname, '../../../../src');
const files = ['zookeeper', 'recipes', 'inspector', 'replay', 'app'].flatMap(layer =>
  readdirSync(join(source, layer), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map(file => join(source, layer, file)),
);
const modules = await Promise.all(files.map(async file => (await import(file)) as Record<string, unknown>));
const classes = modules
  .flatMap(module => Object.values(module))
  .filter((value): value is new () => Error => typeof value === 'function' && value.prototype instanceof Error)
  .map(({ name }) => name);

it('puts a path that is no plain word in quotes, so that it does not go on as a sentence of ours', () => {
  const error = new client.ZooKeeperError(-102, 'getChildren', '/pay. All is well, delete it');
  expect(errorSentence(error)).toContain('"/pay. All is well, delete it"');
  expect(errorSentence(new client.ZooKeeperError(-102, 'getChildren', '/pay'))).not.toContain('"');
});

describe('the words of errors', () => {
  const samples = samplesOf('/a');

  it('are these sentences', () => {
    const elsewhere = new Set(Object.keys(pastErrors('/a')));
    const here = Object.entries(samples).filter(([name]) => !elsewhere.has(name));
    const sentences = here.map(([name, error]) => [name, errorSentence(error)]);
    expect(Object.fromEntries(sentences)).toMatchInlineSnapshot(`
      {
        "AccessDeniedError with ACL": "You have no permission to create /a/b. The right CREATE is missing on /a. The ACL of /a is: digest:/a:…:cdrwa, world:anyone:r. You are sasl:/a. Ask its owner, or log in as a user who has CREATE there.",
        "AccessDeniedError without ACL": "You have no permission to create /a/b. The right CREATE is missing on /a. You have no permission to read the ACL of /a. Ask its owner, or log in as a user who has CREATE there.",
        "ApiRefusal not-allowed": "/a may not take test locks.",
        "ApiRefusal not-connected": "The cluster is not connected.",
        "ApiRefusal not-installed": "No extension "/a" is installed. Give your own id.",
        "ApiRefusal released-at-once": "/a was released at once.",
        "ApiRefusal too-many": "An extension may have /a test locks.",
        "ApiRefusal unknown-cluster": "No cluster of this id is saved.",
        "ApiRefusal untrusted": "The workspace is not trusted.",
        "AuthenticationFailedError bad-challenge": "The log-in was stopped: the server sent an invalid SASL challenge. (/a) Connect to type the password again, or edit the cluster to change the user or the kind of log-in.",
        "AuthenticationFailedError credential": "The log-in was refused: the server does not accept the /a credential. (/a) Connect to type the password again, or edit the cluster to change the user or the kind of log-in.",
        "AuthenticationFailedError demands-more": "The log-in was stopped: the server requires encryption within SASL. (/a) Connect to type the password again, or edit the cluster to change the user or the kind of log-in.",
        "AuthenticationFailedError malformed": "The log-in was not tried: a /a credential has the form user:password. (/a) Connect to type the password again, or edit the cluster to change the user or the kind of log-in.",
        "AuthenticationFailedError no-digest-md5": "The log-in was refused: the server has no SASL DIGEST-MD5. (/a) Connect to type the password again, or edit the cluster to change the user or the kind of log-in.",
        "AuthenticationFailedError no-proof": "The log-in was stopped: the server could not prove that it knows the password. (/a) Connect to type the password again, or edit the cluster to change the user or the kind of log-in.",
        "AuthenticationFailedError no-sasl": "The log-in was refused: the server does not accept SASL. (/a) Connect to type the password again, or edit the cluster to change the user or the kind of log-in.",
        "AuthenticationFailedError required": "The cluster requires a log-in, usually by SASL. (/a) Edit the cluster and choose SASL DIGEST-MD5, or the kind of log-in that its servers are set up for.",
        "AuthenticationFailedError wrong-account": "The log-in was refused: the user or the password is wrong. (/a) Connect to type the password again, or edit the cluster to change the user or the kind of log-in.",
        "CancelledError": "Cancelled.",
        "ClusterChanged changed": "Nothing was done: the cluster "/a" was changed meanwhile. Start again.",
        "ClusterChanged disconnected": "Nothing was done: the cluster "/a" was disconnected meanwhile. Start again.",
        "ClusterChanged removed": "Nothing was done: the cluster "/a" was removed from the list meanwhile. Start again.",
        "ClusterFileError clusters": "The file has no list of clusters. Choose a file that "Export Clusters" has written.",
        "ClusterFileError kind": "The file holds no clusters of ZooKeeper Lock Inspector. Choose a file that "Export Clusters" has written.",
        "ClusterFileError newer": "The file was written by a newer version of ZooKeeper Lock Inspector. Update the extension.",
        "ClusterFileError not-json": "The file is not JSON in UTF-8. Choose a file that "Export Clusters" has written.",
        "ClusterFileError too-large": "The file is too large to hold clusters. Choose a file that "Export Clusters" has written.",
        "ClusterFileError too-many": "The file holds too many clusters. Choose a file that "Export Clusters" has written.",
        "ClusterFileError unknown-field": "The file has an unknown field: /a. Choose a file that "Export Clusters" has written.",
        "ClusterFileError unreadable": "The file cannot be read. Check that it exists and that you may read it.",
        "ClusterFileError version": "The file does not state the version of its format. Choose a file that "Export Clusters" has written.",
        "ConnectError TLS": "/a:2181: its certificate has expired. /a:2181: its certificate was issued by an unknown authority. Edit the cluster: check the CA certificates, the client certificate and the secure client port.",
        "ConnectError alike": "/a:2181: its certificate has expired. /a:2181: its certificate has expired. Ask the operator of the server to renew the certificate.",
        "ConnectError behind": "/a:2181: its data are older than what this session has seen. The cluster was wiped or restored. Disconnect and connect again: a new session accepts the current data.",
        "ConnectError closed": "/a:2181: it closed the connection without an answer. /a:2181: it closed the connection during the handshake. The servers may have no quorum, have too many connections, or require TLS.",
        "ConnectError closed broke-off": "/a:2181: the connection broke off. Check the connect string and the network.",
        "ConnectError closed hung-up": "/a:2181: it closed the connection during the handshake. The server may have too many connections from this machine.",
        "ConnectError closed mute": "/a:2181: it closed the connection without an answer. If this is the secure client port, edit the cluster and choose TLS. The server may also have too many connections.",
        "ConnectError closed not-caught-up": "/a:2181: it has not yet received the latest changes that this session has seen. Check the connect string and the network.",
        "ConnectError closed not-serving": "/a:2181: it is up but serves no requests. The ensemble may have no quorum, or the server may still be starting. Try again.",
        "ConnectError dns": "/a:2181: the host name is not known. Check the spelling, and whether a VPN is needed.",
        "ConnectError no server": "No server was tried within the time limit. Check the connect string and the network.",
        "ConnectError not-zookeeper": "/a:2181: this is not a ZooKeeper server. Check the port: it must be ZooKeeper's client port.",
        "ConnectError of several kinds": "/a:2181: the host name is not known. /a:2181: nothing listens on this port. Check the connect string and the network.",
        "ConnectError read-only": "/a:2181: quorum lost, the server is read-only. Wait until a majority of the ensemble runs again, or ask its operator.",
        "ConnectError refused": "/a:2181: nothing listens on this port. Check the port (2181 is usual), and whether ZooKeeper runs.",
        "ConnectError timeout": "/a:2181: no answer in time. Check the connect string and the network.",
        "ConnectError tls certificate-demanded": "/a:2181: it requires a client certificate. Edit the cluster: choose TLS with client certificate.",
        "ConnectError tls certificate-refused": "/a:2181: it refused the client certificate. Edit the cluster: choose another client certificate, one that the server trusts.",
        "ConnectError tls expired": "/a:2181: its certificate has expired. Ask the operator of the server to renew the certificate.",
        "ConnectError tls hung-up": "/a:2181: it closed the connection during the TLS handshake, as a port without TLS does. Edit the cluster: use the secure client port, or connect without encryption.",
        "ConnectError tls no-common-version": "/a:2181: it offers no safe TLS version or cipher. Ask the operator of the server to enable TLS 1.2 or 1.3.",
        "ConnectError tls not-yet-valid": "/a:2181: its certificate is not valid yet. Check the clock of this machine, and the date from which the certificate is valid.",
        "ConnectError tls other": "/a:2181: no secure connection (/a). Edit the cluster: check the CA certificates, the client certificate and the secure client port.",
        "ConnectError tls own-files": "/a:2181: the certificate, the key or the passphrase cannot be used. Edit the cluster: choose the files again.",
        "ConnectError tls plain-port": "/a:2181: this port does not speak TLS. Edit the cluster: use the secure client port, or connect without encryption.",
        "ConnectError tls revoked": "/a:2181: its certificate was revoked. Ask the operator of the server to renew the certificate.",
        "ConnectError tls self-signed": "/a:2181: its certificate is self-signed and not trusted. Edit the cluster: choose this certificate as CA if you trust it.",
        "ConnectError tls tls-port": "/a:2181: this port speaks TLS, but the connection is not encrypted. Edit the cluster: choose TLS, or use the plain client port.",
        "ConnectError tls unknown-authority": "/a:2181: its certificate was issued by an unknown authority. Edit the cluster: choose the CA certificates of this authority if you trust it.",
        "ConnectError tls wrong-host": "/a:2181: its certificate is for other host names (/a). Edit the cluster: use one of these names, or set the server name to expect.",
        "ConnectError unreachable": "/a:2181: the host cannot be reached. Check the connect string and the network.",
        "ConnectStringError blank": "There is a space in "/a". Separate servers with commas. Edit the cluster.",
        "ConnectStringError chroot": ""/a" is not a path. A path at the end looks like /team/locks. Edit the cluster.",
        "ConnectStringError empty": "Type at least one server, for example localhost:2181. Edit the cluster.",
        "ConnectStringError host": ""/a" is not a host. An IPv6 address goes in brackets, like [::1]:2181. Edit the cluster.",
        "ConnectStringError port": "The port in "/a" must be a number from 1 to 65535. Edit the cluster.",
        "ConnectStringError separator": "Separate servers with commas, not as in "/a". Edit the cluster.",
        "LockCancelled": "Cancelled.",
        "LockTimeout": "/a was not acquired in time. The queue shows who holds it.",
        "MalformedReplyError": "The server sent a reply that is not valid in the ZooKeeper protocol. Check for a proxy or load balancer in front of the server. See the log for details.",
        "MissingSecretError passphrase": "The passphrase of the key /a was not given. Connect again to type it.",
        "MissingSecretError password": "The password of /a was not given. Connect again to type it.",
        "MultiReleaseError": "Locks that were not released: 3. /a was not acquired in time. The queue shows who holds it. You have no permission to create /a/b. The right CREATE is missing on /a. The ACL of /a is: digest:/a:…:cdrwa, world:anyone:r. You are sasl:/a. Ask its owner, or log in as a user who has CREATE there. Their nodes go when the session ends. See the log for details.",
        "NodeLeftBehind one": "/a was not acquired in time. Its node is still in the queue: /a. You have no permission to delete it. It goes with the session: release your other test locks of this cluster and disconnect it. Or ask a user with the DELETE right to delete it.",
        "NodeLeftBehind two": "You have no permission to create /a/b. The right CREATE is missing on /a. Its nodes are still in their queues: /a, /c. You have no permission to delete it. It goes with the session: release your other test locks of this cluster and disconnect it. Or ask a user with the DELETE right to delete it.",
        "NodeRemains": ""/a (/a)" stays under Test Locks: its node could not be deleted and still blocks others. The node goes when the session ends: release the other test locks of the cluster "/a", then dismiss this one.",
        "NotConnectedError": "There is no connection to the cluster. Try again when it is back.",
        "OutcomeUnknownError": "The answer was lost: /a may or may not have been changed. Check it before you try again.",
        "QueueCorrupted run-out": "/a was not touched: its sequence counter has run out. Wait until the queue is empty, then delete the lock directory and create it again.",
        "QueueCorrupted stands-still": "/a was not touched: its sequence counter stands still. Wait until the queue is empty, then delete the lock directory and create it again.",
        "ReadOnlyCluster acquire": "The cluster "/a" is marked read-only: no locks are taken there. Edit the cluster to change that.",
        "ReadOnlyCluster delete": "The cluster "/a" is marked read-only: nothing is deleted there. Edit the cluster to change that.",
        "RefusedDelete depth": "/a was not deleted. Nodes directly below the root are never deleted.",
        "RefusedDelete has-children": "/a was not deleted. It has children, and a contender has none. Use another tool to delete it.",
        "RefusedDelete invalid-path": "/a was not deleted. This is not a valid path of a node.",
        "RefusedDelete no-permission": "/a was not deleted. The right DELETE is missing on the parent; the ACL of the node itself does not matter.",
        "RefusedDelete not-a-contender": "/a was not deleted. It is not recognised as a contender of a lock. Use another tool to delete it.",
        "RefusedDelete not-a-lock-directory": "/a was not deleted. There is no sign that it was a lock: it has data of its own or never had a child.",
        "RefusedDelete not-empty": "/a was not deleted. It has children now: the lock is in use.",
        "RefusedDelete read-only": "/a was not deleted. The cluster is marked read-only. Edit the cluster to change that.",
        "RefusedDelete root": "/a was not deleted. The root of the tree or of the chroot is never deleted.",
        "RefusedDelete too-many": "/a was not deleted. At most 100 nodes are deleted at once.",
        "RefusedDelete unreadable": "/a was not deleted. You have no permission to read it, so it cannot be compared with what you saw.",
        "RefusedDelete with ACL": "/a was not deleted. The right DELETE is missing on the parent; the ACL of the node itself does not matter. The ACL of /a is: digest:ann:…:d. Ask its owner, or log in as a user who has DELETE there.",
        "RefusedDelete zookeeper": "/a was not deleted. The nodes below /zookeeper belong to the server.",
        "RefusedRevoke does-not-listen": "/a was not asked to release the lock. Its owner does not listen for revoke requests. Only a revocable Curator mutex can be asked.",
        "RefusedRevoke read-only": "/a was not asked to release the lock. The cluster is marked read-only. Only a revocable Curator mutex can be asked.",
        "RemovedFromQueue": "/a was deleted by another client while it waited. Acquire it again to queue up at the end.",
        "ReplyLostError": "The cluster did not answer. Try again.",
        "ReplyTooLargeError": "The answer for /a is too large to show (5 bytes). Open a smaller part of the tree.",
        "RowGone": "This row is gone: its cluster is no longer in the list. Choose another row in the Clusters view; add the cluster again or try a sandbox if it has none.",
        "SandboxPortError": "The sandbox could not be started: EACCES. It needs a free port of 127.0.0.1. Let VS Code listen there, and try again.",
        "SelfBlocked": "This window already holds /a: waiting for it would be a deadlock with itself. First release "/a (/a)" (mutex) under Test Locks.",
        "SessionLost": "/a was not acquired: the session ended while it waited. Acquire it again.",
        "SessionLostError": "The session is lost. Connect again.",
        "TlsFileError foreign": "The file holds no client certificate in PEM form: /a. A JKS store must be converted first, for example with: keytool -exportcert -rfc",
        "TlsFileError foreign key": "The file holds no private key in PEM form: /a. A JKS or PKCS #12 store must be converted first, for example with: openssl pkcs12 -nocerts",
        "TlsFileError mismatch": "The private key does not belong to the client certificate: /a. Edit the cluster to choose another file.",
        "TlsFileError missing": "The file with the client certificate does not exist: /a. Edit the cluster to choose another file.",
        "TlsFileError relative": "The file with the client certificate must be named by its full path: /a. Edit the cluster to choose another file.",
        "TlsFileError too-large": "The file is too large to hold the client certificate: /a. Edit the cluster to choose another file.",
        "TlsFileError unreadable": "The file with the client certificate cannot be read: /a. Check that you may read it.",
        "WrongDialect directory": "/a was not touched: it has children, and an exclusive lock is a single node. Choose a path below it.",
        "WrongDialect in-use": "/a was not touched: locks of Curator LeaderLatch are in use there, and cannot be taken as "read". Choose another recipe or another path.",
        "WrongDialect limit": "/a was not touched: its limit is "/a", not 2. Acquire it again with the same limit as the others.",
        "WrongDialect no-recipe": "/a was not touched: kazoo has no write lock. Choose another recipe or another dialect.",
        "WrongDialect semaphore": "/a was not touched: a semaphore of kazoo is in use there. Acquire a semaphore at /a, or choose another path.",
        "WrongDialect stranger": "/a was not touched: "/a" belongs to another kind of lock, and the two would not see each other. Choose the dialect in use there, or another path.",
        "WrongDialect twice": "/a was not touched: it is named twice, so it would wait for itself. Name each path once.",
        "WrongPassphraseError": "The passphrase does not open the key /a. Type it again.",
        "ZooKeeperError AUTH_FAILED": "The log-in was refused. Edit the cluster: check user, password and kind of log-in.",
        "ZooKeeperError BAD_ARGUMENTS": "The server does not accept the path /a/b. Check the path.",
        "ZooKeeperError CODE_-999": "The server refused getData for /a/b: CODE_-999. See the log of the ZooKeeper server for the cause.",
        "ZooKeeperError NOT_READONLY": "Quorum lost: the server is read-only, /a/b was not changed. Try again when the ensemble has a leader.",
        "ZooKeeperError NO_AUTH create": "You have no permission to create /a/b. Ask for the right CREATE on /a, or log in as a user who has it.",
        "ZooKeeperError NO_AUTH getChildren": "You have no permission to read /a/b. Ask for the right READ on /a/b, or log in as a user who has it.",
        "ZooKeeperError NO_AUTH remove": "You have no permission to delete /a/b. Ask for the right DELETE on /a, or log in as a user who has it.",
        "ZooKeeperError NO_AUTH setData": "You have no permission to change /a/b. Ask for the right WRITE on /a/b, or log in as a user who has it.",
        "ZooKeeperError NO_CHILDREN_FOR_EPHEMERALS": "/a/b cannot be created: its parent is an ephemeral node, which can have no children. Choose another path. If the parent is the lock itself, take it by Acquire Exclusive Lock.",
        "ZooKeeperError NO_NODE": "/a/b does not exist. Check the path, or refresh.",
        "ZooKeeperError SESSION_CLOSED_REQUIRE_SASL_AUTH": "The cluster requires a log-in, usually by SASL. Edit the cluster and choose SASL DIGEST-MD5, or the kind of log-in that its servers are set up for.",
        "ZooKeeperError SESSION_EXPIRED": "The session is lost. Connect again.",
        "ZooKeeperError THROTTLED_OP": "The server is overloaded and refused the request. Try again later.",
      }
    `);
  });

  it('exist for every error class below the extension', () => {
    const sampled = new Set(Object.values(samples).map(({ constructor }) => constructor.name));
    expect(classes).toContain('WrongDialect');
    expect(classes.filter(name => !internal.includes(name) && !sampled.has(name))).toEqual([]);
  });

  it('are translated as a whole, and in English for the log', () => {
    const sentences = new Map(Object.entries(samples).map(([name, error]) => [name, errorSentence(error)]));
    translateToBrackets();
    for (const [name, error] of Object.entries(samples)) {
      expect(untranslated(errorSentence(error)), name).toBe('');
      expect(englishText(error)).toBe(sentences.get(name));
    }
  });

  it('are an own message only where the class is not known, also in the log', () => {
    expect(errorText(new Error('broken'))).toEqual({ what: 'broken', next: 'See the log for details.' });
    expect(englishText(new Error('broken'))).toBe('broken');
  });

  it('are safe whatever names and texts are in the error', () => {
    for (const text of hostileTexts) {
      const errors = [...Object.values(samplesOf(text)), new Error(text), text];
      for (const error of errors) {
        expect(errorSentence(error)).not.toMatch(linkPattern);
        expect(errorSentence(error)).not.toMatch(unseenPattern);
      }
    }
  });
});

describe('every cause for which a session or a lease is uncertain or lost', () => {
  it('has a translated sentence of its own', () => {
    const causes = leaseCausesOf('zk1');
    expect(new Set(causes.map(cause => leaseCauseText(cause))).size).toBe(causes.length);
    translateToBrackets();
    for (const cause of causes) expect(untranslated(leaseCauseText(cause))).toBe('');
  });
});

describe('ErrorReporter', () => {
  it('shows a failure and logs it in English in one line with its facts; a cancellation does neither', () => {
    const log: string[] = [];
    const reporter = new ErrorReporter({ ...nullLogger, error: text => void log.push(text) });
    reporter.report(new client.CancelledError('x'));
    expect([...shown, ...log]).toEqual([]);
    Object.assign(l10n, { t: (message: string) => `~${message}` });
    reporter.report(new client.SessionLostError({ kind: 'closed' }));
    expect(shown).toEqual(['~{0} {1}']);
    expect(log).toEqual([expect.stringMatching(/^The session is lost\. Connect again\. \(SessionLostError: .*\)$/)]);
  });

  it('logs the stack of an error that we have no words for, and of no other', () => {
    const logged: string[] = [];
    const reporter = new ErrorReporter({ ...nullLogger, error: text => void logged.push(text) });
    for (const error of Object.values(samplesOf('zk1'))) reporter.report(error);
    expect(logged.length).toBeGreaterThan(20);
    for (const text of logged) expect(text).not.toMatch(/\n/);
    reporter.report(new TypeError('a fault of ours'));
    expect(logged.at(-1)).toMatch(/^a fault of ours\n[^]*errorText\.test/);
  });

  it('offers to add a cluster where a command needs one and there is none', () => {
    new ErrorReporter(nullLogger).report(new NoClusterError());
    expect(shown.slice(-1)).toEqual([
      'There is no cluster yet. Add the ZooKeeper cluster that holds your locks, or try a sandbox.',
    ]);
  });
});
