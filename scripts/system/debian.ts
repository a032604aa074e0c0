import { findProgram, run } from './run.ts';

/** Command words before `apt-get`, or `undefined` where this person cannot install packages. */
function privilege(): string[] | undefined {
  if (findProgram('apt-get') === undefined) return undefined;
  if (process.getuid?.() === 0) return [];
  // Without a terminal sudo could wait for a password for ever.
  return findProgram('sudo') === undefined ? undefined : process.stdin.isTTY ? ['sudo'] : ['sudo', '-n'];
}

/** Whether this is a Debian-like system on which we may install packages. */
export function canInstallPackages(): boolean {
  return privilege() !== undefined;
}

/** @throws Error when apt-get fails or is not allowed */
export async function installPackages(names: readonly string[]): Promise<void> {
  const words = privilege();
  if (words === undefined) throw new Error('Packages can be installed only with apt-get, as root or with sudo.');
  console.log(`Installing ${names.join(' ')} with apt-get ...`);
  // Through `env`, since sudo drops the variable otherwise.
  const aptGet = [...words, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-y', '-q'];
  for (const step of [['update'], ['install', '--no-install-recommends', ...names]]) {
    const [command, ...args] = [...aptGet, ...step];
    const code = await run(command!, args);
    if (code !== 0) throw new Error(`apt-get ${step[0]!} ended with code ${code}. Its messages above say why.`);
  }
}
