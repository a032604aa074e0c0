import { ClusterChanged, ReadOnlyCluster, RowGone, type ClusterChange } from '../../app/clusters/clusterErrors.ts';
import { ApiRefusal, type ApiRefusalReason } from '../../app/api/apiRefusal.ts';
import { ClusterFileError, type ClusterFileFault } from '../../app/profiles/clusterFile.ts';
import { LogFolderError } from '../../app/recordings/logFolderError.ts';
import { RecorderError } from '../../app/recorder/recorderError.ts';
import { MissingSecretError } from '../../app/security/clusterSecrets.ts';
import { TlsFileError, WrongPassphraseError, type TlsFileFault } from '../../app/security/tlsFiles.ts';
import { NodeRemains, SelfBlocked } from '../../app/testLocks/testLock.ts';
import { byKind } from '../../base/byKind.ts';
import { displayText } from '../../base/displayText.ts';
import { IncidentError } from '../../incident/incidentError.ts';
import { aclText, RefusedDelete, RefusedRevoke, type RefusalReason } from '../../inspector/refusedDelete.ts';
import * as recipes from '../../recipes/errors.ts';
import type { LeaseCause } from '../../recipes/lock.ts';
import { AccessDeniedError } from '../../zookeeper/accessDenied.ts';
import { StoredDataError } from '../../replay/storedDataError.ts';
import { SandboxPortError } from '../../sandbox/sandboxPortError.ts';
import * as client from '../../zookeeper/errors.ts';
import { MalformedReplyError } from '../../zookeeper/wire/jute.ts';
import {
  connectErrorText,
  connectStringText,
  explainedDenialText,
  loginErrorText,
  serverAnswerText,
  sessionCauseText,
  type ErrorText,
} from './serverText.ts';
import { incidentErrorText } from './incidentErrorText.ts';
import { logFolderText, readOnlyText, storedDataText } from './pastText.ts';
import { recorderErrorText } from './recorderErrorText.ts';
import { dialectText } from './contenderText.ts';
import { english, inEditor, l10n, type Language, listed, nameText, sentencesIn } from './language.ts';
import { pathsText, recipeText } from './testLockText.ts';

type Row = (error: unknown, l10n: Language) => ErrorText | undefined;

function row<E extends Error>(
  kind: abstract new (...values: never[]) => E,
  text: (l10n: Language, error: E) => ErrorText,
): Row {
  return (error, l10n) => (error instanceof kind ? text(l10n, error) : undefined);
}

