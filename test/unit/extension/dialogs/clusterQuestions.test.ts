import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askCluster,
  type ClusterAnswers,
  connectStringFault,
  nameFault,
} from '../../../../src/extension/dialogs/clusterQuestions.ts';
import { askSecret } from '../../../../src/extension/dialogs/secretQuestion.ts';
import type { TypedSecret } from '../../../../src/app/security/securityDraft.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { eventually } from '../../../support/eventually.ts';
import { createAuthority, encryptKey } from '../../../support/tlsMaterial.ts';
import { profileNamed } from '../fixtures.ts';
import { playInputs, type Action } from './scriptedInput.ts';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'questions-test-'));
  const authority = await createAuthority(folder);
  const { key } = await authority.issue({ name: 'me' });
  await writeFile(file('secret.key'), await encryptKey(folder, key, 'open sesame'));
  await writeFile(file('store.jks'), Buffer.from([0xfe, 0xed, 0xfe, 0xed]));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

interface Outcome {
  answers: ClusterAnswers;
  secrets: TypedSecret[];
}

function ask(initial: Partial<ClusterAnswers> = {}, isKept = false): Promise<Outcome> {
  return askCluster({
    title: 'Add Cluster',
    initial: { name: 'Orders', connectString: 'zk1:2281', environment: 'staging', ...initial },
    taken: [],
    isKept: () => Promise.resolve(isKept),
  });
}

const plain = { name: 'Orders', connectString: 'zk1:2281', environment: 'staging' };
/** Name, servers and environment as they are. */
const upTo: Action[] = ['enter', 'enter', 'enter'];

