import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startExampleLocks } from '../src/app/sandbox/exampleLocks.ts';
import { connect } from '../src/zookeeper/connect.ts';
import { buildExtension, BundleError } from './build/bundle.ts';
import { obtainCluster, type Cluster } from './start/obtainCluster.ts';
import { installWorkbench } from './system/workbenchPackage.ts';
import { startCodeServer } from './vscode/codeServer.ts';
import { findDesktopCode, openDesktopCode } from './vscode/desktop.ts';
import { createProfile, installExtension, type Profile } from './vscode/profile.ts';

/** What was started, to be ended in reverse order. Ending twice is harmless. */
class CleanUp {
  private readonly steps: (() => unknown)[] = [];
  private running: Promise<void> | undefined;

  /** A step that comes after the end has begun (Ctrl-C while we start) is run at once. */
  add(step: () => unknown): void {
    if (this.running === undefined) this.steps.unshift(step);
    else void this.end(step);
  }

  all(): Promise<void> {
    this.running ??= this.runAll();
    return this.running;
  }

  private async runAll(): Promise<void> {
    for (const step of this.steps) await this.end(step);
  }

  private async end(step: () => unknown): Promise<void> {
    try {
      await step();
    } catch (error) {
      // One thing that does not end must not keep the others.
      console.error(error);
    }
  }
}

interface StartOptions {
  /** code-server even where there is a desktop VS Code. */
  browser: boolean;
}

async function openCodeServer(profile: Profile, folder: string, cleanUp: CleanUp): Promise<string> {
  await installWorkbench();
  await installExtension(profile);
  const server = await startCodeServer({ profile, folder });
  cleanUp.add(() => server.stop());
  return server.url;
}

async function openVsCode(cluster: Cluster, folder: string, options: StartOptions, cleanUp: CleanUp): Promise<string> {
  const saved = { name: 'Demo', connectString: cluster.connectString, environment: 'development' };
  const profile = await createProfile(folder, { 'zookeeperLocks.clusters': [saved] });
  const desktop = options.browser ? undefined : findDesktopCode(process.env);
  if (desktop === undefined) return openCodeServer(profile, folder, cleanUp);
  cleanUp.add(openDesktopCode(desktop, profile));
  return desktop;
}

async function start(options: StartOptions, cleanUp: CleanUp): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zookeeper-lock-inspector-'));
  cleanUp.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  console.log(`Temporary files: ${folder}`);
  for (const { path, bytes } of await buildExtension({ production: false })) {
    console.log(`Built ${path} (${Math.ceil(bytes / 1024)} kB)`);
  }
  const cluster = await obtainCluster(process.env, folder);
  cleanUp.add(() => cluster.stop());
  console.log(`ZooKeeper: ${cluster.connectString} (${cluster.description})`);
  const root = cluster.isOwn ? '/demo' : `/lock-inspector-demo-${crypto.randomUUID().slice(0, 8)}`;
  const demo = await startExampleLocks(
    () => connect(cluster.connectString),
    root,
    text => console.error(text),
  );
  cleanUp.add(() => (cluster.isOwn ? demo.stop() : demo.stopAndRemove()));
  console.log(`Demo locks: ${demo.paths.join(', ')}`);
  const where = await openVsCode(cluster, folder, options, cleanUp);
  console.log(
    `\nReady: ${where}\nOpen the view "ZooKeeper Locks" in the activity bar. Ctrl-C stops everything and removes the temporary files.`,
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      browser: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  const cleanUp = new CleanUp();
  const finish = (code: number) => void cleanUp.all().then(() => process.exit(code));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => finish(0));
  try {
    await start({ browser: values.browser || values.check }, cleanUp);
    if (values.check) finish(0);
  } catch (error) {
    console.error(error instanceof BundleError ? error.message : error instanceof Error ? error.message : error);
    finish(1);
  }
}

await main();