/** The words for every error class; a subclass stands before its base class. */
const table: readonly Row[] = [
  // Requests and sessions
  row(AccessDeniedError, explainedDenialText),
  row(client.ZooKeeperError, serverAnswerText),
  row(client.ConnectError, connectErrorText),
  row(client.ConnectStringError, (l10n, error) => ({
    what: connectStringText(l10n, error),
    next: l10n.t('Edit the cluster.'),
  })),
  row(client.AuthenticationFailedError, loginErrorText),
  row(client.SessionLostError, l10n => ({ what: l10n.t('The session is lost.'), next: l10n.t('Connect again.') })),
  row(client.NotConnectedError, l10n => ({
    what: l10n.t('There is no connection to the cluster.'),
    next: l10n.t('Try again when it is back.'),
  })),
  row(client.ReplyLostError, l10n => ({ what: l10n.t('The cluster did not answer.'), next: l10n.t('Try again.') })),
  row(client.OutcomeUnknownError, (l10n, { path }) => ({
    what: l10n.t('The answer was lost: {0} may or may not have been changed.', nameText(path, 200, l10n)),
    next: l10n.t('Check it before you try again.'),
  })),
  row(client.ReplyTooLargeError, (l10n, { path, bytes }) => ({
    what: l10n.t('The answer for {0} is too large to show ({1} bytes).', nameText(path, 200, l10n), bytes),
    next: l10n.t('Open a smaller part of the tree.'),
  })),
  row(MalformedReplyError, l10n => ({
    what: l10n.t('The server sent a reply that is not valid in the ZooKeeper protocol.'),
    next: l10n.t('Check for a proxy or load balancer in front of the server. See the log for details.'),
  })),
  row(client.CancelledError, l10n => ({ what: l10n.t('Cancelled.'), next: '' })),

  // Test locks
  row(recipes.LockTimeout, (l10n, { path }) => ({
    what: l10n.t('{0} was not acquired in time.', nameText(path, 200, l10n)),
    next: l10n.t('The queue shows who holds it.'),
  })),
  row(recipes.LockCancelled, l10n => ({ what: l10n.t('Cancelled.'), next: '' })),
  row(recipes.SessionLost, (l10n, { path }) => ({
    what: l10n.t('{0} was not acquired: the session ended while it waited.', nameText(path, 200, l10n)),
    next: l10n.t('Acquire it again.'),
  })),
  row(recipes.RemovedFromQueue, (l10n, { path }) => ({
    what: l10n.t('{0} was deleted by another client while it waited.', nameText(path, 200, l10n)),
    next: l10n.t('Acquire it again to queue up at the end.'),
  })),
  row(recipes.WrongDialect, (l10n, { path, fault }) => dialectFaultText(fault, l10n, nameText(path, 200, l10n))),
  row(recipes.QueueCorrupted, (l10n, { path, fault }) => ({
    what:
      fault === 'run-out'
        ? l10n.t('{0} was not touched: its sequence counter has run out.', nameText(path, 200, l10n))
        : l10n.t('{0} was not touched: its sequence counter stands still.', nameText(path, 200, l10n)),
    next: l10n.t('Wait until the queue is empty, then delete the lock directory and create it again.'),
  })),
  row(recipes.NodeLeftBehind, nodeLeftText),
  row(recipes.MultiReleaseError, (l10n, { errors }) => ({
    what: sentencesIn(l10n, [
      l10n.t('Locks that were not released: {0}.', errors.length),
      ...new Set(errors.slice(0, namedFailures).map(error => errorSentence(error, l10n))),
    ]),
    next: l10n.t('Their nodes go when the session ends. See the log for details.'),
  })),
  row(NodeRemains, (l10n, { lock: { request } }) => ({
    what: l10n.t(
      '"{0}" stays under Test Locks: its node could not be deleted and still blocks others.',
      pathsText(request, l10n),
    ),
    next: l10n.t(
      'The node goes when the session ends: release the other test locks of the cluster "{0}", then dismiss this one.',
      displayText(request.cluster.profile.name),
    ),
  })),
  row(SelfBlocked, (l10n, { path, lock: { request } }) => ({
    what: l10n.t(
      'This window already holds {0}: waiting for it would be a deadlock with itself.',
      nameText(path, 200, l10n),
    ),
    next: l10n.t(
      'First release "{0}" ({1}) under Test Locks.',
      pathsText(request, l10n),
      recipeText(request.recipe, l10n),
    ),
  })),

  // Clusters, files and secrets
  row(ReadOnlyCluster, readOnlyText),
  row(LogFolderError, logFolderText),
  row(StoredDataError, storedDataText),
  row(IncidentError, incidentErrorText),
  row(RecorderError, recorderErrorText),
  row(SandboxPortError, (l10n, { code }) => ({
    what: l10n.t('The sandbox could not be started: {0}.', displayText(code)),
    next: l10n.t('It needs a free port of 127.0.0.1. Let VS Code listen there, and try again.'),
  })),
  row(RowGone, l10n => ({
    what: l10n.t('This row is gone: its cluster is no longer in the list.'),
    next: l10n.t('Choose another row in the Clusters view; add the cluster again or try a sandbox if it has none.'),
  })),
  row(ClusterChanged, (l10n, { change, cluster }) => ({
    what: changeTexts[change](l10n, displayText(cluster)),
    next: l10n.t('Start again.'),
  })),
  row(ClusterFileError, (l10n, { fault, field }) => ({
    what: clusterFileTexts[fault](l10n, displayText(field, 60)),
    next:
      fault === 'newer'
        ? l10n.t('Update the extension.')
        : fault === 'unreadable'
          ? l10n.t('Check that it exists and that you may read it.')
          : l10n.t('Choose a file that "Export Clusters" has written.'),
  })),
  row(TlsFileError, (l10n, error) => {
    const { role, file, fault } = error;
    const contents = { ca: l10n.t('CA certificates'), cert: l10n.t('client certificate'), key: l10n.t('private key') };
    return { what: tlsFileTexts[fault](l10n, contents[role], displayText(file)), next: tlsFileAdvice(l10n, error) };
  }),
  row(WrongPassphraseError, (l10n, { file }) => ({
    what: l10n.t('The passphrase does not open the key {0}.', displayText(file)),
    next: l10n.t('Type it again.'),
  })),
  row(MissingSecretError, (l10n, { purpose }) => ({
    what:
      purpose.kind === 'password'
        ? l10n.t('The password of {0} was not given.', displayText(purpose.user))
        : l10n.t('The passphrase of the key {0} was not given.', displayText(purpose.keyFile)),
    next: l10n.t('Connect again to type it.'),
  })),

  // Other extensions
  row(ApiRefusal, (l10n, { reason, about }) => ({ what: apiRefusalTexts[reason](l10n, displayText(about)), next: '' })),

  // Deletes
  row(RefusedDelete, (l10n, error) => ({
    what: sentencesIn(l10n, [
      l10n.t('{0} was not deleted.', nameText(error.path, 200, l10n)),
      refusalTexts[error.reason](l10n),
    ]),
    next: refusedDeleteAdvice(l10n, error),
  })),
  row(RefusedRevoke, (l10n, { path, reason }) => ({
    what: sentencesIn(l10n, [
      l10n.t('{0} was not asked to release the lock.', nameText(path, 200, l10n)),
      reason === 'does-not-listen'
        ? l10n.t('Its owner does not listen for revoke requests.')
        : refusalTexts[reason](l10n),
    ]),
    next: l10n.t('Only a revocable Curator mutex can be asked.'),
  })),
];

