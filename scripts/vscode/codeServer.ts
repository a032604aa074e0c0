import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '../build/bundle.ts';
import { freePorts } from '../zookeeper/ports.ts';
import type { Profile } from './profile.ts';

export interface CodeServer {
  url: string;
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

export interface CodeServerOptions {
  profile: Profile;
  /** Own and temporary: the log and what the server keeps for itself. */
  folder: string;
  /** Default true: the workspace counts as trusted. */
  trusted?: boolean | undefined;
  /** Display language; a language pack for it must be there. Default: English. */
  locale?: string | undefined;
}

const workbenchPackage = join(repositoryRoot, 'test', 'workbench');
const entry = join(workbenchPackage, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
const node = join(workbenchPackage, 'node_modules', 'node', 'bin', 'node');

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    // Not listening yet: the caller asks again until its deadline.
    return false;
  }
}

/** XDG folders of its own, so that no heartbeat or session file lands in the person's home. */
function ownFolders(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, XDG_RUNTIME_DIR: folder };
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    // The server starts others (extension host, file watcher); they are in its group.
    process.kill(-child.pid, signal);
  } catch {
    // It ended between the question and the signal.
  }
}

/** Installs an extension as a person does who has the file. @throws Error with what code-server said */
export async function installVsix(vsix: string, profile: Profile, folder: string): Promise<void> {
  const places = ['--extensions-dir', profile.extensionsDir, '--user-data-dir', profile.userDataDir];
  const args = [entry, '--config', join(folder, 'code-server.yaml'), ...places, '--install-extension', vsix];
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'], env: ownFolders(folder) });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`code-server did not install ${vsix}:\n${(await said).join('\n')}`);
}

/**
 * Starts code-server (VS Code in a browser) on a free loopback port and waits until it answers.
 *
 * @throws Error when the workbench package is not installed, or with the log when it does not come up within 60 s
 */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const { profile, folder, trusted = true, locale } = options;
  if (!existsSync(entry)) {
    throw new Error(
      'The package test/workbench is not installed. Run: node scripts/bootstrap.mjs --install test/workbench',
    );
  }
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port!}/`;
  const logFile = join(folder, 'code-server.log');
  const log = openSync(logFile, 'a');
  const args = [
    entry,
    '--config',
    join(folder, 'code-server.yaml'),
    '--bind-addr',
    `127.0.0.1:${port!}`,
    '--auth',
    'none',
    '--disable-telemetry',
    '--disable-update-check',
    ...(trusted ? ['--disable-workspace-trust'] : []),
    ...(locale === undefined ? [] : ['--locale', locale]),
    '--extensions-dir',
    profile.extensionsDir,
    '--user-data-dir',
    profile.userDataDir,
    profile.workspace,
  ];
  const child = spawn(node, args, { stdio: ['ignore', log, log], detached: true, env: ownFolders(folder) });
  closeSync(log);
  const killWithUs = () => endGroup(child, 'SIGKILL');
  process.once('exit', killWithUs);
  const exited = once(child, 'exit').then(() => undefined);
  const stop = async () => {
    endGroup(child, 'SIGTERM');
    const timer = setTimeout(killWithUs, 3_000);
    await exited;
    clearTimeout(timer);
    process.off('exit', killWithUs);
  };
  const end = performance.now() + 60_000;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop();
      throw new Error(`code-server did not come up:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`);
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return { url, exited, stop };
}
