import { l10n } from 'vscode';
import { aclText } from '../../inspector/refusedDelete.ts';
import { AccessDeniedError, identityText, ownersOf, type Right } from '../../zookeeper/accessDenied.ts';
import type { ZooKeeperError } from '../../zookeeper/errors.ts';
import { displayText } from '../../base/displayText.ts';
import { sentences } from './joinTexts.ts';

interface Text {
  what: string;
  next: string;
}

/** The right that a request needs; for `create` and `remove` it is the parent's ACL that counts. */
function deniedText(operation: string, path: string): Text {
  switch (operation) {
    case 'create':
      return {
        what: l10n.t('You have no permission to create {0}.', path),
        next: l10n.t('Ask for the CREATE right in the ACL of its parent, or log in as somebody who has it.'),
      };
    case 'remove':
      return {
        what: l10n.t('You have no permission to delete {0}.', path),
        next: l10n.t('Ask for the DELETE right in the ACL of its parent, or log in as somebody who has it.'),
      };
    case 'setData':
      return {
        what: l10n.t('You have no permission to change {0}.', path),
        next: l10n.t('Ask for the WRITE right in its ACL, or log in as somebody who has it.'),
      };
    default:
      return {
        what: l10n.t('You have no permission to read {0}.', path),
        next: l10n.t('Ask for the READ right in its ACL, or log in as somebody who has it.'),
      };
  }
}

const texts = new Map<string, (path: string, operation: string) => Text>([
  ['NO_NODE', path => ({ what: l10n.t('{0} does not exist.', path), next: l10n.t('Check the path, or refresh.') })],
  [
    'NO_CHILDREN_FOR_EPHEMERALS',
    path => ({
      what: l10n.t('{0} cannot be created: the node above it is ephemeral, and such a node has no children.', path),
      next: l10n.t('Choose another path. If that node is the lock itself, take it by Acquire Exclusive Lock.'),
    }),
  ],
  ['NO_AUTH', (path, operation) => deniedText(operation, path)],
  [
    'BAD_ARGUMENTS',
    path => ({ what: l10n.t('The server does not accept the path {0}.', path), next: l10n.t('Check the path.') }),
  ],
  ['SESSION_EXPIRED', () => ({ what: l10n.t('The session is lost.'), next: l10n.t('Connect again.') })],
  [
    'THROTTLED_OP',
    () => ({ what: l10n.t('The server is overloaded and refused the request.'), next: l10n.t('Try again later.') }),
  ],
  [
    'NOT_READONLY',
    path => ({
      what: l10n.t('Quorum lost: the server only reads now, {0} was not changed.', path),
      next: l10n.t('Try again when the ensemble has a leader.'),
    }),
  ],
  [
    'SESSION_CLOSED_REQUIRE_SASL_AUTH',
    () => ({
      what: l10n.t('The cluster serves nobody without a SASL log-in.'),
      next: l10n.t('Edit the cluster and choose SASL DIGEST-MD5.'),
    }),
  ],
  [
    'AUTH_FAILED',
    () => ({
      what: l10n.t('The log-in was refused.'),
      next: l10n.t('Edit the cluster: check user, password and kind of log-in.'),
    }),
  ],
]);

const rightNames: Record<Right, string> = {
  create: 'CREATE',
  delete: 'DELETE',
  read: 'READ',
  write: 'WRITE',
  admin: 'ADMIN',
};

/** Names and ids of an ACL are foreign text, and so is what a server calls us. */
function explainedText({ denied, operation, path }: AccessDeniedError): Text {
  const { acl, identities } = denied;
  const node = displayText(denied.node);
  const right = rightNames[denied.right];
  const who = identities?.map(({ scheme, user }) => identityText(scheme, user)).join(', ');
  return {
    what: sentences(
      deniedText(operation, displayText(path)).what,
      l10n.t('The right {0} is missing on {1}.', right, node),
    ),
    next: sentences(
      acl === undefined
        ? l10n.t('The ACL of {0} may not be read either.', node)
        : l10n.t('The ACL of {0} is: {1}.', node, displayText(aclText(acl), 400)),
      ...(who === undefined ? [] : [l10n.t('You are {0}.', displayText(who))]),
      ownersOf(denied)?.length === 0
        ? l10n.t('Nobody has {0} there: somebody with ADMIN must change the ACL.', right)
        : l10n.t('Ask its owner, or log in as somebody who has {0} there.', right),
    ),
  };
}

/** What a server's error code means here, ready for the screen. */
export function serverErrorText(error: ZooKeeperError): Text {
  if (error instanceof AccessDeniedError) return explainedText(error);
  const { codeName, operation, path } = error;
  const shown = displayText(path);
  return (
    texts.get(codeName)?.(shown, operation) ?? {
      what: l10n.t('The server refused {0} for {1}: {2}.', operation, shown, codeName),
      next: l10n.t('See the log of the ZooKeeper server for the cause.'),
    }
  );
}
