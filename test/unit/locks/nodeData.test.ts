import { describe, expect, it } from 'vitest';
import { jsonFieldOf, protobufField, textOf } from '../../../src/locks/nodeData.ts';

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
