import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSecuredZooKeeper, type SecuredZooKeeper } from '../support/securedZooKeeper.ts';
import { createAuthority, encryptKey, type TestAuthority } from '../support/tlsMaterial.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const digestPassword = 'canary-7b1e5c';
const saslPassword = 'canary-93c2d4';
const passphrase = 'canary-e81f07';
const canary = /canary-(?:7b1e5c|93c2d4|e81f07)/;

let folder: string;
let authority: TestAuthority;
let secured: SecuredZooKeeper;
let owner: ZooKeeperClient;
let workbench: Workbench;
let tree: TreeView;

const file = (name: string): string => join(folder, name);
const secureConnectString = (): string => `localhost:${secured.securePort}`;

/** Clusters as a person writes them into the settings. */
function handWritten(): object[] {
  const connectString = secureConnectString();
  const keyPair = { certFile: file('me.pem'), keyFile: file('secret.key') };
  return [
    { name: 'Elsewhere', connectString, tls: { caFile: file('other/ca.pem') } },
    { id: 'mutual', name: 'Mutual', connectString, tls: { caFile: file('ca.pem'), ...keyPair } },
    { name: 'Sam', connectString: secured.ensemble.connectString, auth: [{ scheme: 'sasl', user: 'sam' }] },
  ];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'security-test-'));
  authority = await createAuthority(folder);
  const { key } = await authority.issue({ name: 'me' });
  await writeFile(file('secret.key'), await encryptKey(folder, key, passphrase));
  await mkdir(file('other'));
  await createAuthority(file('other'));
  secured = await startSecuredZooKeeper(authority, { clientAuth: 'want', users: { sam: saslPassword } });
  owner = await connect(secured.ensemble.connectString, {
    auth: [{ scheme: 'digest', credential: `ann:${digestPassword}` }],
  });
  const acl = [{ scheme: 'auth', id: '', permissions: 'cdrwa' }];
  await owner.create('/guarded', { acl });
  await owner.create('/guarded/job', { acl });
  const name = '/guarded/job/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-';
  await owner.create(name, { acl, mode: 'ephemeral_sequential', data: Buffer.from('worker-a') });
  const looking = [...acl, { scheme: 'world', id: 'anyone', permissions: 'r' }];
  await owner.create('/showcase', { acl: looking });
  workbench = await openWorkbench({
    settings: { 'files.simpleDialog.enable': true, 'zookeeperLocks.clusters': handWritten() },
  });
  tree = workbench.tree('Clusters');
  await workbench.openContainer('ZooKeeper Locks');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await owner.close();
  await secured.ensemble.stop();
  await rm(folder, { recursive: true, force: true });
});

async function seeMessage(text: RegExp): Promise<void> {
  await eventually(async () => expect((await workbench.notifications()).join('\n')).toMatch(text), 10_000);
}

/** The retry before may still be going on: a person would try again. */
async function retryUntilAsked(): Promise<void> {
  // The question before fades out, and can be seen but no longer used while it does.
  const input = workbench.page.locator('.quick-input-widget:visible:not([inert]) .quick-input-box input');
  await workbench.page.locator('.quick-input-widget:visible').waitFor({ state: 'hidden', timeout: 10_000 });
  await eventually(async () => {
    const see = (): Promise<void> => input.waitFor({ timeout: 3_000 });
    if (!(await input.isVisible())) await tree.pressInline('Cannot connect', 'Retry', see);
  }, 30_000);
}

async function choose(question: string, label: string): Promise<void> {
  await workbench.seeQuickInput(question);
  await workbench.pick(label);
}

/** Types a path into VS Code's own file dialog, which sets its field while it opens and looks paths up while they are typed. */
async function chooseFile(dialog: string, path: string): Promise<void> {
  await workbench.seeQuickInput(dialog);
  const widget = workbench.page.locator('.quick-input-widget:visible');
  const input = widget.locator('.quick-input-box input');
  let isTyped = false;
  const step = async (): Promise<void> => {
    if (!(await workbench.quickInputText()).includes(dialog)) return;
    isTyped ||= (await input.inputValue({ timeout: 500 })) === path;
    if (!isTyped) await input.fill(path, { timeout: 500 });
    else await widget.locator('.monaco-button', { hasText: 'Choose' }).click({ timeout: 500 });
    throw new Error('The dialog is still open.');
  };
  await eventually(step, 20_000, 250);
}

/** Everything that the editor keeps on disk and in the browser, the secret storage apart. */
async function persistedText(): Promise<string> {
  const stored = await workbench.page.evaluate(async () => {
    const texts = Object.entries(localStorage)
      .filter(([key]) => !key.startsWith('secrets.'))
      .map(entry => entry.join('='));
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name ?? '');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(`cannot open ${name ?? ''}`));
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        await new Promise(resolve => (request.onsuccess = resolve));
        texts.push(JSON.stringify(request.result));
      }
      database.close();
    }
    return `${texts.join('\n')}\n${document.documentElement.outerHTML}`;
  });
  return `${stored}\n${await workbench.filesText()}`;
}

