import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSecuredZooKeeper } from '../../support/securedZooKeeper.ts';
import { createAuthority, encryptKey, type TestAuthority } from '../../support/tlsMaterial.ts';
import type { ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { useZklock } from '../../support/zklockProgram.ts';

const zklock = useZklock();
let ensemble: ZooKeeperEnsemble;
let at: string;
let scenario: string;
let trust: string[];

beforeAll(async () => {
  const authority: TestAuthority = await createAuthority(zklock.folder);
  const { key } = await authority.issue({ name: 'client' });
  const users = { alice: 'canary-1' };
  const secured = await startSecuredZooKeeper(authority, { clientAuth: 'need', users });
  ensemble = secured.ensemble;
  at = `localhost:${secured.securePort}`;
  const [locked, scenarioFile] = ['locked.key', 'secured.zklock'].map(name => join(zklock.folder, name));
  await writeFile(locked!, await encryptKey(zklock.folder, key, 'canary-2'));
  scenario = scenarioFile!;
  await writeFile(scenario, 'A: acquire mutex /secured\nexpect: A holds, nothing stale\n');
  const pem = join(zklock.folder, 'client.pem');
  trust = ['--tls-ca', join(zklock.folder, 'ca.pem'), '--tls-cert', pem, '--tls-key', locked!];
});
afterAll(() => ensemble.stop());

it('plays and reads over TLS with a client certificate and a log-in, and shows no secret', async () => {
  const env = { ZKLOCK_TLS_PASSPHRASE: 'canary-2', ZKLOCK_AUTH: 'sasl:alice:canary-1' };
  const played = await zklock.run(['run', scenario, '--cluster', at, ...trust], { env });
  expect(played.code, played.err + played.out).toBe(0);
  const listed = await zklock.run(['ls', at, ...trust], { env });
  expect(listed).toMatchObject({ code: 0, out: '' });
  for (const { out, err } of [played, listed]) expect(out + err).not.toContain('canary');
});

it.each([
  ['no passphrase', {}, 2, 'The passphrase of the key'],
  ['a wrong passphrase', { ZKLOCK_TLS_PASSPHRASE: 'canary-3' }, 2, 'The passphrase does not open the key'],
  [
    'a wrong password',
    { ZKLOCK_TLS_PASSPHRASE: 'canary-2', ZKLOCK_AUTH: 'sasl:alice:canary-4' },
    3,
    'The log-in was refused: the user or the password is wrong.',
  ],
])('%s: says so, and shows no secret', async (_, env, expected, sentence) => {
  const { code, out, err } = await zklock.run(['run', scenario, '--cluster', at, ...trust], { env });
  expect(err).toContain(sentence);
  expect(code).toBe(expected);
  expect(out + err).not.toMatch(/canary|PRIVATE/);
});
