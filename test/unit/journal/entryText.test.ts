import { describe, expect, it } from 'vitest';
import { formatEntry, parseEntry } from '../../../src/journal/entryText.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { at, contender, pathOf, someEntries } from './someEntries.ts';

const parsed = (text: string): unknown => JSON.parse(text);

it.each(someEntries)('an entry is read as it was written: $type', entry => {
  const text = formatEntry(entry);
  expect(text).not.toContain('\n');
  expect(parseEntry(parsed(text))).toEqual(entry);
});

describe('the text', () => {
  it('says nothing that goes without saying', () => {
    const node = contender(10, 0x10n, { data: new Uint8Array(0) });
    expect(parsed(formatEntry({ type: 'node', at: at(10), node }))).toEqual({
      type: 'node',
      zxid: '0xa',
      time: 10_000,
      path: pathOf(10),
      czxid: '0xa',
      ctime: 10_000,
      owner: '0x10',
    });
  });

  it('has ids without a sign', () => {
    const text = formatEntry({ type: 'session', session: { id: -1n, address: 'a'.repeat(5_000) } });
    expect(text).toContain('"id":"0xffffffffffffffff"');
    expect(parseEntry(parsed(text))).toEqual({ type: 'session', session: { id: -1n, address: 'a'.repeat(1_024) } });
  });
});

const node = { type: 'node', zxid: '0x1', time: 1, path: '/a', czxid: '0x1', ctime: 1 };

describe('no entry', () => {
  it('is any node without a fault', () => {
    expect(parseEntry(node)).toBeDefined();
  });

  it.each([
    ['is null', null],
    ['is a list', [node]],
    ['is a text', 'node'],
    ['has an unknown type', { ...node, type: 'other' }],
    ['has no type', { ...node, type: undefined }],
    ['has a type that every object has', { ...node, type: 'constructor' }],
    ['has a zxid that is a number', { ...node, zxid: 1 }],
    ['has a zxid of more than 64 bits', { ...node, zxid: '0x10000000000000000' }],
    ['has a negative zxid', { ...node, zxid: '0xffffffffffffffff' }],
    ['has a zxid in capitals', { ...node, zxid: '0xA' }],
    ['has a time that is none', { ...node, time: null }],
    ['has a time that is a text', { ...node, time: '1' }],
    ['has no path', { ...node, path: undefined }],
    ['has a path that is not rooted', { ...node, path: 'a' }],
    ['has a path with an empty name', { ...node, path: '/a//b' }],
    ['has a path upwards', { ...node, path: '/a/../b' }],
    ['has a path with a control character', { ...node, path: '/a\u0000' }],
    ['has a path that is too long', { ...node, path: `/${'a'.repeat(1_048_576)}` }],
    ['has an owner that is none', { ...node, owner: 'me' }],
    ['has a version that is a fraction', { ...node, version: 0.5 }],
    ['has a version of more than 32 bits', { ...node, version: 2 ** 31 }],
    ['has data that are no Base64', { ...node, data: '{}' }],
    ['has data that are too long', { ...node, data: 'A'.repeat(100_000) }],
    ['has an unknown cause', { type: 'cause', path: '/a', czxid: '0x1', ended: 'toString' }],
    ['has a cause by what is no session', { type: 'cause', path: '/a', czxid: '0x1', ended: 'released', endedBy: 7 }],
    ['is a session without an id', { type: 'session', address: '1' }],
  ])('%s', (_, value) => {
    expect(parseEntry(value)).toBeUndefined();
  });
});

it('of a session what is no fact is left out', () => {
  const value = { type: 'session', id: '0x1', address: 7, host: 'h'.repeat(2_000), timeoutMs: 'x', ended: 1, how: 'x' };
  expect(parseEntry(value)).toEqual({ type: 'session', session: { id: 1n } });
});

it('anything is read without an error', () => {
  const random = seededRandom(7);
  const texts = ['node', 'begin', 'session', 'cause', '0x1', '/a', '__proto__', '', 'released', 'x'.repeat(70_000)];
  const names = ['type', 'zxid', 'time', 'path', 'czxid', 'ctime', 'data', 'owner', 'id', 'ended', '__proto__'];
  const value = (depth: number): unknown => {
    const kind = random.below(depth > 2 ? 4 : 6);
    if (kind === 0) return random.pick(texts);
    if (kind === 1) return random.pick([0, -1, 1e300, 2 ** 53, 0.5]);
    if (kind === 2) return random.pick([null, true, false]);
    if (kind === 3) return random.pick(['node', 'gone', 'session']);
    if (kind === 4) return Array.from({ length: random.below(3) }, () => value(depth + 1));
    return Object.fromEntries(names.filter(() => random.below(2) > 0).map(name => [name, value(depth + 1)]));
  };
  for (let run = 0; run < 20_000; run++) {
    const entry = parseEntry(value(0));
    if (entry !== undefined) expect(parseEntry(parsed(formatEntry(entry)))).toEqual(entry);
  }
});
