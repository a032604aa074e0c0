import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in units of 10 ms, on every machine that is in use. */
const ticksPerSecond = 100;

function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended while the list was read.
    return '';
  }
}

/** What follows the program's name in `/proc/<pid>/stat`, which may hold blanks and brackets itself. */
function statOf(pid: number): string[] {
  const text = contents(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; at = Number(statOf(at)[1] ?? 0)) if (at === ancestor) return true;
  return false;
}

/** The one program that runs the extensions of the VS Code that this program has started. @throws Error if there is none */
export function findExtensionHost(): number {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const found = pids.find(
    pid => contents(`/proc/${pid}/cmdline`).includes('--type=extensionHost') && isBelow(pid, process.pid),
  );
  if (found === undefined) throw new Error('VS Code has no extension host.');
  return found;
}

/** Processor time of a program so far, all its threads, user and system, in seconds. */
export function processorSeconds(pid: number): number {
  const stat = statOf(pid);
  return (Number(stat[11]) + Number(stat[12])) / ticksPerSecond;
}

/** Memory of a program that is in use now, MB. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/mu.exec(contents(`/proc/${pid}/status`))?.[1];
  if (kilobytes === undefined) throw new Error(`There is no program ${pid}.`);
  return Number(kilobytes) / 1024;
}
