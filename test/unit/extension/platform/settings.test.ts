import { beforeEach, describe, expect, it } from 'vitest';
import { CurrentSettings, readSettings, writeClusters } from '../../../../src/extension/platform/settings.ts';
import { reportSettingsChange, settings } from '../fakeVscode.ts';

const key = (name: string): string => `zookeeperLocks.${name}`;

beforeEach(() => {
  settings.clear();
});

describe('settings', () => {
  it('ignores what a workspace says', () => {
    settings.set(key('clusters'), { workspaceValue: [{ name: 'evil', connectString: 'evil:2181' }] });
    settings.set(key('maxWatchedLocks'), { workspaceValue: 9 });
    expect(readSettings()).toMatchObject({
      clusters: [],
      maxWatchedLocks: 200,
      maxSearchedNodes: 50_000,
      connectTimeoutMs: 10_000,
    });
  });

  it.each([
    ['many', 200],
    [Number.NaN, 200],
    [-5, 0],
    [7.9, 7],
    [1e9, 10_000],
  ])('makes a usable number of %s', (value, expected) => {
    settings.set(key('maxWatchedLocks'), { globalValue: value });
    expect(readSettings().maxWatchedLocks).toBe(expected);
  });

  it('are read again after one of them changed, and only then', () => {
    const current = new CurrentSettings();
    const before = current.value;
    expect(current.value).toBe(before);
    settings.set(key('longHeldMinutes'), { globalValue: 5 });
    reportSettingsChange('another.extension');
    expect(current.value).toBe(before);
    reportSettingsChange(key('longHeldMinutes'));
    expect(current.value.longHeldMs).toBe(300_000);
    current.dispose();
  });

  it('writes clusters where every window of the person finds them', async () => {
    await writeClusters([{ name: 'a' }]);
    expect(settings.get(key('clusters'))).toEqual({ globalValue: [{ name: 'a' }] });
  });
});
