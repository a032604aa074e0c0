import { open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { IncidentError } from '../../../src/incident/incidentError.ts';
import { openIncident } from '../../../src/incident/openIncident.ts';
import { headerLine } from '../../../src/incident/headerLine.ts';
import { lateness } from '../../support/lateness.ts';
import { header, useFolder } from './incidentUnderTest.ts';

const folder = useFolder();
const gigabyte = 1024 ** 3;

/** A gzip file may be put together from others. */
function repeated(text: Buffer | string, times: number): Buffer {
  const packed = gzipSync(text, { level: 1 });
  return Buffer.concat(Array.from({ length: times }, () => packed));
}

async function refusal(path: string): Promise<{ fault: string; ms: number }> {
  const begun = performance.now();
  const error: unknown = await openIncident(path).catch((reason: unknown) => reason);
  if (!(error instanceof IncidentError)) throw new Error('It was opened.', { cause: error });
  return { fault: error.fault, ms: performance.now() - begun };
}

const first = gzipSync(`${headerLine(header)}\n`);

describe('a file of 1 GB is refused', () => {
  it('as it is, of zeros, after its first bytes', async () => {
    const path = join(folder.path, 'zeros.zkincident');
    const file = await open(path, 'w');
    await file.truncate(gigabyte);
    await file.close();
    expect((await stat(path)).size).toBe(gigabyte);
    const { fault, ms } = await refusal(path);
    expect(fault).toBe('foreign');
    expect(ms).toBeLessThan(1_000);
  });

  it.each([
    ['of zeros', () => repeated(Buffer.alloc(2 ** 26), 16), 'foreign', 1_000],
    ['of zeros behind a header', () => Buffer.concat([first, repeated(Buffer.alloc(2 ** 26), 16)]), 'too-large', 2_000],
    [
      'of endless lines',
      () => Buffer.concat([first, repeated('{"type":"x"}\n'.repeat(1_000_000), 80)]),
      'too-large',
      60_000,
    ],
    ['of line ends', () => Buffer.concat([first, repeated('\n'.repeat(2 ** 26), 16)]), 'empty', 2_000],
    [
      'of entries',
      () => Buffer.concat([first, repeated('{"type":"alive","zxid":"0x1","time":1}\n'.repeat(100_000), 280)]),
      'too-large',
      60_000,
    ],
  ] as const)('packed, %s', { timeout: 120_000 }, async (_what, contents, expected, longest) => {
    const path = join(folder.path, 'large.zkincident');
    await writeFile(path, contents());
    const before = process.memoryUsage.rss();
    const late = lateness();
    const { fault, ms } = await refusal(path);
    expect(fault).toBe(expected);
    expect(ms).toBeLessThan(longest);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
    // On a busy machine the test itself is late.
    expect(late()).toBeLessThan(500);
  });
});
