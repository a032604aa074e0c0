/**
 * Limits that the real server does not have: the sandbox shares memory and event loop with an editor. Who passes one is refused, or
 * loses the connection; the others go on.
 */
export const limits = {
  /** Above this many bytes that a client has not read its next request waits, as do the requests behind it. */
  unreadPauses: 1024 * 1024,
  /** One reply, and what one client may leave unread, bytes. */
  unread: 32 * 1024 * 1024,
  /** What all clients together may leave unread, bytes. */
  unreadTotal: 128 * 1024 * 1024,
  /** Answers that all clients get in one turn of the event loop, ms. */
  turnMs: 8,
  /** Parts of one multi or multiRead. */
  parts: 20_000,
  /** Identities of one client. */
  identities: 64,
  /** One credential, bytes. */
  credential: 4_096,
} as const;
