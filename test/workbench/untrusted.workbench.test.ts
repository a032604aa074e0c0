import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let server: Server;
let port: number;
let connections = 0;
let workbench: Workbench;

beforeAll(async () => {
  server = createServer(socket => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  const connectString = `127.0.0.1:${String(port)}`;
  const auth = [{ scheme: 'digest', user: 'ann' }];
  workbench = await openWorkbench({
    trusted: false,
    settings: { 'zookeeperLocks.clusters': [{ name: 'Mine', connectString, environment: 'development', auth }] },
    // What a repository brings along must count for nothing.
    workspaceSettings: { 'zookeeperLocks.clusters': [{ name: 'Theirs', connectString, tls: {} }] },
    workspaceFiles: {
      '.vscode/zookeeper-locks.json': JSON.stringify({
        kind: 'zookeeper-lock-inspector/clusters',
        version: 1,
        clusters: [{ name: 'Recommended', connectString: 'zk.invalid', environment: 'staging' }],
      }),
    },
  });
});

afterAll(async () => {
  await workbench.close();
  server.close();
});

it('lists the own clusters in an untrusted workspace, none of the folder, connects to none and asks for no password', async () => {
  await workbench.openContainer('ZooKeeper Locks');
  const tree = workbench.tree('Clusters');
  await tree.waitForRow('Mine');
  await tree.expand('Mine');
  const row = await tree.waitForRow('Trust this workspace to connect');
  expect(row.description).toContain('manage trust');
  await workbench.screenshot('clusters-untrusted');
  await eventually(async () => expect(await tree.menu('Mine')).toContain('Connect'));
  expect((await tree.rows()).filter(({ level }) => level === 1).map(({ label }) => label)).toEqual(['Mine']);
  expect(await workbench.page.locator('.quick-input-widget:visible').count()).toBe(0);
  expect((await workbench.notifications()).join('\n')).not.toContain('recommends');
  expect(connections).toBe(0);
});
