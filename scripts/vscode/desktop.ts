import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../build/bundle.ts';
import { findProgram } from '../system/run.ts';
import type { Profile } from './profile.ts';

const macOsProgram = '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';

/** @returns the desktop's `code`, if there is one and a screen to show it on */
export function findDesktopCode(env: NodeJS.ProcessEnv): string | undefined {
  const hasScreen =
    process.platform !== 'linux' || env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  if (!hasScreen) return undefined;
  return (
    findProgram(process.platform === 'win32' ? 'code.cmd' : 'code', env) ??
    (existsSync(macOsProgram) ? macOsProgram : undefined)
  );
}

/** Opens a window with the built extension. @returns what closes it */
export function openDesktopCode(program: string, profile: Profile): () => void {
  const args = [
    `--extensionDevelopmentPath=${repositoryRoot}`,
    `--user-data-dir=${profile.userDataDir}`,
    `--extensions-dir=${profile.extensionsDir}`,
    '--disable-workspace-trust',
    '--new-window',
    // Electron refuses to run its sandbox as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    profile.workspace,
  ];
  // On Windows `code` is a script, which only a shell starts; the shell takes words apart at blanks.
  const isScript = process.platform === 'win32';
  const [command, ...words] = [program, ...args].map(word => (isScript ? `"${word}"` : word));
  const child = spawn(command!, words, { stdio: 'ignore', shell: isScript });
  child.once('error', error => console.error(`VS Code did not start: ${error.message}`));
  return () => {
    child.kill();
    // The command returns at once and leaves the window to another program, whose id VS Code notes here.
    const note = join(profile.userDataDir, 'code.lock');
    if (!existsSync(note)) return;
    try {
      process.kill(Number(readFileSync(note, 'utf8')), 'SIGTERM');
    } catch {
      // The window was closed before.
    }
  };
}
