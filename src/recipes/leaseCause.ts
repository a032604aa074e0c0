import { sessionReason, type SessionCause } from '../zookeeper/sessionCause.ts';

/**
 * Why a lease is uncertain or lost, as a closed list that an interface can translate.
 *
 * `session`: as its session; without `cause` all that is known is that it is over. `node-deleted`, `node-replaced`: by somebody
 * else. `unread`: the server answered the re-reading of the own node with an error.
 */
export type LeaseCause =
  | { kind: 'session'; cause: SessionCause | undefined }
  | { kind: 'node-deleted' | 'node-replaced' }
  | { kind: 'unread'; error: unknown };

/** A cause as one plain sentence of English without its full stop. */
export function leaseReason(cause: LeaseCause): string {
  switch (cause.kind) {
    case 'session':
      return cause.cause === undefined ? 'the session is over' : sessionReason(cause.cause);
    case 'node-deleted':
      return 'its node was deleted by somebody else';
    case 'node-replaced':
      return 'its node was replaced by somebody else';
    case 'unread':
      return String(cause.error);
  }
}
