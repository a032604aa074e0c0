import { sessionFrom } from './sessionInput.ts';

/** Whose locks a session page shows: one session, all sessions of one address, or all whose nodes carry one identifier. Foreign text. */
export type Subject =
  { kind: 'session'; id: bigint } | { kind: 'address'; address: string } | { kind: 'identifier'; identifier: string };

/** Longest address and identifier that are taken, in characters. */
export const longestSubject = 4_096;

/** Whether two pages would show the same. */
export function isSameSubject(one: Subject, other: Subject): boolean {
  return subjectKey(one) === subjectKey(other);
}

function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'session':
      return `session ${subject.id}`;
    case 'address':
      return `address ${hostOf(subject.address)}`;
    case 'identifier':
      return `identifier ${subject.identifier}`;
  }
}

/** The host of an address `ip:port`, without the brackets of IPv6; an address without a port is the host itself. */
export function hostOf(address: string): string {
  const plain = address.trim().toLowerCase();
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/u.exec(plain)?.[1];
  if (bracketed !== undefined) return bracketed;
  const [host = '', port, ...more] = plain.split(':', 3);
  return port !== undefined && more.length === 0 && /^\d+$/u.test(port) ? host : plain;
}

/** @param value anything; @returns `undefined` if it names no subject, or more than one */
export function readSubject(value: object): Subject | undefined {
  const { session, address, identifier } = value as Record<string, unknown>;
  if ([session, address, identifier].filter(each => each !== undefined).length !== 1) return undefined;
  if (typeof session === 'string') {
    const id = sessionFrom(session);
    return id === undefined ? undefined : { kind: 'session', id };
  }
  if (isShort(address)) return { kind: 'address', address: hostOf(address) };
  return isShort(identifier) ? { kind: 'identifier', identifier } : undefined;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longestSubject;
}