describe('secured clusters', () => {
  it('adds one with TLS and digest through the quick input, and sees the locks that only its log-in may see', async () => {
    await workbench.runCommand('ZooKeeper Locks: Add Cluster…');
    await workbench.answerQuickInput('Name of the cluster', 'Vault');
    await workbench.answerQuickInput('Servers, separated', secureConnectString());
    await workbench.pick('production');
    await workbench.seeQuickInput('Not encrypted');
    await workbench.screenshot('security-encryption');
    await choose('encrypted?', 'TLS');
    await choose('authorities', 'Choose a file');
    await chooseFile('CA Certificates', file('secret.key'));
    await workbench.seeQuickInput('holds no CA certificates');
    await workbench.screenshot('security-wrong-file');
    await workbench.pick('Choose a file');
    await chooseFile('CA Certificates', file('ca.pem'));
    await workbench.answerQuickInput('Name in the certificate of the servers', '');
    await workbench.seeQuickInput('No log-in');
    await workbench.screenshot('security-login');
    await choose('log in?', 'User and password (digest)');
    await workbench.answerQuickInput('User name', 'ann');
    await workbench.typeIntoQuickInput('never in the settings', digestPassword);
    await workbench.screenshot('security-password');
    await workbench.page.keyboard.press('Enter');
    await tree.waitForRow('Vault');
    await tree.expand('Vault');
    await tree.seeRow('/guarded/job', /held by worker-a/);
    await workbench.screenshot('security-connected');
    await tree.collapse('Vault');
  });

  it('keeps secrets out of settings, state, logs and the page', async () => {
    const text = await persistedText();
    expect(text.includes('"name": "Vault"')).toBe(true);
    expect(text.includes('"user": "ann"')).toBe(true);
    expect(canary.exec(text)).toBeNull();
  });

  it('says that the authority is unknown, as a row that can be tried again', async () => {
    await tree.waitForRow('Elsewhere');
    await tree.expand('Elsewhere');
    await tree.seeRow(/localhost:\d+: its certificate was issued by an unknown authority/, /^$/);
    await workbench.screenshot('security-wrong-ca');
    await rm(file('other/ca.pem'));
    await tree.pressInline('localhost:', 'Retry', () =>
      tree.seeRow('Cannot connect', /does not exist: .*other\/ca\.pem/),
    );
    await writeFile(file('other/ca.pem'), authority.cert);
    await tree.pressInline('Cannot connect', 'Retry', () => tree.seeRow('Elsewhere', /connected/));
    await tree.seeRow('1 branch without permission', /guarded/);
  });

  it('names node, right and ACL where a lock may not be read or taken', async () => {
    await workbench.runCommand('ZooKeeper Locks: Open Lock by Path…');
    await workbench.pick('Elsewhere');
    await workbench.answerQuickInput('Path of the lock', '/guarded/job');
    await seeMessage(
      /permission to read \/guarded\/job\. The right READ is missing on \/guarded\/job\. You have no permission to read the ACL of/,
    );
    await workbench.runCommand('Notifications: Clear All Notifications');

    await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
    await workbench.pick('Elsewhere');
    await workbench.answerQuickInput('Which lock?', '/guarded/job');
    await seeMessage(/The right READ is missing on \/guarded\/job/);
    await workbench.runCommand('Notifications: Clear All Notifications');

    await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
    await workbench.pick('Elsewhere');
    await workbench.answerQuickInput('Which lock?', '/showcase/job');
    for (const choice of ['Options…', 'Curator', 'Try once', 'After 10 s']) await workbench.pick(choice);
    await workbench.answerQuickInput('Your identifier', 'tester');
    await seeMessage(
      /The right CREATE is missing on \/showcase\. The ACL of \/showcase is: digest:ann:…:cdrwa, world:anyone:r\./,
    );
    await workbench.screenshot('security-denied');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await tree.collapse('Elsewhere');
  });

  it('asks for the passphrase of a client key when connecting, until it opens the key', async () => {
    await tree.waitForRow('Mutual');
    await tree.expand('Mutual');
    await workbench.answerQuickInput('Passphrase of', 'wrong');
    await choose('How long is it kept?', 'Only until');
    await workbench.answerQuickInput('does not open the key', passphrase);
    await choose('How long is it kept?', 'Only until');
    await tree.seeRow('Mutual', /connected/);
    await tree.collapse('Mutual');
  });

  it('asks for a password beside the progress of a command, and no longer than that is wanted', async () => {
    await workbench.runCommand('ZooKeeper Locks: Open Lock by Path…');
    await workbench.pick('Sam');
    await workbench.seeQuickInput('Password of sam');
    await seeMessage(/Connecting to Sam/);
    // Into the field, not to whoever has the keyboard: a tree that VS Code draws while the field opens may take it.
    await workbench.typeIntoQuickInput('Password of sam', 'typed');
    const field = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
    await eventually(async () => expect(await field.inputValue()).toBe('typed'));
    await workbench.screenshot('security-progress');
    await workbench.pressNotificationButton('Cancel');
    await workbench.page.locator('.quick-input-widget:visible').waitFor({ state: 'hidden', timeout: 10_000 });
    await eventually(async () => expect(await workbench.notifications()).toEqual([]));
    await tree.seeRow('Sam', /not connected/);
  });

  it('says that a SASL log-in was refused, and asks for the password again', async () => {
    await tree.waitForRow('Sam');
    await tree.expand('Sam');
    await workbench.seeQuickInput('Password of sam');
    await workbench.cancelQuickInput(() => tree.seeRow('Cannot connect', /password of sam was not given/));
    await retryUntilAsked();
    await workbench.answerQuickInput('Password of sam', 'wrong');
    await choose('How long is it kept?', 'Save it');
    await tree.seeRow('Cannot connect', /log-in was refused/);
    await workbench.screenshot('security-refused');
    await retryUntilAsked();
    await workbench.answerQuickInput('The log-in was refused', saslPassword);
    await choose('How long is it kept?', 'Save it');
    await tree.seeRow('Sam', /connected/);
    expect(canary.exec(await persistedText())).toBeNull();
  });

  it('finds the saved password again after the window was closed', async () => {
    await workbench.reload();
    await workbench.openContainer('ZooKeeper Locks');
    await tree.waitForRow('Vault', 30_000);
    await tree.expand('Vault');
    await tree.seeRow('/guarded/job', /held by worker-a/);
    await tree.collapse('Vault');
  });
});
