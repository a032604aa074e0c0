// Runs a TypeScript script of this repository with nothing installed but Node 20+ and npm:
//   node scripts/bootstrap.mjs scripts/start.ts [arguments]      installs what package-lock.json names, then runs it with Node 24
//   node scripts/bootstrap.mjs --install test/workbench          installs that package and ends
// Plain JavaScript and no imports from packages: it runs before there are any.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isWindows = process.platform === 'win32';

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

function ownNode(folder) {
  return join(folder, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    // Missing, or cut off by an install that was interrupted: the caller installs again.
    return undefined;
  }
}

/** Whether node_modules holds what the lock file names. npm writes its own list there when an install is complete. */
function isInstalled(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  const present = readPackages(join(folder, 'node_modules', '.package-lock.json'));
  if (wanted === undefined) fail(`${folder} has no readable package-lock.json.`);
  if (present === undefined || !existsSync(ownNode(folder))) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      path === '' ||
      link === true ||
      (present[path] === undefined ? optional === true : present[path].version === version),
  );
}

/** npm runs us in a shell that dies of a signal without passing it on: when it is gone, the signal was meant for us. */
function watchNpm(onEnd) {
  if (process.env.npm_lifecycle_event === undefined || isWindows) return undefined;
  const shell = process.ppid;
  return setInterval(() => {
    if (process.ppid !== shell) onEnd();
  }, 500);
}

function run(command, args, options) {
  return new Promise((settle, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    // The terminal sends Ctrl-C to the child as well; scripts treat a second signal like the first.
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const forward = signal => child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    const watch = watchNpm(() => child.kill('SIGTERM'));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, forward);
      settle({ code, signal });
    });
  });
}

/** Ours with Node 24 and the packages' programs first on the path. */
function environment() {
  const folders = [dirname(ownNode(root)), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''];
  const env = { ...process.env, PATH: folders.join(delimiter) };
  // An npm that runs us says here which Node it has; packages would take it for the Node of the npm that we run.
  delete env.npm_config_user_agent;
  return env;
}

async function install(folder) {
  if (isInstalled(folder)) return;
  process.stdout.write(`Installing the packages of ${folder} ...\n`);
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund'];
  // Install scripts see the Node that npm runs on, and code-server insists on 24: use ours as soon as there is one.
  const node = existsSync(ownNode(root)) ? ownNode(root) : process.execPath;
  const options = { cwd: folder, env: environment() };
  const { code } = npm?.endsWith('.js')
    ? await run(node, [npm, ...args], options)
    : await run('npm', args, { ...options, shell: isWindows });
  if (code !== 0) fail(`npm ci failed in ${folder}. Its messages above say why; check the network and try again.`);
  if (!existsSync(ownNode(folder))) {
    fail(`npm did not run the install script of the package "node" in ${folder}. Allow install scripts and try again.`);
  }
}

async function main() {
  if (Number(process.versions.node.split('.')[0]) < 20) fail(`Node 20 or newer is needed; this is ${process.version}.`);
  const [script, ...args] = process.argv.slice(2);
  if (script === undefined) fail('Usage: node scripts/bootstrap.mjs <script.ts> [arguments]');
  await install(root);
  if (script === '--install') {
    for (const folder of args) await install(resolve(root, folder));
    return;
  }
  const { code, signal } = await run(ownNode(root), [resolve(root, script), ...args], {
    cwd: root,
    env: environment(),
  });
  process.exitCode = signal === null ? (code ?? 1) : 1;
}

await main();
