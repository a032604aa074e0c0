import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { installDeployer } from './support/deployer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

/** It uses nothing but the API, and says what comes of each call in a notification. */
const main = `
const vscode = require('vscode');

exports.activate = async context => {
  const inspector = vscode.extensions.getExtension('zookeeper-lock-inspector.zookeeper-lock-inspector');
  const api = await inspector.activate();
  let lock;
  const register = (name, call) => {
    const say = async () => {
      const text = await call().catch(error => 'failed with ' + error.code);
      void vscode.window.showInformationMessage('Deployer: ' + text);
    };
    context.subscriptions.push(vscode.commands.registerCommand('deployer.' + name, say));
  };
  const cluster = () => api.clusters()[0];
  register('read', async () => {
    const [queue] = await api.readQueues(cluster().id, '/locks/ship');
    const [head] = queue.contenders;
    return ['version', api.version, cluster().name, queue.dialect, head.role, head.identifier].join(' ');
  });
  register('take', async () => {
    const request = { extensionId: 'example.deployer', path: '/locks/pay', recipe: 'mutex', identifier: 'release 7' };
    lock = await api.acquireTestLock({ ...request, clusterId: cluster().id, timeoutMs: 5000, autoReleaseMs: 60000 });
    return lock.state + ' under ' + lock.fencingToken;
  });
  register('release', async () => {
    await lock.release();
    return lock.state + (lock.signal.aborted ? ', told' : ', not told');
  });
};
`;

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  observer = await startObserver(connectString);
  await observer.ensure('/locks/pay');
  await observer.ensure('/locks/ship');
  await observer.create(`/locks/ship/${'ab'.repeat(16)}__lock__`, { sequence: true, data: 'worker-3' });
  workbench = await openWorkbench({
    settings: {
      'zookeeperLocks.clusters': [{ id: 'orders', name: 'Orders', connectString, environment: 'development' }],
    },
    prepare: ({ extensionsDir }) => installDeployer(extensionsDir, ['Read Queue', 'Take Lock', 'Release Lock'], main),
  });
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

async function hear(text: RegExp): Promise<void> {
  await eventually(async () => expect((await workbench.notifications()).join('\n')).toMatch(text), 15_000);
  await workbench.runCommand('Notifications: Clear All Notifications');
}

it('another extension reads nothing before the person has connected', async () => {
  await workbench.openContainer('ZooKeeper Locks');
  await workbench.runCommand('Deployer: Read Queue');
  await hear(/Deployer: failed with NOT_CONNECTED/);
});

it('then it reads who holds a lock on the real server', async () => {
  const clusters = workbench.tree('Clusters');
  await clusters.expand('Orders');
  await clusters.waitForRow('/locks/ship');
  await workbench.runCommand('Deployer: Read Queue');
  await hear(/Deployer: version 1 Orders kazoo holder worker-3/);
});

it('the person is asked once whether it may take locks, sees the lock, and it goes when the extension releases it', async () => {
  const testLocks = workbench.tree('Test Locks');
  await workbench.runCommand('Deployer: Take Lock');
  await eventually(async () => {
    expect(await workbench.dialogText()).toMatch(
      /May the extension "Deployer" \(example\.deployer\) take test locks\?/,
    );
  });
  expect(await observer.ls('/locks/pay')).toEqual([]);
  await workbench.screenshot('api-permission');
  await workbench.pressDialogButton('Allow');
  await hear(/Deployer: held under 0x[0-9a-f]+/);
  expect(await observer.ls('/locks/pay')).toHaveLength(1);
  await eventually(async () => {
    const [row] = await testLocks.rows();
    expect(`${row?.label} ${row?.description}`).toMatch(/^pay held .* \/locks$/);
  });
  await workbench.screenshot('api-lock-held');

  await workbench.runCommand('Deployer: Release Lock');
  await hear(/Deployer: released, told/);
  await eventually(async () => expect(await testLocks.rows()).toEqual([]));
  expect(await observer.ls('/locks/pay')).toEqual([]);

  await workbench.runCommand('Deployer: Take Lock');
  await hear(/Deployer: held under/);
  await workbench.runCommand('Deployer: Release Lock');
  await hear(/Deployer: released/);
});
