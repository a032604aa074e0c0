import { describe, expect, it } from 'vitest';
import { parseSessionMessage } from '../../../../src/app/panel/parseSessionMessage.ts';

describe('a message of the page of a session', () => {
  it.each([
    { type: 'ready' },
    { type: 'askServers' },
    { type: 'connect' },
    { type: 'showSession', subject: { session: '0xffffffffffffffff' } },
    { type: 'showSession', subject: { address: '::1' } },
    { type: 'showSession', subject: { identifier: '<script>' } },
    { type: 'showQueue', lock: { path: '/a/b' } },
    { type: 'showQueue', lock: { path: '/a/b', lockName: '__proto__' } },
    { type: 'copy', part: 'subject' },
    { type: 'copy', part: 'endings' },
  ])('is taken: %o', message => {
    expect(parseSessionMessage(message)).toEqual(message);
  });

  it.each([
    undefined,
    null,
    7,
    'ready',
    [],
    {},
    { type: 'eval' },
    { type: 'showSession' },
    { type: 'showSession', subject: {} },
    { type: 'showSession', subject: { session: '1f' } },
    { type: 'showSession', subject: { session: '0x10000000000000000' } },
    { type: 'showSession', subject: { session: 31n } },
    { type: 'showSession', subject: { session: '0x1', address: 'a' } },
    { type: 'showSession', subject: { address: '' } },
    { type: 'showSession', subject: { address: 'a'.repeat(1_000_000) } },
    { type: 'showSession', subject: { identifier: ['a'] } },
    { type: 'showQueue', lock: { path: 'a' } },
    { type: 'showQueue', lock: { path: '/a/../b' } },
    { type: 'showQueue', lock: { path: '/a//b' } },
    { type: 'showQueue', lock: { path: `/${'a'.repeat(1_000_000)}` } },
    { type: 'showQueue', lock: { path: '/a', lockName: '' } },
    { type: 'showQueue', lock: { path: '/a', lockName: 7 } },
    { type: 'showQueue', path: '/a' },
    { type: 'copy', part: 'path' },
    { type: 'copy' },
  ])('is refused: %o', message => {
    expect(parseSessionMessage(message)).toBeUndefined();
  });

  it('keeps nothing that it does not know, and takes nothing from a prototype', () => {
    expect(parseSessionMessage({ type: 'showQueue', lock: { path: '/a', more: 1 }, more: 2 })).toEqual({
      type: 'showQueue',
      lock: { path: '/a' },
    });
    expect(parseSessionMessage(Object.create({ type: 'ready' }))).toBeUndefined();
  });
});
