import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildHostPart } from '../../scripts/build/bundle.ts';
import { temporaryFolder } from '../../scripts/zookeeper/temporaryFolder.ts';
import { python } from '../support/python.ts';
import type { Bench } from './bench.ts';
import { takeTurns, type Collector } from './collector.ts';
import { recordRequests } from './recordedRequests.ts';
import { ours } from './row.ts';

interface Look {
  /** Until all rows are there, the loading of the code included. */
  ms: number;
  locks: number;
  contenders: number;
  holders: number;
}

interface OwnLook extends Look {
  loadMs: number;
  /** Since the start of the loading. */
  connectedMs: number;
}

/** What is looked at. */
export interface Sight {
  /** `queue`: one lock, whose path is known. `cluster`: all locks below a path. */
  kind: 'queue' | 'cluster';
  path: string;
  /** How many there are, each with a holder. */
  locks: number;
  contenders: number;
  /** Of the figures. */
  size: number;
}

/** Bundles the part of the extension that a look needs. @param use gets its path; the file is deleted after that */
export async function withLookBundle(use: (bundle: string) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder('first-look-');
  try {
    const bundle = join(folder, 'firstLook.mjs');
    await buildHostPart('test/bench/programs/firstLook.ts', bundle);
    await use(bundle);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a program that prints what it saw. @throws Error unless that is all there is, within two minutes */
async function lookOnce(command: string, args: readonly string[], sight: Sight): Promise<Look> {
  const { stdout } = await promisify(execFile)(command, args, { timeout: 120_000 });
  const look = JSON.parse(stdout) as Look;
  const { locks, contenders } = sight;
  if (look.locks !== locks || look.contenders !== contenders || look.holders !== locks) {
    throw new Error(`${command} saw ${stdout} of ${locks} locks and ${contenders} contenders.`);
  }
  return look;
}

/**
 * Fresh programs look at the same: ours; a bare socket, which plays the requests of ours and reads nothing of the replies; and kazoo, which
 * is far slower and has one turn.
 *
 * @param also takes turns with ours
 */
export async function compareLooks(
  bench: Bench,
  bundle: string,
  sight: Sight,
  collector: Collector,
  also: ReadonlyMap<string, () => Promise<void>> = new Map(),
): Promise<void> {
  const { kind, path, size } = sight;
  const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
  const { connectString } = bench.ensemble;
  const ownLook = async (hosts: string): Promise<OwnLook> =>
    (await lookOnce(process.execPath, [here('programs/look.ts'), bundle, kind, hosts, path], sight)) as OwnLook;
  const requests = await recordRequests(bench, ownLook);
  const own = async (): Promise<void> => {
    const look = await ownLook(connectString);
    collector.add(ours, { measure: 'time', unit: 'ms', size }, look.ms);
    collector.add(ours, { measure: 'of that, loading the code', unit: 'ms', size }, look.loadMs);
    collector.add(ours, { measure: 'of that, until connected', unit: 'ms', size }, look.connectedMs);
  };
  const bare = async (): Promise<void> => {
    const program = bench.programs.freshBareSocket();
    try {
      const { withConnectingMs } = (await program.request('play', { requests })) as { withConnectingMs: number };
      collector.add('bare socket', { measure: 'time', unit: 'ms', size }, withConnectingMs);
    } finally {
      await program.close();
    }
  };
  const kazoo = async (): Promise<void> => {
    const { ms } = await lookOnce(python(), [here('python/first_look.py'), kind, connectString, path], sight);
    collector.add('kazoo', { measure: 'time', unit: 'ms', size }, ms);
  };
  const fast = new Map([[ours, own], ['bare socket', bare], ...also]);
  await takeTurns(1, new Map([...fast, ['kazoo', kazoo]]));
  await takeTurns(bench.rounds(4), fast);
}