describe('the questions about a cluster', () => {
  it('end with two more Enters where neither encryption nor log-in is wanted', async () => {
    const seen = playInputs([...upTo, 'enter', 'enter']);
    expect(await ask()).toEqual({ answers: plain, secrets: [] });
    expect(seen).toHaveLength(5);
  });

  it('offer each environment with and without writing, and say what that means', async () => {
    for (const readOnly of [false, true]) {
      const seen = playInputs(['enter', 'enter', 'enter', 'enter', 'enter']);
      const protectedOnly = readOnly ? { readOnly } : {};
      expect((await ask(protectedOnly)).answers).toEqual({ ...plain, ...protectedOnly });
      expect(seen[2]?.labels).toEqual([
        'development',
        'staging',
        'production',
        'development, read-only',
        'staging, read-only',
        'production, read-only',
      ]);
      expect(seen[2]?.descriptions.slice(3)).toEqual(
        Array(3).fill('no test locks are taken there, nothing is deleted'),
      );
    }
  });

  it('take TLS and a log-in together, and hand the password over apart', async () => {
    const seen = playInputs(
      [
        ...upTo,
        { pick: 'TLS' },
        { pick: 'Choose a file' },
        { type: 'zk.example.org' },
        { pick: 'User and password (digest)' },
        { type: 'ann' },
        { type: 'canary-7b1e' },
      ],
      [file('ca.pem')],
    );
    const { answers, secrets } = await ask();
    expect(answers).toEqual({
      ...plain,
      tls: { caFile: file('ca.pem'), serverName: 'zk.example.org' },
      auth: [{ scheme: 'digest', user: 'ann' }],
    });
    expect(secrets).toEqual([{ purpose: { kind: 'password', scheme: 'digest', user: 'ann' }, secret: 'canary-7b1e' }]);
    expect(JSON.stringify(answers)).not.toContain('canary');
    expect(seen.at(-1)).toMatchObject({ password: true, placeholder: 'Leave empty to type it when connecting' });
    expect(seen.at(-1)?.prompt).toContain('never in the settings');
  });

  it('warn of a log-in without TLS, and not with it', async () => {
    for (const [encryption, warns] of [
      ['Not encrypted', true],
      ['TLS', false],
    ] as const) {
      const files: Action[] = warns ? [] : ['enter', 'enter'];
      const seen = playInputs([
        ...upTo,
        { pick: encryption },
        ...files,
        { pick: 'User and password (digest)' },
        { type: 'ann' },
        'enter',
      ]);
      await ask();
      const login = seen.find(({ placeholder }) => placeholder === 'How do you log in?');
      const warnings = [...(login?.descriptions ?? []), ...(login?.details ?? [])];
      expect(warnings.filter(text => text.includes('without TLS'))).toHaveLength(warns ? 2 : 0);
      expect(seen.at(-1)?.prompt.includes('Careful')).toBe(warns);
    }
  });

  it('ask for a passphrase only where the key has one, until it opens the key', async () => {
    const mutual: Action[] = [
      ...upTo,
      { pick: 'TLS with client' },
      { pick: 'Those trusted' },
      { pick: 'Choose' },
      { pick: 'Choose' },
    ];
    const open = playInputs([...mutual, 'enter', 'enter'], [file('me.pem'), file('me.key')]);
    const unlocked = await ask();
    expect(unlocked.answers.tls).toEqual({ certFile: file('me.pem'), keyFile: file('me.key') });
    expect(open.filter(({ password }) => password)).toEqual([]);

    const seen = playInputs(
      [...mutual, { type: 'wrong' }, { type: 'open sesame' }, 'enter', 'enter'],
      [file('me.pem'), file('secret.key')],
    );
    const { secrets } = await ask();
    const purpose = { kind: 'passphrase', keyFile: file('secret.key') };
    expect(secrets).toEqual([{ purpose, secret: 'open sesame' }]);
    expect(seen.filter(({ password }) => password).map(({ prompt }) => prompt.includes('does not open'))).toEqual([
      false,
      true,
    ]);
  });

  it('repeat a typed passphrase when the person comes back to it', async () => {
    playInputs(
      [
        ...upTo,
        { pick: 'TLS with client' },
        { pick: 'Those trusted' },
        { pick: 'Choose' },
        { pick: 'Choose' },
        { type: 'open sesame' },
        'back',
        'enter',
        'enter',
        'enter',
      ],
      [file('me.pem'), file('secret.key')],
    );
    const { secrets } = await ask();
    expect(secrets.map(({ secret }) => secret)).toEqual(['open sesame']);
  });

  it('tell what is wrong with a file and ask again; a closed dialog is no answer', async () => {
    const seen = playInputs(
      [...upTo, { pick: 'TLS' }, ...Array<Action>(4).fill({ pick: 'Choose' }), 'enter', 'enter'],
      [undefined, file('store.jks'), file('nowhere.pem'), file('ca.pem')],
    );
    expect((await ask()).answers.tls).toEqual({ caFile: file('ca.pem') });
    const asked = seen.slice(4, 8).map(({ placeholder, details }) => [placeholder, ...details].join(' '));
    expect(asked[1]).toBe(asked[0]);
    expect(asked[2]).toMatch(/keytool.* no CA certificates in PEM form.*store\.jks/);
    expect(asked[3]).toMatch(/choose another file.*does not exist.*nowhere\.pem/);
  });

  it('change nothing when everything is answered with Enter', async () => {
    const present: Partial<ClusterAnswers> = {
      tls: { caFile: file('ca.pem'), certFile: file('me.pem'), keyFile: file('secret.key'), serverName: 'zk' },
      auth: [{ scheme: 'sasl', user: 'ann' }],
    };
    const seen = playInputs(Array<Action>(12).fill('enter'));
    expect(await ask(present, true)).toEqual({ answers: { ...plain, ...present }, secrets: [] });
    expect(seen.at(-1)?.placeholder).toBe('Leave empty to keep what is saved');
    expect(seen.map(({ value }) => value).join()).not.toContain('sesame');
  });

  it('keep several log-ins of the settings, and none of an entry that is edited away', async () => {
    const auth = [
      { scheme: 'digest' as const, user: 'ann' },
      { scheme: 'digest' as const, user: 'bob' },
    ];
    playInputs(Array<Action>(5).fill('enter'));
    expect((await ask({ auth })).answers.auth).toEqual(auth);
    playInputs([...upTo, { pick: 'Not encrypted' }, { pick: 'No log-in' }]);
    expect(await ask({ auth, tls: {} })).toEqual({ answers: plain, secrets: [] });
  });

  it('go back over the questions that apply, and forget what no longer does', async () => {
    playInputs([
      ...upTo,
      { pick: 'TLS' },
      'enter',
      'enter',
      { pick: 'User and password (SASL' },
      { type: 'ann' },
      'back',
      'back',
      'back',
      'back',
      'back',
      { pick: 'Not encrypted' },
      { pick: 'No log-in' },
    ]);
    expect(await ask()).toEqual({ answers: plain, secrets: [] });
  });

  it('want a user without a password in it', async () => {
    const seen = playInputs([...upTo, 'enter', { pick: 'User and password (digest)' }, { type: 'ann:pw' }]);
    // The box stays open on a fault, so that nothing follows: give up.
    const asked = ask();
    await expect(Promise.race([asked, new Promise(resolve => setTimeout(resolve, 50, 'open'))])).resolves.toBe('open');
    expect(seen).toHaveLength(6);
  });

  it('are given up by Escape', async () => {
    playInputs([...upTo, 'escape']);
    await expect(ask()).rejects.toBeInstanceOf(CancelledError);
  });
});

