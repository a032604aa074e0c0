import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a recorder's folder. */
export interface JournalFile {
  /** Its name before it was packed: names are in the order in which the files were begun. */
  stem: string;
  path: string;
  /** Bytes, as it is stored. */
  size: number;
}

const packedEnd = '.gz';
const fileName = /^(journal-.+\.zkjournal)(\.gz)?$/;

/**
 * The files of a recorder's folder, the oldest first. One that is being packed is there twice: then the plain one is taken.
 *
 * @throws what the file system throws when the folder cannot be listed
 */
export async function listJournalFiles(folder: string): Promise<JournalFile[]> {
  const byStem = new Map<string, string>();
  for (const name of await readdir(folder)) {
    const [, stem, packed] = fileName.exec(name) ?? [];
    if (stem !== undefined && (packed === undefined || !byStem.has(stem))) byStem.set(stem, join(folder, name));
  }
  const sorted = [...byStem].sort(([one], [other]) => (one < other ? -1 : 1));
  const files = await Promise.all(sorted.map(async ([stem, path]) => fileAt(stem, path)));
  return files.filter(file => file !== undefined);
}

/** Where a file is once it was packed; `undefined`: it is packed. */
export function packedPath(path: string): string | undefined {
  return path.endsWith(packedEnd) ? undefined : path + packedEnd;
}

/** It may be packed after it was listed. */
async function fileAt(stem: string, listed: string): Promise<JournalFile | undefined> {
  for (const path of [listed, packedPath(listed)]) {
    const size = path === undefined ? undefined : await sizeOf(path);
    if (path !== undefined && size !== undefined) return { stem, path, size };
  }
  return undefined;
}

/** @returns `undefined` for what is gone, or is no file */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats.size : undefined;
  } catch {
    // Packed or deleted meanwhile.
    return undefined;
  }
}
