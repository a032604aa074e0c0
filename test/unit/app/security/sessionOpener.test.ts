import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterProfile, ClusterTls } from '../../../../src/app/clusters/clusterProfile.ts';
import { ClusterSecrets, type SecretPurpose } from '../../../../src/app/security/clusterSecrets.ts';
import { SessionOpener, type AskReason } from '../../../../src/app/security/sessionOpener.ts';
import type { ConnectOptions } from '../../../../src/zookeeper/connect.ts';
import { AuthenticationFailedError, CancelledError } from '../../../../src/zookeeper/errors.ts';
import { collectingLogger } from '../../../support/collectingLogger.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { createAuthority, encryptKey } from '../../../support/tlsMaterial.ts';
import { profileNamed } from '../../extension/fixtures.ts';
import { FakeVault } from './fakeVault.ts';

const wrongAccount = {
  kind: 'login',
  server: 'zk1:2181',
  scheme: 'sasl',
  refusal: 'wrong-account',
  detail: 'the detail',
} as const;

const password = 'canary-7b1e';
const passphrase = 'canary-93c2';

interface Answer {
  secret: string;
  save: boolean;
}

let folder: string;
let vault: FakeVault;
let secrets: ClusterSecrets;
let opener: SessionOpener;
let answers: (Answer | Promise<Answer> | Error)[];
let asked: { purpose: SecretPurpose; why: AskReason }[];
/** Whether the answer to the last question is wanted. */
let wanted: AbortSignal;
let calls: { connectString: string; options: ConnectOptions }[];
let refuse: Error | undefined;
let log: readonly string[];

