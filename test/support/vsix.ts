import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/** Unpacks a VSIX into memory. @returns the bytes of each file under its path in the archive */
export async function readVsix(path: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const archive = await openPromise(path);
  for await (const entry of archive.eachEntry()) {
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  }
  return files;
}
