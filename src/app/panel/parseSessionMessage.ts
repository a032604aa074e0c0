import * as v from 'valibot';
import { sessionCopyParts, type SessionPageMessage } from '../../sessionProtocol.ts';
import { isLockPath } from '../clusters/clusterProfile.ts';
import { longestSubject } from '../sessions/subject.ts';

/** Longest lock that the page can name, in characters; longer ones have no link on it. */
export const longestLink = 4_096;

const text = (limit: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(limit));

const subject = v.union([
  v.strictObject({ session: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,16}$/u)) }),
  v.strictObject({ address: text(longestSubject) }),
  v.strictObject({ identifier: text(longestSubject) }),
]);

const lock = v.object({
  path: v.pipe(text(longestLink), v.check(isLockPath)),
  lockName: v.optional(text(longestLink)),
});

const message = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'askServers', 'connect']) }),
  v.object({ type: v.literal('showSession'), subject }),
  v.object({ type: v.literal('showQueue'), lock }),
  v.object({ type: v.literal('copy'), part: v.picklist(sessionCopyParts) }),
]);

/** Checks a message from the page of a session: an injected script could send anything. @returns `undefined` if it is malformed */
export function parseSessionMessage(value: unknown): SessionPageMessage | undefined {
  // A clone has own fields only: nothing is taken from a prototype.
  const { success, output } = v.safeParse(message, structuredClone(value));
  return success ? output : undefined;
}
