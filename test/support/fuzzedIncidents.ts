import { gzipSync } from 'node:zlib';
import type { SeededRandom } from './seededRandom.ts';

// Damage of incident files, each of which the same seed repeats.

const values = [
  'null', '-1', '0', '1e308', '-1e308', '9007199254740993', '99999999999999999999999999', '""', '"0x"', '"0xfffffffffffffffff"',
  '"0x8000000000000000"', '[]', '{}', '[[[[[[]]]]]]', 'true', '"\\u0000"', '"/"', '"/a//b"', '"a"', '"__proto__"', '"\\ud800"',
]; // prettier-ignore

/** @returns lines, or the bytes of the file */
type Fuzz = (lines: string[], random: SeededRandom) => string[] | Buffer;

function packed(lines: readonly string[]): Buffer {
  return gzipSync(lines.map(line => `${line}\n`).join(''), { level: 1 });
}

function flipped(bytes: Buffer, random: SeededRandom): Buffer {
  for (let flips = 1 + random.below(4); flips > 0; flips--) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes;
}

/** A value of a line becomes another one. */
function wrongValue(lines: string[], random: SeededRandom): string[] {
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  const found = [...line.matchAll(/(?<=[:[,])(?:"(?:[^"\\]|\\.)*"(?!:)|-?\d+|true|false|null)/g)];
  if (found.length === 0) return lines;
  const match = random.pick(found);
  const after = line.slice(match.index + match[0].length);
  return lines.with(at, line.slice(0, match.index) + random.pick(values) + after);
}

/** Bits, lines, values and ends. */
const kinds: readonly Fuzz[] = [
  (lines, random) => flipped(packed(lines), random),
  (lines, random) => packed(lines).subarray(0, random.below(3_000)),
  (lines, random) => flipped(Buffer.from(lines.join('\n')), random),
  (lines, random) => packed([flipped(Buffer.from(lines.join('\n')), random).toString('latin1')]),
  (lines, random) => {
    const [one, other] = [random.below(lines.length), random.below(lines.length)];
    return lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '');
  },
  wrongValue,
  (lines, random) => wrongValue(wrongValue(wrongValue(lines, random), random), random),
  (lines, random) => lines.toSpliced(random.below(lines.length), 1 + random.below(5)),
  (lines, random) => lines.toSpliced(1 + random.below(lines.length), 0, ...lines.slice(random.below(lines.length))),
  (lines, random) => [lines[0] ?? '', ...lines.slice(1).sort(() => random.below(3) - 1)],
  (lines, random) => Buffer.concat([packed(lines), Buffer.from(String(random.below(1e9)))]),
  (lines, random) => Buffer.concat([packed(lines.slice(0, 5)), packed(lines.slice(5 + random.below(3)))]),
];

/** The bytes of a damaged file. @param lines of the whole one @param seed one kind of damage after the other */
export function fuzzedIncident(lines: readonly string[], seed: number, random: SeededRandom): Buffer {
  const contents = kinds[seed % kinds.length]!([...lines], random);
  return Buffer.isBuffer(contents) ? contents : packed(contents);
}
