import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;

beforeAll(async () => {
  workbench = await openWorkbench({
    settings: { 'zookeeperLocks.clusters': [{ name: 'Orders', connectString: 'localhost:1', environment: 'staging' }] },
  });
});

afterAll(async () => {
  await workbench.close();
});

it('opens VS Code and obeys the palette', async () => {
  await workbench.runCommand('View: Show Explorer');
  await workbench.page.locator('.sidebar .composite.title', { hasText: /explorer/i }).waitFor();
  await workbench.screenshot('vscode');
  expect(await workbench.notifications()).toEqual([]);
});

it('obeys a command for a saved cluster before the view was opened', async () => {
  await workbench.runCommand('ZooKeeper Locks: Edit Cluster…');
  await workbench.seeQuickInput('(1/5)');
  await workbench.cancelQuickInput();
});
