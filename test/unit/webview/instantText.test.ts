import { describe, expect, it } from 'vitest';
import { exactTime, readInstant } from '../../../webview/instantText.ts';

const near = new Date(2026, 10, 24, 12).getTime();
const local = (...parts: [number, number, number, number?, number?, number?, number?]): { time: number } => ({
  time: new Date(...parts).getTime(),
});

describe('a moment as text', () => {
  it.each<[string, ReturnType<typeof readInstant>]>([
    ['03:12', local(2026, 10, 24, 3, 12)],
    [' 3:12:07 ', local(2026, 10, 24, 3, 12, 7)],
    ['03:12:07.25', local(2026, 10, 24, 3, 12, 7, 250)],
    ['2026-11-23 23:59:59.999', local(2026, 10, 23, 23, 59, 59, 999)],
    ['2026-1-2T00:00', local(2026, 0, 2)],
    ['2026-11-24T03:12:07Z', { time: Date.UTC(2026, 10, 24, 3, 12, 7) }],
    ['2024-02-29 01:00', local(2024, 1, 29, 1)],
    ['0x1A0000003f', { zxid: '0x1a0000003f' }],
    ['111669149759', { zxid: '0x1a0000003f' }],
  ])('%j is read', (text, expected) => {
    expect(readInstant(text, near)).toEqual(expected);
  });

  it.each([
    '',
    'now',
    '24:00',
    '12:60',
    '12:00:61',
    '2026-02-30 12:00',
    '2026-13-01 12:00',
    '0x',
    '0x11111111111111111',
    '0xyz',
    '-5',
    '12:00 <script>',
    '1'.repeat(50),
  ])('%j is none', text => {
    expect(readInstant(text, near)).toBeUndefined();
  });

  it.each([near, near + 123, 0, -5_000_000_000_000])('is written so that it can be read again: %d', at => {
    expect(readInstant(exactTime(at), near)).toEqual({ time: at });
  });

  it('is written for any number', () => {
    expect(exactTime(9e15)).toBe('9000000000000000');
  });
});
