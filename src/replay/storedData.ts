import { open } from 'node:fs/promises';
import { StoredDataError } from './storedDataError.ts';
import { compressionOf, unpacked } from './unpacked.ts';

/** Data that stay in their file until they are asked for. */
export interface DataInFile {
  /** Path of the file. */
  readonly file: string;
  /** Bytes from the start of the file; of a compressed snapshot, from the start of what is unpacked. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
}

/** Data of a node, as a file that was read has them. `keptBytes` and `readStored` give the bytes. */
export type StoredData = Uint8Array | KeptText | DataInFile;

/** A typed array of more bytes has memory of its own, which takes ten times as long to make and to collect as a string. */
const largestSmallArray = 64;

/** Bytes in memory, as the characters U+0000 to U+00FF. */
export class KeptText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Bytes. */
  get length(): number {
    return this.text.length;
  }
}

/** Data of so many bytes are kept: names and the like, which queues are recognised by. */
export const inlineLimit = 512;

/** Of ephemeral, container and TTL nodes longer data are kept too: the nodes of locks are among them. */
export const ownedInlineLimit = 65_536;

const noBytes = new Uint8Array(0);

/** @returns a copy of a part of a buffer that is used again */
export function copiedBytes(buffer: Buffer, at: number, length: number): StoredData {
  if (length === 0) return noBytes;
  if (length > largestSmallArray) return new KeptText(buffer.toString('latin1', at, at + length));
  const copy = new Uint8Array(length);
  for (let each = 0; each < length; each++) copy[each] = buffer[at + each] ?? 0;
  return copy;
}

/** @returns the bytes of data that are in memory; `undefined` for those in a file */
export function keptBytes(data: StoredData | undefined): Uint8Array | undefined {
  if (data === undefined) return noBytes;
  if (data instanceof Uint8Array) return data;
  return data instanceof KeptText ? new Uint8Array(Buffer.from(data.text, 'latin1')) : undefined;
}

/**
 * The bytes of a node's data; null is empty.
 *
 * @throws StoredDataError when the file cannot be read any more
 */
export async function readStored(data: StoredData | undefined): Promise<Uint8Array> {
  if (data === undefined || data instanceof Uint8Array || data instanceof KeptText) return keptBytes(data) ?? noBytes;
  try {
    return await (compressionOf(data.file) === 'none' ? readFromFile(data) : readUnpacked(data));
  } catch (error) {
    throw new StoredDataError(data, { cause: error });
  }
}

async function readFromFile({ file, offset, length }: DataInFile): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new RangeError('the file is shorter now');
      filled += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

/** A compressed file has no places to go to: it is unpacked up to the data. */
async function readUnpacked({ file, offset, length }: DataInFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let passed = 0;
  for await (const chunk of unpacked(file, compressionOf(file))) {
    const from = Math.max(0, offset - passed);
    if (from < chunk.length) bytes.set(chunk.subarray(from, offset + length - passed), passed + from - offset);
    passed += chunk.length;
    if (passed >= offset + length) return bytes;
  }
  throw new RangeError('the file is shorter now');
}
