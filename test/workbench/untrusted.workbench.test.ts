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
  workbench = await openWorkbench({
    trusted: false,
    settings: {
      'zookeeperLocks.clusters': [
        { name: 'Mine', connectString: `127.0.0.1:${String(port)}`, environment: 'development' },
      ],
    },
  });
});

afterAll(async () => {
  await workbench.close();
  server.close();
});

it('lists clusters in an untrusted workspace and connects to none', async () => {
  await workbench.openContainer('ZooKeeper Locks');
  const tree = workbench.tree('Clusters');
  await tree.waitForRow('Mine');
  await tree.expand('Mine');
  const row = await tree.waitForRow('Trust this workspace to connect');
  expect(row.description).toContain('manage trust');
  await workbench.screenshot('clusters-untrusted');
  await eventually(async () => expect(await tree.menu('Mine')).toContain('Connect'));
  expect(connections).toBe(0);
});
