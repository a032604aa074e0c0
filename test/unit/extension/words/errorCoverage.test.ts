import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { displayText } from '../../../../src/base/displayText.ts';
import { errorSentence, errorText } from '../../../../src/extension/words/errorText.ts';
import { leaseCauseText, sessionCauseText } from '../../../../src/extension/words/sessionCauseText.ts';
import { RefusedDelete, type RefusalReason } from '../../../../src/inspector/refusedDelete.ts';
import { RefusedRevoke } from '../../../../src/inspector/refusedRevoke.ts';
import * as recipes from '../../../../src/recipes/errors.ts';
import { type LeaseCause, leaseReason } from '../../../../src/recipes/lock.ts';
import { AccessDeniedError } from '../../../../src/zookeeper/accessDenied.ts';
import type {
  ClosedReason,
  ConnectFailure,
  ServerFailure,
  TlsReason,
} from '../../../../src/zookeeper/connectFailure.ts';
import * as zookeeper from '../../../../src/zookeeper/errors.ts';
import type { LoginCause, LoginRefusal, SessionCause } from '../../../../src/zookeeper/sessionCause.ts';
import { MalformedReplyError } from '../../../../src/zookeeper/wire/jute.ts';
import { hostileTexts, linkPattern, unseenPattern } from '../corpus.ts';
import { l10n } from '../fakeVscode.ts';

const fake = { ...l10n };

afterEach(() => {
  Object.assign(l10n, fake);
});

/** Caught inside `src/zookeeper`, where they become an AuthenticationFailedError. */
const internal = new Set(['CredentialRefused', 'SaslError']);

const refusals: RefusalReason[] = [
  'read-only', 'invalid-path', 'root', 'depth', 'zookeeper', 'not-a-contender', 'unreadable', 'has-children', 'not-empty',
  'not-a-lock-directory', 'no-permission', 'too-many',
]; // prettier-ignore

const connectFailures: Exclude<ConnectFailure, 'tls' | 'closed'>[] = [
  'dns', 'refused', 'unreachable', 'timeout', 'not-zookeeper', 'read-only', 'behind',
]; // prettier-ignore

const closedReasons: ClosedReason[] = ['not-serving', 'mute', 'hung-up', 'broke-off'];

const tlsReasons: TlsReason[] = [
  'wrong-host', 'expired', 'not-yet-valid', 'revoked', 'self-signed', 'unknown-authority', 'plain-port', 'tls-port',
  'hung-up', 'certificate-demanded', 'certificate-refused', 'no-common-version', 'own-files', 'other',
]; // prettier-ignore

const dialectFaults: recipes.DialectFault[] = [
  { kind: 'in-use', dialect: 'curator-latch', recipe: 'read' },
  { kind: 'no-recipe', dialect: 'kazoo', recipe: 'write' },
  { kind: 'semaphore', dialect: 'kazoo-semaphore', semaphore: '/a' },
  { kind: 'stranger', name: 'x-0000000001' },
  { kind: 'limit', found: '3', wanted: 2 },
  { kind: 'directory' },
  { kind: 'twice' },
];

/** One of every kind: a kind that is added does not compile until it stands here. */
const loginRefusals: Record<LoginRefusal, true> = {
  malformed: true, credential: true, 'no-sasl': true, 'no-digest-md5': true, 'wrong-account': true, 'bad-challenge': true,
  'demands-more': true, 'no-proof': true,
}; // prettier-ignore

const logins = Object.keys(loginRefusals).map((refusal): LoginCause => ({
  kind: 'login', server: 'zk1:2181', scheme: 'digest', refusal: refusal as LoginRefusal, detail: 'why it was',
})); // prettier-ignore

const failures: ServerFailure[] = [
  ...connectFailures.map(failure => ({ failure })),
  ...closedReasons.map(reason => ({ failure: 'closed' as const, reason })),
  ...tlsReasons.map(reason => ({ failure: 'tls' as const, reason })),
].map(cause => ({ host: 'zk1', port: 2181, detail: 'why', ...cause }));

const causesByKind: Record<SessionCause['kind'], SessionCause[]> = {
  late: [{ kind: 'late' }],
  closed: [{ kind: 'closed' }],
  connection: failures.map(failure => ({ kind: 'connection', failure })),
  silent: [{ kind: 'silent', timeoutMs: 400 }],
  expired: [{ kind: 'expired', server: 'zk1:2181' }],
  replaced: [{ kind: 'replaced', server: 'zk1:2181' }],
  login: logins,
};
const sessionCauses: SessionCause[] = Object.values(causesByKind).flat();

const leaseCausesByKind: Record<LeaseCause['kind'], LeaseCause[]> = {
  session: [undefined, ...sessionCauses].map(cause => ({ kind: 'session', cause })),
  'node-deleted': [{ kind: 'node-deleted' }],
  'node-replaced': [{ kind: 'node-replaced' }],
  unread: [{ kind: 'unread', error: new zookeeper.ZooKeeperError(-102, 'getData', '/a') }],
};
const leaseCauses = Object.values(leaseCausesByKind).flat();

const denied = { node: '/a', right: 'create', acl: undefined, identities: undefined } as const;

function left(path: string): recipes.NodeLeft {
  return { path, cause: new zookeeper.ZooKeeperError(-102, 'remove', path) };
}

