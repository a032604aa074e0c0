import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import {
  ClusterSecrets,
  purposesOf,
  secretKey,
  graceMs,
  removeOrphanedSecrets,
} from '../../../../src/app/security/clusterSecrets.ts';
import { collectingLogger } from '../../../support/collectingLogger.ts';
import { profileNamed } from '../../extension/fixtures.ts';
import { FakeVault } from './fakeVault.ts';

const ann = { kind: 'password', scheme: 'digest', user: 'ann' } as const;
const passphrase = { kind: 'passphrase', keyFile: '/me.key' } as const;
const canary = 'canary-7b1e';

let vault: FakeVault;
let warnings: number;
let log: readonly string[];
let secrets: ClusterSecrets;

function open(): ClusterSecrets {
  const { logger, lines } = collectingLogger();
  log = lines;
  return new ClusterSecrets({ vault, onUnavailable: () => warnings++, logger });
}

beforeEach(() => {
  vault = new FakeVault();
  warnings = 0;
  secrets = open();
});

describe('ClusterSecrets', () => {
  it('keeps each secret under its own key, which holds none', async () => {
    await secrets.keep('a', ann, canary, true);
    await secrets.keep('a', { ...ann, scheme: 'sasl' }, 'other', true);
    await secrets.keep('b', ann, 'third', true);
    await secrets.keep('a', passphrase, 'fourth', true);
    expect(new Set(vault.secrets.values())).toEqual(new Set([canary, 'other', 'third', 'fourth']));
    expect([...vault.secrets.keys()].join()).not.toContain(canary);
    expect(await open().get('a', ann)).toBe(canary);
  });

  it('keeps what is not to be saved until the window closes, and takes back what was saved before', async () => {
    await secrets.keep('a', ann, 'old', true);
    await secrets.keep('a', ann, canary, false);
    expect(await secrets.get('a', ann)).toBe(canary);
    expect([...vault.secrets.values()]).toEqual([]);
    expect(await open().get('a', ann)).toBeUndefined();
  });

  it('works on in memory without a keyring, says so once, and logs no secret', async () => {
    vault.broken = true;
    expect(await secrets.get('a', ann)).toBeUndefined();
    await secrets.keep('a', ann, canary, true);
    expect(await secrets.get('a', ann)).toBe(canary);
    await secrets.forget('a', [ann]);
    expect(await secrets.get('a', ann)).toBeUndefined();
    expect(warnings).toBe(1);
    expect(secrets.canSave).toBe(false);
    expect(log).not.toHaveLength(0);
    expect(log.join()).not.toContain(canary);
  });

  it('forgets the named secrets and no others', async () => {
    await secrets.keep('a', ann, canary, true);
    await secrets.keep('a', passphrase, 'stays', true);
    await secrets.forget('a', [ann]);
    expect([...vault.secrets.keys()]).toEqual([secretKey('a', passphrase)]);
  });
});

describe('secrets of clusters that have gone', () => {
  const withBoth = profileNamed('a', {
    auth: [{ scheme: 'digest', user: 'ann' }],
    tls: { certFile: '/me.pem', keyFile: '/me.key' },
  });
  let profiles: ClusterProfile[];
  let change: () => void;
  let timers: { callback: () => void; ms: number }[];

  beforeEach(async () => {
    profiles = [withBoth];
    timers = [];
    for (const purpose of purposesOf(withBoth)) await secrets.keep('a', purpose, canary, true);
    const store = {
      get profiles() {
        return profiles;
      },
      onChange: (listener: (present: readonly ClusterProfile[]) => void) => {
        change = () => listener(profiles);
        return toDisposable(() => (change = () => undefined));
      },
    };
    removeOrphanedSecrets(store, secrets, (callback, ms) => {
      const timer = { callback, ms };
      timers.push(timer);
      return toDisposable(() => (timers = timers.filter(other => other !== timer)));
    });
  });

  async function afterGrace(): Promise<void> {
    for (const { callback, ms } of timers.splice(0)) {
      expect(ms).toBe(graceMs);
      callback();
    }
    await new Promise(resolve => setImmediate(resolve));
  }

  it('are removed with the cluster', async () => {
    profiles = [];
    change();
    expect(vault.secrets.size).toBe(2);
    await afterGrace();
    expect(vault.secrets.size).toBe(0);
  });

  it('are removed with the log-in or the key they are for', async () => {
    profiles = [{ ...withBoth, auth: [] }];
    change();
    await afterGrace();
    expect([...vault.secrets.keys()]).toEqual([secretKey('a', passphrase)]);
  });

  it('stay when the cluster comes back at once, as while the setting is edited', async () => {
    profiles = [];
    change();
    profiles = [{ ...withBoth, name: 'renamed' }];
    change();
    await afterGrace();
    expect(vault.secrets.size).toBe(2);
  });
});
