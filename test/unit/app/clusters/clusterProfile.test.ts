import { describe, expect, it } from 'vitest';
import { readProfiles, connectionKey } from '../../../../src/app/clusters/clusterProfile.ts';
import { viewMessage } from '../../../../src/extension/views/viewTexts.ts';

const entry = { name: 'Orders', connectString: 'zk1:2281' };
const digest = { scheme: 'digest', user: 'ann' };

describe('log-in and TLS of a saved cluster', () => {
  it('are read as they were written', () => {
    const tls = { caFile: '/ca.pem', certFile: '/me.pem', keyFile: '/me.key', serverName: 'zk' };
    const auth = [digest, { scheme: 'sasl', user: 'bob' }];
    expect(readProfiles([{ ...entry, auth, tls }]).profiles[0]).toMatchObject({ auth, tls });
    expect(readProfiles([{ ...entry, tls: {} }]).profiles[0]).toHaveProperty('tls', {});
  });

  it('are absent when nothing is said', () => {
    const [profile] = readProfiles([{ ...entry, auth: [] }]).profiles;
    expect(Object.keys(profile ?? {})).not.toContain('auth');
    expect(Object.keys(profile ?? {})).not.toContain('tls');
  });

  it('hold nothing but what is known, and each log-in once', () => {
    const [profile] = readProfiles([
      { ...entry, auth: [{ ...digest, note: 'x' }, digest], tls: { note: 'x' } },
    ]).profiles;
    expect(profile).toMatchObject({ auth: [digest], tls: {} });
    expect(JSON.stringify(profile)).not.toContain('note');
  });

  it.each([
    [{ auth: digest }, 'auth'],
    [{ auth: ['ann'] }, 'auth'],
    [{ auth: [null] }, 'auth'],
    [{ auth: [{ user: 'ann' }] }, 'auth'],
    [{ auth: [{ scheme: 'x509', user: 'ann' }] }, 'auth'],
    [{ auth: [{ scheme: 'digest', user: ' ' }] }, 'auth'],
    [{ auth: [{ scheme: 'digest', user: 'a\nb' }] }, 'auth'],
    [
      {
        auth: [
          { scheme: 'sasl', user: 'a' },
          { scheme: 'sasl', user: 'b' },
        ],
      },
      'auth',
    ],
    [{ auth: [{ scheme: 'digest', user: 'ann:secret' }] }, 'credentials'],
    [{ auth: [{ ...digest, password: 'secret' }] }, 'credentials'],
    [{ tls: true }, 'tls'],
    [{ tls: [] }, 'tls'],
    [{ tls: { caFile: 5 } }, 'tls'],
    [{ tls: { caFile: '' } }, 'tls'],
    [{ tls: { certFile: '/me.pem' } }, 'tls'],
    [{ tls: { keyFile: '/me.key' } }, 'tls'],
    [{ tls: { passphrase: 'secret' } }, 'credentials'],
  ])('are refused whole when a part is wrong: %j', (wrong, fault) => {
    const { profiles, refused } = readProfiles([{ ...entry, ...wrong }]);
    expect(profiles).toEqual([]);
    expect(refused).toEqual([{ index: 0, fault }]);
    expect(viewMessage(refused)).toMatch(/cluster 1 /);
    expect(viewMessage(refused)).not.toContain('secret');
  });

  it('decide whether two profiles can share a session', () => {
    const plain = connectionKey(entry);
    const others = [
      { ...entry, connectString: 'zk2:2281' },
      { ...entry, tls: {} },
      { ...entry, tls: { caFile: '/ca.pem' } },
      { ...entry, tls: { certFile: '/ca.pem', keyFile: '/k' } },
      { ...entry, auth: [{ scheme: 'digest' as const, user: 'ann' }] },
      { ...entry, auth: [{ scheme: 'sasl' as const, user: 'ann' }] },
    ].map(connectionKey);
    expect(new Set([plain, ...others]).size).toBe(others.length + 1);
    expect(connectionKey({ ...entry, auth: [] })).toBe(plain);
  });
});