/** At least one of every class, and one for every reason that it can have. */
const samples: Record<string, Error[]> = {
  LockTimeout: [new recipes.LockTimeout('/a', 0)],
  LockCancelled: [new recipes.LockCancelled('/a')],
  SessionLost: [new recipes.SessionLost('/a', 'why')],
  RemovedFromQueue: [new recipes.RemovedFromQueue('/a')],
  WrongDialect: dialectFaults.map(fault => new recipes.WrongDialect('/a', fault)),
  QueueCorrupted: (['stands-still', 'run-out'] as const).map(fault => new recipes.QueueCorrupted('/a', fault)),
  MultiReleaseError: [
    new recipes.MultiReleaseError([new recipes.LockTimeout('/a', 0), new recipes.LockCancelled('/b')]),
  ],
  NodeLeftBehind: [
    new recipes.NodeLeftBehind(new recipes.LockTimeout('/a', 0), [left('/a/x-1')]),
    new recipes.NodeLeftBehind(new zookeeper.ZooKeeperError(-102, 'remove', '/a/x-1'), [
      left('/a/x-1'),
      left('/b/y-1'),
    ]),
    new recipes.NodeLeftBehind(new recipes.LockCancelled('/a'), [
      { path: '/a', cause: new zookeeper.ZooKeeperError(-8, 'remove', '/a') },
    ]),
  ],
  RefusedDelete: refusals.map(reason => new RefusedDelete(reason, '/a')),
  RefusedRevoke: [...refusals, 'does-not-listen' as const].map(reason => new RefusedRevoke(reason, '/a')),
  ZooKeeperError: [-101, -102, -110, -111, -119, -999].map(code => new zookeeper.ZooKeeperError(code, 'create', '/a')),
  AccessDeniedError: [new AccessDeniedError(new zookeeper.ZooKeeperError(-102, 'create', '/a/b'), denied)],
  NotConnectedError: [new zookeeper.NotConnectedError('create', '/a', 'why')],
  ReplyLostError: [new zookeeper.ReplyLostError('create', '/a', 'why')],
  ReplyTooLargeError: [new zookeeper.ReplyTooLargeError('create', '/a', 1)],
  OutcomeUnknownError: [new zookeeper.OutcomeUnknownError('create', '/a', 'why')],
  SessionLostError: sessionCauses.map(cause => new zookeeper.SessionLostError(cause)),
  AuthenticationFailedError: logins.map(login => new zookeeper.AuthenticationFailedError(login)),
  CancelledError: [new zookeeper.CancelledError('why')],
  ConnectError: failures.map(failure => new zookeeper.ConnectError([failure], 1)),
  ConnectStringError: (['empty', 'blank', 'host', 'port', 'chroot', 'separator'] as const).map(
    fault => new zookeeper.ConnectStringError(fault, 'part', 'the message'),
  ),
  MalformedReplyError: [new MalformedReplyError('why')],
};

const source = join(import.meta.dirname, '../../../../src');
const files = ['recipes', 'inspector', 'zookeeper'].flatMap(layer =>
  readdirSync(join(source, layer), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map(file => join(source, layer, file)),
);
const modules = await Promise.all(files.map(async file => (await import(file)) as Record<string, unknown>));

function isErrorClass(value: unknown): value is new () => Error {
  return typeof value === 'function' && value.prototype instanceof Error;
}

const classes = modules
  .flatMap(exports => Object.values(exports))
  .filter(isErrorClass)
  .map(({ name }) => name)
  .filter(name => !internal.has(name));

/** A language of which only the brackets are seen: what stands outside of them was not translated. */
function translateToBrackets(): void {
  Object.assign(l10n, { t: (_: string, ...values: unknown[]) => `⟦${values.join(' ')}⟧` });
}

function untranslated(text: string): string {
  for (let before = ''; before !== text;) [before, text] = [text, text.replaceAll(/⟦[^⟦⟧]*⟧/g, '')];
  return text.trim();
}

describe('every reason for which a session or a lease is uncertain or lost', () => {
  it('has a sentence of its own', () => {
    expect(new Set(sessionCauses.map(sessionCauseText)).size).toBe(sessionCauses.length);
    expect(new Set(leaseCauses.map(leaseCauseText)).size).toBe(leaseCauses.length);
  });

  it('is told in the language of the person', () => {
    translateToBrackets();
    for (const cause of leaseCauses) {
      const text = leaseCauseText(cause);
      expect(text).not.toContain(leaseReason(cause));
      expect(untranslated(text), leaseReason(cause)).toBe('');
    }
  });
});

describe('every error class of the lower layers', () => {
  it('is found', () => {
    expect(classes).toContain('WrongDialect');
    expect(classes.length).toBeGreaterThanOrEqual(21);
  });

  it.each(classes)('%s has a text of its own in the language of the person', name => {
    const errors = samples[name] ?? [];
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(errorText(error).what).not.toBe('');
    translateToBrackets();
    for (const error of errors) {
      const text = errorSentence(error);
      // Nor is the English message what fills the brackets.
      expect(text).not.toContain(displayText(error.message, 400));
      expect(untranslated(text), error.message).toBe('');
    }
  });

  it('tells every reason of a class apart', () => {
    for (const name of [
      'WrongDialect',
      'QueueCorrupted',
      'RefusedDelete',
      'ConnectStringError',
      'ConnectError',
      'AuthenticationFailedError',
    ]) {
      const texts = samples[name]!.map(error => errorText(error).what);
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  it('is safe whatever the names in it are', () => {
    for (const text of hostileTexts) {
      for (const error of [
        new recipes.WrongDialect(text, { kind: 'stranger', name: text }),
        new recipes.WrongDialect(text, { kind: 'limit', found: text, wanted: 1 }),
        new recipes.QueueCorrupted(text, 'run-out'),
        new recipes.NodeLeftBehind(new recipes.LockTimeout(text, 0), [left(text)]),
        new MalformedReplyError(text),
      ]) {
        expect(errorSentence(error)).not.toMatch(linkPattern);
        expect(errorSentence(error)).not.toMatch(unseenPattern);
      }
    }
  });
});
