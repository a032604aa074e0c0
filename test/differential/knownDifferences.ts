import { isBefore } from '../versions/limits.ts';
import type { Difference } from './compare.ts';
import type { Program, Step } from './program.ts';
import type { AclEntry, Request } from './requests.ts';

/** A difference that is not going to be mended. */
interface KnownDifference {
  /** Why, for people: a whole sentence. */
  reason: string;
  /** Only real servers before this version differ. */
  until?: string;
}

/** Lines that differ only in this mean the same; the play goes on. */
interface KnownWording extends KnownDifference {
  /** @returns the line without what may differ */
  rewrite: (line: string) => string;
}

/** From here on the servers are in different states, so the rest of the program says nothing. */
interface KnownParting extends KnownDifference {
  fits: (difference: Difference, step: Step | undefined) => boolean;
}

const wordings: readonly KnownWording[] = [
  {
    reason:
      'To a multiRead of writes, or of a null path, the real server answers MARSHALLING_ERROR with an empty list behind it, which no client reads.',
    rewrite: line => line.replace(/(to multiRead: error -5, zxid [^,]*), parts .*/, '$1'),
  },
  {
    reason:
      'Characters beyond the Basic Multilingual Plane, which no path may have, are echoed by the real server as two surrogates of three bytes each (CESU-8), which is no UTF-8.',
    rewrite: line => line.replaceAll(/\ufffd{6}|[\u{10000}-\u{10ffff}]/gu, '?'),
  },
  {
    reason: 'Events have had the zxid of their change since 3.9.',
    until: '3.9.0',
    rewrite: line => line.replace(/^(event .*), zxid .*/, '$1'),
  },
  {
    reason: 'Before 3.9 a create2 within a multi is answered as a create, without a stat.',
    until: '3.9.0',
    rewrite: line => line.replaceAll(/\[(?:1|15) 0, path ("(?:[^"\\]|\\.)*")(?:, stat [^\]]*)?\]/g, '[1 0, path $1]'),
  },
];

const writeCodes: ReadonlySet<number> = new Set([1, 2, 5, 7, 15, 16, 19, 20, 21]);

const partings: readonly KnownParting[] = [
  {
    reason:
      'A create in a multi that has null for an ACL, which no client sends, makes the multi unreadable for the real server.',
    fits: (_, step) => hasRequest(step, request => request.op === 'multi' && request.parts.some(hasNoAcl)),
  },
  {
    reason: 'The request createSession is between servers; from a client, it makes a real server open another session.',
    fits: (_, step) => hasRequest(step, request => request.op === 'raw' && request.code === -10),
  },
  {
    reason:
      'An ACL that has null for an id, which no client sends, is no ACL for the sandbox; the real server cannot read it.',
    fits: (_, step) =>
      hasRequest(step, request => aclsOf(request).some(({ scheme, id }) => scheme !== null && id === null)),
  },
  {
    reason:
      'Before 3.9 persistent watches cannot be removed or asked for by themselves, and checkWatches finds those of others.',
    until: '3.9.0',
    fits: (_, step) => hasRequest(step, ({ op }) => op === 'checkWatches' || op === 'removeWatches'),
  },
  {
    reason: 'Before 3.9 a write that ends too early takes a zxid.',
    until: '3.9.0',
    fits: (_, step) => hasRequest(step, request => request.op === 'raw' && writeCodes.has(request.code)),
  },
  {
    reason: 'Before 3.9 a second watch of another kind on the same path takes the place of the first (ZOOKEEPER-4466).',
    until: '3.9.0',
    fits: ({ expected, actual }) =>
      onlyEvents(difference(actual, expected)) && onlyEvents(difference(expected, actual)),
  },
  {
    reason: 'Before 3.9 a wrong mode in a multi concerns its part alone.',
    until: '3.9.0',
    fits: ({ actual }, step) => hasRequest(step, ({ op }) => op === 'multi') && someLine(actual, / to multi: error -5/),
  },
  {
    reason: 'exists has asked for the right to read since 3.8.4 and 3.9.2 (CVE-2024-23944).',
    until: '3.8.4',
    fits: ({ actual }, step) =>
      hasRequest(step, ({ op }) => op === 'exists') && someLine(actual, / exists: error -102/),
  },
  {
    reason: 'Who may not read a node gets no events of it since 3.8.4 and 3.9.2 (CVE-2024-23944).',
    until: '3.8.4',
    fits: ({ expected, actual }) => expected.length > actual.length && onlyEvents(difference(expected, actual)),
  },
];

function hasNoAcl(request: Request): boolean {
  return 'acl' in request && request.acl === null;
}

function aclsOf(request: Request): readonly AclEntry[] {
  if (request.op === 'multi') return request.parts.flatMap(aclsOf);
  return 'acl' in request ? (request.acl ?? []) : [];
}

function hasRequest(step: Step | undefined, wanted: (request: Request) => boolean): boolean {
  return step?.kind === 'requests' && step.requests.some(wanted);
}

/** The lines of `some` that `others` lacks. */
function difference(some: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return some.filter(line => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function onlyEvents(lines: readonly string[]): boolean {
  return lines.every(line => line.startsWith('event '));
}

function someLine(lines: readonly string[], pattern: RegExp): boolean {
  return lines.some(line => pattern.test(line));
}

/** @returns the program without what this real server cannot be asked */
export function playable(version: string, program: Program): Program {
  if (!isBefore(version, '3.9.0')) return program;
  // A check outside of a multi that fits is never answered.
  const steps = program.steps.filter(step => !hasRequest(step, ({ op }) => op === 'check'));
  return { ...program, steps };
}

/** What explains a difference. */
export interface Explanation {
  reasons: string[];
  /** Whether the rest of the program can still be compared. */
  goesOn: boolean;
}

/** @returns why this difference is no surprise, by the list above; `undefined` where it is one */
export function explain(version: string, step: Step | undefined, difference: Difference): Explanation | undefined {
  const isKnown = ({ until }: KnownDifference): boolean => until === undefined || isBefore(version, until);
  let { expected, actual } = difference;
  const reasons: string[] = [];
  for (const { reason, rewrite } of wordings.filter(isKnown)) {
    const [wanted, got] = [expected.map(rewrite), actual.map(rewrite)];
    if (wanted.join('\n') !== expected.join('\n') || got.join('\n') !== actual.join('\n')) reasons.push(reason);
    [expected, actual] = [wanted, got];
  }
  if (expected.join('\n') === actual.join('\n')) return { reasons, goesOn: true };
  const parting = partings.filter(isKnown).find(({ fits }) => fits({ ...difference, expected, actual }, step));
  return parting && { reasons: [parting.reason], goesOn: false };
}