function knownText(error: unknown, l10n: Language): ErrorText | undefined {
  for (const textOf of table) {
    const text = textOf(error, l10n);
    if (text !== undefined) return text;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error as text for the screen. A class without a row shows its own message. */
export function errorText(error: unknown, l10n: Language = inEditor): ErrorText {
  const text = knownText(error, l10n);
  return text ?? { what: displayText(messageOf(error)), next: l10n.t('See the log for details.') };
}

/** Both parts as one text. */
export function errorSentence(error: unknown, l10n: Language = inEditor): string {
  const { what, next } = errorText(error, l10n);
  return sentencesIn(l10n, [what, next]);
}

/** The words of an error in English, for the log, the audit list and the API. */
export function englishText(error: unknown): string {
  const text = knownText(error, english);
  return text === undefined ? messageOf(error) : sentencesIn(english, [text.what, text.next]);
}

/** An error as an entry of the log, in English: one line with its facts, or with its stack where we have no words for it. */
export function logText(error: unknown): string {
  const text = englishText(error);
  if (!(error instanceof Error)) return text;
  return knownText(error, english) === undefined
    ? `${text}\n${error.stack ?? ''}`
    : `${text} (${error.name}: ${error.message})`;
}

/** Why a lease is uncertain or lost, as a whole sentence. */
export const leaseCauseText = byKind<LeaseCause, string>({
  session: ({ cause }) => (cause === undefined ? l10n.t('The session is over.') : sessionCauseText(cause)),
  'node-deleted': () => l10n.t('Its node was deleted by another client.'),
  'node-replaced': () => l10n.t('Its node was replaced by another client.'),
  unread: ({ error }) => errorText(error).what,
});

const dialectFaultText = byKind<recipes.DialectFault, ErrorText, [l10n: Language, path: string]>({
  'in-use': ({ dialect, recipe }, l10n, path) => ({
    what: l10n.t(
      '{0} was not touched: locks of {1} are in use there, and cannot be taken as "{2}".',
      path,
      dialectText(dialect, l10n),
      recipeText(recipe, l10n),
    ),
    next: l10n.t('Choose another recipe or another path.'),
  }),
  'no-recipe': ({ dialect, recipe }, l10n, path) => ({
    what: l10n.t(
      '{0} was not touched: {1} has no {2} lock.',
      path,
      dialectText(dialect, l10n),
      recipeText(recipe, l10n),
    ),
    next: l10n.t('Choose another recipe or another dialect.'),
  }),
  semaphore: ({ dialect, semaphore }, l10n, path) => ({
    what: l10n.t('{0} was not touched: a semaphore of {1} is in use there.', path, dialectText(dialect, l10n)),
    next: l10n.t('Acquire a semaphore at {0}, or choose another path.', nameText(semaphore, 200, l10n)),
  }),
  stranger: ({ name }, l10n, path) => ({
    what: l10n.t(
      '{0} was not touched: "{1}" belongs to another kind of lock, and the two would not see each other.',
      path,
      displayText(name),
    ),
    next: l10n.t('Choose the dialect in use there, or another path.'),
  }),
  limit: ({ found, wanted }, l10n, path) => ({
    what: l10n.t('{0} was not touched: its limit is "{1}", not {2}.', path, displayText(found), wanted),
    next: l10n.t('Acquire it again with the same limit as the others.'),
  }),
  directory: (_, l10n, path) => ({
    what: l10n.t('{0} was not touched: it has children, and an exclusive lock is a single node.', path),
    next: l10n.t('Choose a path below it.'),
  }),
  twice: (_, l10n, path) => ({
    what: l10n.t('{0} was not touched: it is named twice, so it would wait for itself.', path),
    next: l10n.t('Name each path once.'),
  }),
});

/** How many failures and nodes one message names. */
const namedFailures = 3;

function nodeLeftText(l10n: Language, { why, nodes, cause }: recipes.NodeLeftBehind): ErrorText {
  const paths = listed(
    nodes.slice(0, namedFailures).map(({ path }) => nameText(path, 200, l10n)),
    l10n,
  );
  return {
    what: sentencesIn(l10n, [
      errorText(why, l10n).what,
      nodes.length === 1
        ? l10n.t('Its node is still in the queue: {0}.', paths)
        : l10n.t('Its nodes are still in their queues: {0}.', paths),
      client.isZooKeeperError(cause, 'NO_AUTH')
        ? l10n.t('You have no permission to delete it.')
        : errorSentence(cause, l10n),
    ]),
    next: l10n.t(
      'It goes with the session: release your other test locks of this cluster and disconnect it. Or ask a user with the DELETE right to delete it.',
    ),
  };
}

const changeTexts: Readonly<Record<ClusterChange, (l10n: Language, cluster: string) => string>> = {
  removed: (l10n, cluster) =>
    l10n.t('Nothing was done: the cluster "{0}" was removed from the list meanwhile.', cluster),
  changed: (l10n, cluster) => l10n.t('Nothing was done: the cluster "{0}" was changed meanwhile.', cluster),
  disconnected: (l10n, cluster) => l10n.t('Nothing was done: the cluster "{0}" was disconnected meanwhile.', cluster),
};

const apiRefusalTexts: Readonly<Record<ApiRefusalReason, (l10n: Language, about: string) => string>> = {
  untrusted: l10n => l10n.t('The workspace is not trusted.'),
  'unknown-cluster': l10n => l10n.t('No cluster of this id is saved.'),
  'not-connected': l10n => l10n.t('The cluster is not connected.'),
  'not-installed': (l10n, id) => l10n.t('No extension "{0}" is installed. Give your own id.', id),
  'not-allowed': (l10n, id) => l10n.t('{0} may not take test locks.', id),
  'too-many': (l10n, most) => l10n.t('An extension may have {0} test locks.', most),
  'released-at-once': (l10n, path) => l10n.t('{0} was released at once.', path),
};

const clusterFileTexts: Readonly<Record<ClusterFileFault, (l10n: Language, field: string) => string>> = {
  'too-large': l10n => l10n.t('The file is too large to hold clusters.'),
  'too-many': l10n => l10n.t('The file holds too many clusters.'),
  'not-json': l10n => l10n.t('The file is not JSON in UTF-8.'),
  kind: l10n => l10n.t('The file holds no clusters of ZooKeeper Lock Inspector.'),
  clusters: l10n => l10n.t('The file has no list of clusters.'),
  version: l10n => l10n.t('The file does not state the version of its format.'),
  newer: l10n => l10n.t('The file was written by a newer version of ZooKeeper Lock Inspector.'),
  'unknown-field': (l10n, field) => l10n.t('The file has an unknown field: {0}.', field),
  unreadable: l10n => l10n.t('The file cannot be read.'),
};

type TlsFileRow = (l10n: Language, content: string, file: string) => string;

const tlsFileTexts: Readonly<Record<TlsFileFault, TlsFileRow>> = {
  missing: (l10n, content, file) => l10n.t('The file with the {0} does not exist: {1}.', content, file),
  unreadable: (l10n, content, file) => l10n.t('The file with the {0} cannot be read: {1}.', content, file),
  relative: (l10n, content, file) =>
    l10n.t('The file with the {0} must be named by its full path: {1}.', content, file),
  'too-large': (l10n, content, file) => l10n.t('The file is too large to hold the {0}: {1}.', content, file),
  foreign: (l10n, content, file) => l10n.t('The file holds no {0} in PEM form: {1}.', content, file),
  mismatch: (l10n, _, file) => l10n.t('The private key does not belong to the client certificate: {0}.', file),
};

function tlsFileAdvice(l10n: Language, { role, fault }: TlsFileError): string {
  if (fault === 'unreadable') return l10n.t('Check that you may read it.');
  if (fault !== 'foreign') return l10n.t('Edit the cluster to choose another file.');
  return role === 'key'
    ? l10n.t('A JKS or PKCS #12 store must be converted first, for example with: openssl pkcs12 -nocerts')
    : l10n.t('A JKS store must be converted first, for example with: keytool -exportcert -rfc');
}

const refusalTexts: Readonly<Record<RefusalReason, (l10n: Language) => string>> = {
  'read-only': l10n => l10n.t('The cluster is marked read-only.'),
  'invalid-path': l10n => l10n.t('This is not a valid path of a node.'),
  root: l10n => l10n.t('The root of the tree or of the chroot is never deleted.'),
  depth: l10n => l10n.t('Nodes directly below the root are never deleted.'),
  zookeeper: l10n => l10n.t('The nodes below /zookeeper belong to the server.'),
  'not-a-contender': l10n => l10n.t('It is not recognised as a contender of a lock.'),
  unreadable: l10n => l10n.t('You have no permission to read it, so it cannot be compared with what you saw.'),
  'has-children': l10n => l10n.t('It has children, and a contender has none.'),
  'not-empty': l10n => l10n.t('It has children now: the lock is in use.'),
  'not-a-lock-directory': l10n =>
    l10n.t('There is no sign that it was a lock: it has data of its own or never had a child.'),
  'no-permission': l10n =>
    l10n.t('The right DELETE is missing on the parent; the ACL of the node itself does not matter.'),
  'too-many': l10n => l10n.t('At most 100 nodes are deleted at once.'),
};

function refusedDeleteAdvice(l10n: Language, { reason, missing }: RefusedDelete): string {
  if (missing !== undefined) {
    return l10n.t(
      'The ACL of {0} is: {1}. Ask its owner, or log in as a user who has DELETE there.',
      nameText(missing.parent, 200, l10n),
      missing.parentAcl === undefined ? l10n.t('not readable') : displayText(aclText(missing.parentAcl), 400),
    );
  }
  if (reason === 'read-only') return l10n.t('Edit the cluster to change that.');
  if (reason === 'has-children' || reason === 'not-a-contender') return l10n.t('Use another tool to delete it.');
  return '';
}