const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opener-test-'));
  const authority = await createAuthority(folder);
  const { key } = await authority.issue({ name: 'me' });
  await authority.issue({ name: 'other' });
  await writeFile(file('secret.key'), await encryptKey(folder, key, passphrase));
  await writeFile(file('store.jks'), Buffer.from([0xfe, 0xed, 0xfe, 0xed]));
  await writeFile(file('broken.key'), '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
  await writeFile(file('huge.pem'), Buffer.alloc(5 * 1024 * 1024));
  await mkdir(file('folder.pem'));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

beforeEach(() => {
  const { logger, lines } = collectingLogger();
  log = lines;
  vault = new FakeVault();
  secrets = new ClusterSecrets({ vault, onUnavailable: () => undefined, logger });
  answers = [];
  asked = [];
  calls = [];
  refuse = undefined;
  opener = new SessionOpener({
    secrets,
    ask: (_profile, purpose, why, signal) => {
      asked.push({ purpose, why });
      wanted = signal;
      const answer = answers.shift() ?? new CancelledError('The question');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    connect: (connectString, options) => {
      calls.push({ connectString, options });
      return refuse === undefined ? Promise.resolve(new FakeClient()) : Promise.reject(refuse);
    },
    connectTimeoutMs: () => 1_234,
    logger,
  });
});

const ann: ClusterProfile = profileNamed('a', { auth: [{ scheme: 'digest', user: 'ann' }] });
const purpose = { kind: 'password', scheme: 'digest', user: 'ann' } as const;

function withTls(tls: ClusterTls): ClusterProfile {
  return profileNamed('a', { tls });
}

function open(profile = ann, signal = new AbortController().signal): Promise<unknown> {
  return opener.open(profile, signal);
}

/** Why a session was not opened. Neither the error nor the log holds a secret. */
async function failureOf(profile: ClusterProfile): Promise<unknown> {
  const error: unknown = await open(profile).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  const texts = [String(error), JSON.stringify(error), ...log].join('\n');
  expect(texts).not.toMatch(/canary|PRIVATE KEY/);
  return error;
}

describe('SessionOpener', () => {
  it('connects without asking where nothing is needed', async () => {
    await open(profileNamed('a'));
    expect(calls).toMatchObject([{ connectString: 'zk1:2181', options: { connectTimeoutMs: 1_234, auth: [] } }]);
    expect(calls[0]?.options).not.toHaveProperty('tls');
    expect(asked).toEqual([]);
  });

  it('takes sockets and a session time-out of the caller, and logs in all the same', async () => {
    await secrets.keep('a', purpose, password, true);
    const session = { sessionTimeoutMs: 4_000, openSocket: () => expect.fail('not now') };
    await opener.open(ann, new AbortController().signal, session);
    expect(calls[0]?.options).toMatchObject({ ...session, auth: [{ credential: `ann:${password}` }] });
  });

  it('logs in with the saved password', async () => {
    await secrets.keep('a', purpose, password, true);
    await open();
    expect(calls[0]?.options.auth).toEqual([{ scheme: 'digest', credential: `ann:${password}` }]);
    expect(asked).toEqual([]);
  });

  it.each([true, false])('asks for a missing one, once for both sessions, and keeps it (saved: %s)', async save => {
    answers = [{ secret: password, save }];
    await Promise.all([open(), open()]);
    await open();
    expect(asked).toEqual([{ purpose, why: 'missing' }]);
    expect(calls).toHaveLength(3);
    expect(vault.secrets.size).toBe(save ? 1 : 0);
  });

  it('connects without a keyring', async () => {
    vault.broken = true;
    answers = [{ secret: password, save: true }];
    await open();
    await open();
    expect(asked).toHaveLength(1);
    expect(calls[1]?.options.auth).toEqual([{ scheme: 'digest', credential: `ann:${password}` }]);
  });

  it('names the missing secret when none is given, and asks again at the next attempt', async () => {
    expect(await failureOf(ann)).toMatchObject({
      name: 'MissingSecretError',
      purpose: { kind: 'password', user: 'ann' },
    });
    answers = [{ secret: password, save: false }];
    await open();
    expect(asked).toHaveLength(2);
  });

  it('asks again after the log-in was refused, unless a new password was given meanwhile', async () => {
    await secrets.keep('a', purpose, password, true);
    refuse = new AuthenticationFailedError(wrongAccount);
    expect(await failureOf(ann)).toBeInstanceOf(AuthenticationFailedError);
    refuse = undefined;
    answers = [{ secret: 'better', save: true }];
    await open();
    expect(asked).toEqual([{ purpose, why: 'refused' }]);
    expect(calls.at(-1)?.options.auth).toEqual([{ scheme: 'digest', credential: 'ann:better' }]);

    refuse = new AuthenticationFailedError(wrongAccount);
    await failureOf(ann);
    refuse = undefined;
    opener.trust('a', [purpose]);
    await open();
    expect(asked).toHaveLength(1);
  });

  it('stops when the cluster is disconnected while a dialog is open', async () => {
    const abort = new AbortController();
    const opening = open(ann, abort.signal);
    abort.abort();
    await expect(opening).rejects.toBeInstanceOf(CancelledError);
    expect(calls).toEqual([]);
  });

  it('gives a question up when neither session wants its answer any more', async () => {
    answers = [new Promise(() => undefined)];
    const aborts = [new AbortController(), new AbortController()];
    const openings = aborts.map(({ signal }) => expect(open(ann, signal)).rejects.toBeInstanceOf(CancelledError));
    await eventually(() => expect(asked).toHaveLength(1));
    aborts[0]?.abort();
    await openings[0];
    expect(wanted.aborted).toBe(false);
    aborts[1]?.abort();
    await openings[1];
    expect(wanted.aborted).toBe(true);
    answers = [{ secret: password, save: false }];
    await open();
    expect(asked).toHaveLength(2);
  });

  it('reads the files at every attempt and passes their text', async () => {
    const tls = { caFile: file('ca.pem'), certFile: file('me.pem'), keyFile: file('me.key'), serverName: 'zk' };
    await open(withTls(tls));
    expect(calls[0]?.options.tls).toMatchObject({
      ca: expect.stringContaining('BEGIN CERTIFICATE') as string,
      cert: expect.stringContaining('BEGIN CERTIFICATE') as string,
      key: expect.stringContaining('PRIVATE KEY') as string,
      servername: 'zk',
    });
    await open(withTls({}));
    expect(calls[1]?.options.tls).toEqual({});
  });

  it('asks for the passphrase until it opens the key', async () => {
    const profile = withTls({ certFile: file('me.pem'), keyFile: file('secret.key') });
    answers = [
      { secret: 'canary-wrong', save: false },
      { secret: passphrase, save: true },
    ];
    await open(profile);
    expect(asked.map(({ why }) => why)).toEqual(['missing', 'refused']);
    expect(calls[0]?.options.tls).toMatchObject({ passphrase });
    await open(profile);
    expect(asked).toHaveLength(2);
  });

  it('names the file that cannot be used, and why', async () => {
    const faults = [
      await failureOf(withTls({ caFile: file('nowhere.pem') })),
      await failureOf(withTls({ caFile: 'ca.pem' })),
      await failureOf(withTls({ caFile: file('store.jks') })),
      await failureOf(withTls({ caFile: file('huge.pem') })),
      await failureOf(withTls({ caFile: file('folder.pem') })),
      await failureOf(withTls({ certFile: file('me.key'), keyFile: file('me.key') })),
      await failureOf(withTls({ certFile: file('me.pem'), keyFile: file('broken.key') })),
      await failureOf(withTls({ certFile: file('me.pem'), keyFile: file('other.key') })),
    ];
    expect(faults).toMatchObject([
      { role: 'ca', fault: 'missing', file: file('nowhere.pem') },
      { role: 'ca', fault: 'relative', file: 'ca.pem' },
      { role: 'ca', fault: 'foreign', file: file('store.jks') },
      { role: 'ca', fault: 'too-large', file: file('huge.pem') },
      { role: 'ca', fault: 'unreadable', file: file('folder.pem') },
      { role: 'cert', fault: 'foreign', file: file('me.key') },
      { role: 'key', fault: 'foreign', file: file('broken.key') },
      { role: 'key', fault: 'mismatch', file: file('other.key') },
    ]);
    expect(calls).toEqual([]);
  });
});
