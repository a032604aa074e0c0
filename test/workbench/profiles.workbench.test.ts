import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const recommendation = '.vscode/zookeeper-locks.json';

let folder: string;
let server: Server;
let connectString: string;
let connections = 0;
let workbench: Workbench;
let tree: TreeView;

function clusterFile(...clusters: object[]): string {
  const filled = clusters.map(cluster => ({ connectString, environment: 'development', ...cluster }));
  return JSON.stringify({ kind: 'zookeeper-lock-inspector/clusters', version: 1, clusters: filled });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profiles-test-'));
  // Every cluster of this test leads here: whoever connects is counted.
  server = createServer(socket => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  connectString = `127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`;
  workbench = await openWorkbench({
    settings: {
      'files.simpleDialog.enable': true,
      'zookeeperLocks.clusters': [
        { id: 'orders', name: 'Orders', connectString, environment: 'production', readOnly: true, tls: {} },
      ],
    },
    workspaceFiles: {
      [recommendation]: clusterFile({
        name: 'Team',
        connectString: `${connectString.replace('127.0.0.1', 'localhost')}/team`,
      }),
    },
  });
  tree = workbench.tree('Clusters');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const rowLabels = async (): Promise<string[]> =>
  (await tree.rows()).filter(({ level }) => level === 1).map(({ label }) => label);

async function seeRows(...labels: string[]): Promise<void> {
  await eventually(async () => expect(await rowLabels()).toEqual(labels));
}

async function seeNotification(text: string): Promise<void> {
  await eventually(async () => expect((await workbench.notifications()).join('\n')).toContain(text));
}

/** Waits for a message, and keeps the pointer on it: else VS Code takes it away after ten seconds. */
async function holdNotification(text: string): Promise<Locator> {
  const message = workbench.page.locator('.notifications-toasts .notification-toast', { hasText: text });
  await message.hover({ timeout: 30_000 });
  return message;
}

const widget = '.quick-input-widget:visible:not([inert]):not([inert] *)';

async function pressOk(): Promise<void> {
  await workbench.page.locator(`${widget} .monaco-button`, { hasText: 'OK' }).click({ timeout: 10_000 });
}

/** Ticks or unticks the entry whose description has this text. */
async function tick(description: string): Promise<void> {
  await workbench.page
    .locator(`${widget} .quick-input-list .monaco-list-row`, { hasText: description })
    .click({ timeout: 10_000 });
}

/** Labels of the entries, or of those that are ticked. */
async function labels(areTicked = false): Promise<string[]> {
  const entries = workbench.page.locator(`${widget} .quick-input-list .monaco-list-row`);
  const checked = entries.filter({
    has: workbench.page.locator('.quick-input-list-checkbox.checked, .monaco-checkbox.checked'),
  });
  return (areTicked ? checked : entries).evaluateAll(rows =>
    rows.map(row => row.querySelector('.label-name')?.textContent.trim() ?? ''),
  );
}

async function seeTicked(...expected: string[]): Promise<void> {
  await eventually(async () => expect(await labels(true)).toEqual(expected));
}

/** Questions and messages fade in: a picture taken at once shows nothing. */
async function screenshot(name: string): Promise<void> {
  await eventually(async () => {
    const fading = workbench.page.locator('.notifications-toasts .notification-toast, .quick-input-widget:visible');
    const opacities = await fading.evaluateAll(parts => parts.map(part => getComputedStyle(part).opacity));
    expect(opacities.filter(opacity => opacity !== '1')).toEqual([]);
  });
  await workbench.screenshot(name);
}

/** Types a path into VS Code's own file dialog, which looks paths up while they are typed. */
async function chooseFile(dialog: string, path: string, button: string): Promise<void> {
  // The list of a folder tells it from the question before, which may have the same title.
  await workbench.seeQuickInput('\n..');
  await workbench.seeQuickInput(dialog);
  const input = workbench.page.locator(`${widget} .quick-input-box input`);
  let isTyped = false;
  await eventually(
    async () => {
      if (!(await workbench.page.locator(`${widget} .monaco-button`, { hasText: button }).isVisible())) return;
      isTyped ||= (await input.inputValue({ timeout: 500 })) === path;
      if (!isTyped) await input.fill(path, { timeout: 500 });
      else await workbench.page.locator(`${widget} .monaco-button`, { hasText: button }).click({ timeout: 500 });
      throw new Error('The dialog is still open.');
    },
    20_000,
    250,
  );
}

describe('clusters from elsewhere', () => {
  it('are only offered when a workspace recommends them', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    const offer = await holdNotification('This workspace recommends ZooKeeper clusters: Team.');
    await screenshot('profiles-offer');
    await seeRows('Orders');
    await offer.locator('.monaco-button', { hasText: 'Show' }).click();
    await workbench.seeQuickInput('Add Recommended Clusters');
    await seeTicked('Team');
    await screenshot('profiles-recommended');
    await workbench.cancelQuickInput();
    await seeRows('Orders');
    await workbench.runCommand('ZooKeeper Locks: Add Recommended Clusters…');
    await workbench.seeQuickInput('Add Recommended Clusters');
    await pressOk();
    await seeNotification('Clusters added: 1. Nothing is connected yet.');
    await seeRows('Orders', 'Team');
    expect((await tree.waitForRow('Team')).description).toContain('not connected');
  });

  it('are shown before an import, keep the guards of saved ones, and go again with Undo', async () => {
    const file = join(folder, 'theirs.json');
    const path = `${connectString}/stock`;
    await writeFile(
      file,
      clusterFile(
        { name: 'Orders', lockRoots: ['/locks'] },
        { name: 'Elsewhere', connectString: 'zk.invalid:2181' },
        { name: 'Stock', connectString: path },
        { name: 'Odd', tls: { caFile: '/etc/ca.pem' } },
      ),
    );
    // One that goes would move the next from under the pointer.
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('ZooKeeper Locks: Import Clusters…');
    await chooseFile('Import Clusters', file, 'Import');
    await workbench.seeQuickInput('it names a file on another machine: caFile');
    await eventually(async () => expect(await labels()).toEqual(['Elsewhere', 'Stock', 'Orders (2)', 'Orders', 'Odd']));
    await seeTicked('Elsewhere');
    await tick('add it under another name');
    await seeTicked('Elsewhere', 'Orders (2)');
    await tick('replace the saved one');
    await seeTicked('Elsewhere', 'Orders');
    await tick('cannot be used');
    await seeTicked('Elsewhere', 'Orders');
    await screenshot('profiles-import');
    await pressOk();
    await eventually(async () => expect(await workbench.dialogText()).toContain('Keep your guards?'));
    expect(await workbench.dialogText()).toContain('of the file is not read-only');
    await screenshot('profiles-guards');
    await workbench.pressDialogButton('Keep Guards');
    const message = await holdNotification('Clusters added: 1, replaced: 1.');
    await seeRows('Orders', 'Team', 'Elsewhere');
    expect((await tree.waitForRow('Orders')).description).toMatch(/production.*read-only/);
    await eventually(async () => expect(await workbench.filesText()).toContain('"/locks"'));
    await screenshot('profiles-undo');
    await message.locator('.monaco-button', { hasText: 'Undo' }).click();
    await seeNotification('The clusters are as they were before.');
    await seeRows('Orders', 'Team');
  });

  it('are written to a file without ids and secrets', async () => {
    const file = join(folder, 'mine.json');
    await workbench.runCommand('ZooKeeper Locks: Export Clusters…');
    await workbench.seeQuickInput('Orders');
    await screenshot('profiles-export');
    await pressOk();
    await chooseFile('Export Clusters', file, 'OK');
    await seeNotification('without passwords: 2.');
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ version: 1, clusters: [{ name: 'Orders', tls: {} }, { name: 'Team' }] });
    expect(text).not.toContain('"id"');
  });

  it('are offered again when the file changes, until the person says never', async () => {
    await workbench.writeWorkspaceFile(recommendation, clusterFile({ name: 'Late', connectString: 'b.invalid' }));
    await seeNotification('ZooKeeper clusters: Late.');
    await workbench.pressNotificationButton('Never for This Workspace');
    await workbench.writeWorkspaceFile(recommendation, clusterFile({ name: 'Later', connectString: 'c.invalid' }));
    await workbench.runCommand('ZooKeeper Locks: Add Recommended Clusters…');
    await seeTicked('Later');
    await workbench.cancelQuickInput();
    expect((await workbench.notifications()).join('\n')).not.toContain('Later');
  });

  it('connect to nothing by themselves', () => {
    expect(connections).toBe(0);
  });
});
