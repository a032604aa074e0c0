import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileProblem } from './fileProblem.ts';
import type { Problem } from './recording.ts';
import { compressionOf, type Compression } from './unpacked.ts';

/** A transaction log of a folder. */
export interface LogFile {
  /** Its name: foreign text. */
  file: string;
  path: string;
  /** Of its first record, as its name says. */
  firstZxid: bigint;
  /** Bytes, with the zeros that servers reserve at the end. */
  size: number;
}

/** A snapshot of a folder. */
export interface SnapshotFile {
  /** Its name: foreign text. */
  file: string;
  path: string;
  /** The last transaction that it has for sure, as its name says. */
  zxid: bigint;
  compression: Compression;
  /** Bytes, as it is stored. */
  size: number;
}

/** The files of a server's data directory, and what cannot be read of it. */
export interface LogFolder {
  /** By zxid. */
  logs: LogFile[];
  /** By zxid. */
  snapshots: SnapshotFile[];
  problems: Problem[];
}

/** Names of files as servers make them (persistence/Util.java). */
const logName = /^log\.([\da-fA-F]{1,16})$/;
const snapshotName = /^snapshot\.([\da-fA-F]{1,16})(?:\.gz|\.snappy)?$/;
const largestZxid = (1n << 63n) - 1n;
/** The folder below a server's data directory. */
const dataFolder = 'version-2';
/** Of files that are asked for at once. */
const filesAtOnce = 64;

/**
 * Finds transaction logs and snapshots by their names; other files do not count. None is opened.
 *
 * @param folder `version-2`, one that has it, or any with such files
 * @throws what the file system throws when the folder cannot be listed
 */
export async function listLogFolder(folder: string): Promise<LogFolder> {
  const names = await readdir(folder);
  const hasFiles = names.some(name => zxidOf(name) !== undefined);
  const inside = join(folder, dataFolder);
  return hasFiles || !names.includes(dataFolder) ? list(folder, names) : list(inside, await readdir(inside));
}

async function list(folder: string, names: readonly string[]): Promise<LogFolder> {
  const found: LogFolder = { logs: [], snapshots: [], problems: [] };
  const wanted = names.filter(name => zxidOf(name) !== undefined);
  for (let start = 0; start < wanted.length; start += filesAtOnce) {
    await Promise.all(wanted.slice(start, start + filesAtOnce).map(name => add(found, folder, name)));
  }
  found.logs.sort((one, other) => inOrder(one.firstZxid - other.firstZxid, one.file, other.file));
  found.snapshots.sort((one, other) => inOrder(one.zxid - other.zxid, one.file, other.file));
  found.problems.sort((one, other) => inOrder(0n, one.file, other.file));
  return found;
}

/** @returns the zxid in the name of a log or a snapshot; `undefined` for other names */
function zxidOf(name: string): bigint | undefined {
  const digits = (logName.exec(name) ?? snapshotName.exec(name))?.[1];
  const zxid = BigInt(`0x${digits ?? 'ffffffffffffffff'}`);
  return zxid > largestZxid ? undefined : zxid;
}

async function add({ logs, snapshots, problems }: LogFolder, folder: string, file: string): Promise<void> {
  const path = join(folder, file);
  const zxid = zxidOf(file) ?? 0n;
  try {
    const found = await stat(path);
    const { size } = found;
    if (!found.isFile()) problems.push({ file, offset: 0, what: 'unreadable' });
    else if (logName.test(file)) logs.push({ file, path, firstZxid: zxid, size });
    else snapshots.push({ file, path, zxid, compression: compressionOf(file), size });
  } catch (error) {
    problems.push({ file, offset: 0, what: fileProblem(error) });
  }
}

function inOrder(difference: bigint, one: string, other: string): number {
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return one < other ? -1 : 1;
}
