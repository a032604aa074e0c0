import { createReadStream, type ReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ByteQueue } from './byteQueue.ts';
import { FileDamage } from './fileProblem.ts';
import { unpackSnappy } from './snappy.ts';

/** How a snapshot is stored; the name of its file says it (SnapStream.java). */
export type Compression = 'none' | 'gz' | 'snappy';

/** So much is read at once, bytes. */
const chunkBytes = 262_144;

/** @param file name or path of a snapshot or log */
export function compressionOf(file: string): Compression {
  if (file.endsWith('.gz')) return 'gz';
  return file.endsWith('.snappy') ? 'snappy' : 'none';
}

/**
 * The bytes of a file as they were before they were packed, piece by piece.
 *
 * @throws FileDamage for what is not packed as it should be; what the file system throws
 */
export async function* unpacked(path: string, compression: Compression): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: chunkBytes });
  if (compression === 'gz') yield* gunzipped(file);
  else if (compression === 'snappy') yield* unsnapped(file);
  else yield* file as AsyncIterable<Buffer>;
}

async function* gunzipped(file: ReadStream): AsyncGenerator<Buffer> {
  // What goes wrong with the file reaches who reads what is unpacked.
  const gunzip = pipeline(file, createGunzip({ chunkSize: chunkBytes }), () => undefined);
  let hasBegun = false;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      hasBegun = true;
      yield chunk;
    }
  } catch (error) {
    throw gzipError(error, hasBegun) ?? error;
  }
}

function gzipError(error: unknown, hasBegun: boolean): FileDamage | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return new FileDamage('truncated snapshot', { cause: error });
  if (code !== 'Z_DATA_ERROR') return undefined;
  return new FileDamage(hasBegun ? 'wrong checksum' : 'not a snapshot', { cause: error });
}

/** 0x82 "SNAPPY" 0, int version, int oldest compatible version; then blocks behind their lengths (SnappyCodec of xerial/snappy-java). */
const snappyMagic = Buffer.from('\x82SNAPPY\0', 'latin1');
const snappyHeaderBytes = 16;
/** A block is 32 KB before it is packed unless the server's program asks for more. */
const largestBlock = 67_108_864;

async function* unsnapped(file: ReadStream): AsyncGenerator<Buffer> {
  try {
    const packed = new ByteQueue(file[Symbol.asyncIterator]());
    let hasBegun = false;
    while (await packed.has(4)) {
      const length = packed.bytes.readInt32BE();
      // A stream that was put behind another one begins with its header.
      const isHeader = !hasBegun || length === snappyMagic.readInt32BE();
      if (isHeader) await passHeader(packed);
      else yield await nextBlock(packed, length);
      hasBegun = true;
    }
    if (packed.bytes.length > 0) throw new FileDamage('truncated snapshot');
  } finally {
    file.destroy();
  }
}

async function passHeader(packed: ByteQueue): Promise<void> {
  const isWhole = await packed.has(snappyHeaderBytes);
  if (!packed.bytes.subarray(0, snappyMagic.length).equals(snappyMagic)) throw new FileDamage('not a snapshot');
  if (!isWhole) throw new FileDamage('truncated snapshot');
  packed.take(snappyHeaderBytes);
}

async function nextBlock(packed: ByteQueue, length: number): Promise<Buffer> {
  if (length <= 0 || length > largestBlock) throw new FileDamage('bad length');
  if (!(await packed.has(4 + length))) throw new FileDamage('truncated snapshot');
  try {
    return unpackSnappy(packed.take(4 + length).subarray(4));
  } catch (error) {
    throw new FileDamage('bad record', { cause: error });
  }
}
