import { describe, expect, it } from 'vitest';
import { readInstant, typedInstant } from '../../../../src/app/recordings/instantInput.ts';

const present = new Date(2026, 10, 24, 3, 12, 4, 56).getTime();
const local = (...parts: [number, number, number, number?, number?, number?, number?]) => ({
  time: new Date(...parts).getTime(),
});

describe('an instant as it is typed', () => {
  it.each([
    ['0x100000A2b', { zxid: 0x100000a2bn }],
    ['4294967297', { zxid: 4294967297n }],
    ['2026-11-24T03:12:04.056Z', { time: Date.UTC(2026, 10, 24, 3, 12, 4, 56) }],
    ['2026-11-24 03:12+02:00', { time: Date.UTC(2026, 10, 24, 1, 12) }],
    ['2026-11-24 03:12:04.056', local(2026, 10, 24, 3, 12, 4, 56)],
    ['2026-11-24T03:12', local(2026, 10, 24, 3, 12)],
    ['2026-11-24', local(2026, 10, 24)],
    [' 3:12 ', local(2026, 10, 24, 3, 12)],
    ['23:59:59.9', local(2026, 10, 24, 23, 59, 59, 900)],
    ['', undefined],
    ['now', undefined],
    ['0x', undefined],
    ['-1', undefined],
    ['25:00', undefined],
    ['2026-13-40', undefined],
    ['24.11.2026', undefined],
  ])('%s', (text, instant) => {
    expect(readInstant(text, present)).toEqual(instant);
  });

  it('is read as it was offered', () => {
    expect(readInstant(typedInstant(present), 0)).toEqual({ time: present });
  });
});
