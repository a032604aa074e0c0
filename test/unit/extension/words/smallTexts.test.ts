import { describe, expect, it } from 'vitest';
import { hasCredentials } from '../../../../src/app/clusters/clusterProfile.ts';
import { dataText } from '../../../../src/extension/words/dataText.ts';
import { sessionText } from '../../../../src/base/sessionText.ts';
import { copiedName, copiedPath } from '../../../../src/app/clusters/copiedTexts.ts';
import { contender, lockNode, queueWith } from '../fixtures.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('small texts', () => {
  it('a session id is unsigned hexadecimal', () => {
    expect(sessionText(-2n)).toBe('0xfffffffffffffffe');
    expect(sessionText(0x100a5b2c3d0000n)).toBe('0x100a5b2c3d0000');
  });

  it('data is text, bytes, or nothing, and always short', () => {
    expect(dataText(new Uint8Array())).toBe('Data: none');
    expect(dataText(bytes('host-7'))).toBe('Data (6 B):\n│ host-7');
    expect(dataText(new Uint8Array([0xff, 0xfe, 0]))).toBe('Data (3 B, not text):\n│ ff fe 00');
    expect(dataText(new Uint8Array([0, 0, 0, 65]))).toContain('00 00 00 41');
    const large = dataText(new Uint8Array(1_000_000).fill(0x41));
    expect(large).toContain('first 2,048 of 1,000,000');
    expect(large.length).toBeLessThan(3_000);
    expect(dataText(bytes('é'.repeat(2_000)))).not.toContain('not text');
    expect(dataText(new Uint8Array(1_000_000)).length).toBeLessThan(400);
  });

  it('what is copied is the name itself, not what the row shows', () => {
    const lock = lockNode({ ...queueWith(0), strangers: ['\u202Ex'] });
    const row = { type: 'contender' as const, lock, contender: contender('\u202En'), position: 1, ahead: undefined };
    expect(copiedPath(row)).toBe('/locks/a/\u202En');
    expect(copiedName(row)).toBe('\u202En');
    expect(copiedPath({ type: 'stranger', lock, name: '\u202Ex' })).toBe('/locks/a/\u202Ex');
    expect(copiedName(lock)).toBe('a');
    expect(copiedPath({ type: 'more', parent: lock, next: 1, remaining: 1 })).toBeUndefined();
  });

  it('a connect string with a password is recognised', () => {
    expect(hasCredentials('me:secret@zk1:2181')).toBe(true);
    expect(hasCredentials('zk1:2181,zk2:2181/team')).toBe(false);
  });
});
