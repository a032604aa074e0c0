import { join } from 'node:path';
import type { FileSystem, JournalFile } from './journalFolder.ts';
import { JournalFolder } from './journalFolder.ts';
import { lastMoment, type TwoClocks } from './journalLimits.ts';

/** Of folders of journals, as `Recorders` calls them. */
const folderPattern = /^[0-9a-f]{32}$/;
/** The file of a window that records is touched much more often, ms. */
const silentMs = 60_000;

/**
 * Removes files that are too old from journals that no window writes: of clusters that are not recorded any more, that are reached by other
 * addresses now, or of sandboxes that ended suddenly. Age needs both clocks, as everywhere.
 *
 * @param root full path of the folder of all journals
 * @param ageMs of the last entry of a file that stays
 * @throws what the file system throws
 */
export async function removeLeft(root: string, ageMs: number, clocks: TwoClocks, fs: FileSystem): Promise<void> {
  if (clocks.servers === undefined) return;
  const { wall, servers } = clocks;
  const isTooOld = async ({ writtenAt, begunAt, path }: JournalFile): Promise<boolean> => {
    if (wall - Math.max(writtenAt, begunAt) <= ageMs) return false;
    const last = await lastMoment(path);
    return last !== undefined && servers - last.time > ageMs;
  };
  for (const entry of await fs.readdir(root, { withFileTypes: true })) {
    if (!entry.isDirectory() || !folderPattern.test(entry.name)) continue;
    const folder = new JournalFolder(join(root, entry.name), fs);
    const writtenAt = await folder.writerSeenAt();
    if (writtenAt !== undefined && Math.abs(wall - writtenAt) < silentMs) continue;
    for (const file of await folder.files()) {
      if (!(await isTooOld(file))) break;
      await folder.remove(file.name);
    }
  }
}
