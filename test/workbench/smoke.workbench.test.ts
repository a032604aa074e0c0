import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;

beforeAll(async () => {
  workbench = await openWorkbench();
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
