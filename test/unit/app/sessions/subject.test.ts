import { describe, expect, it } from 'vitest';
import { sessionFrom } from '../../../../src/app/sessions/sessionInput.ts';
import { hostOf, isSameSubject, readSubject } from '../../../../src/app/sessions/subject.ts';

describe('the host of an address', () => {
  it.each([
    ['10.1.2.3:4711', '10.1.2.3'],
    ['10.1.2.3', '10.1.2.3'],
    ['[2001:DB8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['host.example:2181', 'host.example'],
    ['host:port', 'host:port'],
    ['a:b:c', 'a:b:c'],
    ['', ''],
    ['[', '['],
  ])('%j is %j', (address, host) => {
    expect(hostOf(address)).toBe(host);
  });
});

describe('a session id', () => {
  it.each([
    ['0x100a5b3c2d10000', 0x100a5b3c2d10000n],
    [' 0X1F\n', 0x1fn],
    ['0xffffffffffffffff', -1n],
    ['0x0', undefined],
    ['0x', undefined],
    ['0x10000000000000000', undefined],
    ['12', undefined],
    ['72057594037927936', 0x100000000000000n],
    ['-0x1', undefined],
    [`0x${'1'.repeat(1_000_000)}`, undefined],
  ])('%j', (text, id) => {
    expect(sessionFrom(text)).toBe(id);
  });
});

describe('a subject', () => {
  it('is one session, address or identifier', () => {
    expect(readSubject({ session: '0x1f' })).toEqual({ kind: 'session', id: 0x1fn });
    expect(readSubject({ session: '72057594037927936' })).toEqual({ kind: 'session', id: 0x100000000000000n });
    expect(readSubject({ address: '[::1]:22' })).toEqual({ kind: 'address', address: '::1' });
    expect(readSubject({ identifier: ' x ' })).toEqual({ kind: 'identifier', identifier: ' x ' });
  });

  it.each([
    {},
    { session: '0x1', address: 'a' },
    { session: 1n },
    { session: 'x' },
    { address: '' },
    { address: ' ' },
    { address: {} },
    { identifier: 'x'.repeat(5_000) },
    { identifier: 7 },
  ])('is not %o', value => {
    expect(readSubject(value)).toBeUndefined();
  });

  it('is the same by what it means', () => {
    const same = isSameSubject({ kind: 'address', address: '10.0.0.1' }, { kind: 'address', address: '10.0.0.1:7' });
    const other = isSameSubject({ kind: 'address', address: '1' }, { kind: 'identifier', identifier: '1' });
    expect([same, other]).toEqual([true, false]);
  });
});
