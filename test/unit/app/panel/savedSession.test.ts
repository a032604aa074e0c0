import { describe, expect, it } from 'vitest';
import { readSavedSession, subjectFields } from '../../../../src/app/panel/savedSession.ts';

const saved = { cluster: 'orders', clusterName: 'Orders', subject: { session: '0xffffffffffffffff' } };

describe('what a session page keeps while the window is closed', () => {
  it('is read again as it was', () => {
    expect(readSavedSession(saved)).toEqual({ ...saved, subject: { kind: 'session', id: -1n } });
    const recording = { kind: 'logs', path: '/tmp/logs', at: { zxid: '0x5', time: 7 } };
    expect(readSavedSession({ ...saved, recording })).toMatchObject({ recording });
    for (const subject of [{ address: '::1' }, { identifier: 'a b' }] as const) {
      const read = readSavedSession({ ...saved, subject });
      expect(read && subjectFields(read.subject)).toEqual(subject);
    }
  });

  it.each([
    undefined,
    null,
    'orders',
    {},
    { ...saved, cluster: '' },
    { ...saved, cluster: 'x'.repeat(1_000_000) },
    { ...saved, subject: undefined },
    { ...saved, subject: { session: '1' } },
    { ...saved, subject: { identifier: 'x'.repeat(1_000_000) } },
    { ...saved, recording: { kind: 'logs', path: 'relative' } },
    { ...saved, recording: 7 },
  ])('is refused if it names no subject: %#', value => {
    expect(readSavedSession(value)).toBeUndefined();
  });

  it('needs no name of the cluster', () => {
    expect(readSavedSession({ ...saved, clusterName: 7 })?.clusterName).toBe('');
  });
});