describe('the question for a secret', () => {
  const purpose = { kind: 'password', scheme: 'digest', user: 'ann' } as const;
  const question = { profile: profileNamed('Orders'), purpose, why: 'missing' as const, canSave: true };

  it('offers to save it', async () => {
    const seen = playInputs([{ type: 'pw' }, { pick: 'Save it' }]);
    expect(await askSecret(question)).toEqual({ secret: 'pw', save: true });
    expect(seen[0]).toMatchObject({ title: 'Connect to Orders', prompt: 'Password of ann', password: true });
  });

  it('closes when the answer is not wanted any more, at each of its steps', async () => {
    for (const steps of [0, 1]) {
      const abort = new AbortController();
      const seen = playInputs([...Array<Action>(steps).fill({ type: 'pw' }), 'none']);
      const asked = expect(askSecret({ ...question, signal: abort.signal })).rejects.toBeInstanceOf(CancelledError);
      await eventually(() => expect(seen).toHaveLength(steps + 1));
      abort.abort();
      await asked;
    }
  });

  it('saves nothing by mere Enter, nor without a keyring', async () => {
    playInputs([{ type: 'pw' }, 'enter']);
    expect(await askSecret(question)).toEqual({ secret: 'pw', save: false });
    const seen = playInputs([{ type: 'pw' }]);
    expect(await askSecret({ ...question, why: 'refused', canSave: false })).toEqual({ secret: 'pw', save: false });
    expect(seen[0]?.prompt).toContain('refused');
  });
});

describe('the texts of the cluster questions', () => {
  it('refuse connect strings with a text of their own for each fault', () => {
    const wrong = ['', 'a b:2181', ':2181', 'zk1:70000', 'zk1:2181//x', 'zk1;zk2', 'me:pw@zk1:2181'];
    const texts = wrong.map(connectStringFault);
    expect(new Set(texts).size).toBe(wrong.length);
    expect(texts).not.toContain(undefined);
    expect(connectStringFault('zk1:2181,[::1]:2182/team')).toBeUndefined();
  });

  it('want a name of its own for each cluster', () => {
    expect(nameFault('  ', [])).toBeDefined();
    expect(nameFault('Orders ', ['Orders'])).toBeDefined();
    expect(nameFault('x'.repeat(201), [])).toBeDefined();
    expect(nameFault('Orders', ['Other'])).toBeUndefined();
  });
});
