import { describe, expect, it } from 'vitest';
import { jsonFieldOf, nodeText, plainTextIn, protobufField, textOf } from '../../../src/locks/nodeData.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('textOf', () => {
  it.each<[string, Uint8Array, string]>([
    ['text', bytes('10.0.0.7'), '10.0.0.7'],
    ['trimmed', bytes('  host-1\n'), 'host-1'],
    ['empty', new Uint8Array(), ''],
    ["WriteLock's two bytes", Uint8Array.of(0x12, 0x34), ''],
    ['not UTF-8', Uint8Array.of(0xff, 0xfe, 0x41), ''],
    ['foreign letters', bytes('żółw\u202egnp'), 'żółw\u202egnp'],
    ['markup stays as it is', bytes('<script>'), '<script>'],
    ['NUL', bytes('a\0b'), ''],
  ])('%s', (_, data, expected) => {
    expect(textOf(data)).toBe(expected);
  });

  it('cuts to 200 characters and keeps surrogate pairs whole', () => {
    expect(textOf(bytes('😀'.repeat(300)))).toBe('😀'.repeat(200));
    expect(textOf(bytes('x'.repeat(1_000_000)))).toBe('x'.repeat(200));
  });
});

describe('nodeText', () => {
  it('is what textOf makes of the same bytes, whether or not they are a plain text', () => {
    const random = seededRandom(24);
    const alphabets = [' ', 'host-1.example.org \t\n\r{}~', '\u0000\u000b\u001f\u007f a', 'żółw é😀a ', '\ufeffa'];
    let plain = 0;
    for (let round = 0; round < 3_000; round++) {
      const letters = Array.from(random.pick(alphabets));
      const length = random.pick([0, 1, 2, 20, 199, 200, 201, 1_023, 1_024, 1_025, 2_000]);
      const text = Array.from({ length }, () => random.pick(letters)).join('');
      const data = random.below(4) === 0 ? random.bytes(random.below(40)) : Buffer.from(text);
      const plainText = plainTextIn(data.toString('latin1'));
      if (plainText !== undefined) plain++;
      expect(nodeText({ data, plainText })).toBe(textOf(data));
    }
    expect(plain).toBeGreaterThan(500);
  });

  it('does not ask for the data where there is a plain text: they would be made for each of 10,000 contenders', () => {
    const node = {
      plainText: ' pay-1 ',
      get data(): Uint8Array {
        throw new Error('The data were made.');
      },
    };
    expect(nodeText(node)).toBe('pay-1');
  });
});

describe('jsonFieldOf', () => {
  it.each<[string, string]>([
    ['{"brokerid":3}', '3'],
    ['{"brokerid":null,"host":"h"}', 'h'],
    ['{"other":1}', ''],
    ['[1]', ''],
    ['{"__proto__":{"brokerid":1}}', ''],
    ['{', ''],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(jsonFieldOf(bytes(text), ['brokerid', 'host'])).toBe(expected);
  });
});

describe('protobufField', () => {
  it('skips numbers and other fields', () => {
    const message = Uint8Array.of(0x08, 0x96, 0x01, 0x12, 1, 0x61, 0x1a, 2, 0x62, 0x63);
    expect(protobufField(message, 3)).toEqual(Uint8Array.of(0x62, 0x63));
    expect(protobufField(message, 4)).toBeUndefined();
  });

  it('gives up on broken messages', () => {
    expect(protobufField(Uint8Array.of(0x0a, 100, 1), 1)).toBeUndefined();
    expect(protobufField(Uint8Array.of(0xff, 0xff, 0xff), 1)).toBeUndefined();
    expect(protobufField(Uint8Array.of(0x08, 0xff, 0xff), 1)).toBeUndefined();
  });
});
