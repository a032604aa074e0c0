import { stat } from 'node:fs/promises';

/** By what a file that was written again differs. @returns `undefined` where it cannot be looked at */
export async function fileStamp(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs].join(' ');
  } catch {
    // It is gone, or may not be looked at: what was read stands.
    return undefined;
  }
}

/** Whether another file has taken the place of the one that was read. @param stamp of that one, from before it was read */
export async function isReplaced(path: string, stamp: string | undefined): Promise<boolean> {
  const present = await fileStamp(path);
  return stamp !== undefined && present !== undefined && present !== stamp;
}
