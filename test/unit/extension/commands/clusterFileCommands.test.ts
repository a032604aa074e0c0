import { describe, expect, it } from 'vitest';
import { clusterFileKind } from '../../../../src/app/profiles/clusterFile.ts';
import { offerRecommended } from '../../../../src/extension/commands/clusterFileCommands.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { profileNamed } from '../fixtures.ts';

function fileWith(...names: string[]): Uint8Array {
  const clusters = names.map(name => ({ name, connectString: `${name.length}.zk:2181`, environment: 'staging' }));
  return new TextEncoder().encode(JSON.stringify({ kind: clusterFileKind, version: 1, clusters }));
}

/** A workspace whose person presses the button of this position, if any. */
function workspace(press?: number) {
  const state = new Map<string, unknown>();
  const offers: string[] = [];
  const person = { press };
  const parts = {
    memory: {
      get: (key: string) => state.get(key),
      update: (key: string, value: unknown) => {
        state.set(key, value);
        return Promise.resolve();
      },
    },
    store: { profiles: [profileNamed('Saved', { connectString: '5.zk:2181', environment: 'staging' })] },
    reporter: {
      offer: (text: string, actions: readonly { value: unknown }[]) => {
        offers.push(text);
        return Promise.resolve(person.press === undefined ? undefined : actions[person.press]?.value);
      },
    },
    logger: nullLogger,
  } as unknown as Parameters<typeof offerRecommended>[1];
  return { parts, offers, person, state };
}

describe('recommended clusters', () => {
  it('are offered once for each content', async () => {
    const { parts, offers, person } = workspace();
    expect(await offerRecommended(fileWith('Orders'), parts)).toBe(false);
    expect(await offerRecommended(fileWith('Orders'), parts)).toBe(false);
    person.press = 0;
    expect(await offerRecommended(fileWith('Orders', 'Stock'), parts)).toBe(true);
    expect(offers).toHaveLength(2);
    expect(offers[0]).toContain('Orders');
  });

  it('are offered once when two events tell of the same content at the same time', async () => {
    const { parts, offers } = workspace(1);
    await Promise.all([offerRecommended(fileWith('Orders'), parts), offerRecommended(fileWith('Orders'), parts)]);
    expect(offers).toHaveLength(1);
  });

  it('are never offered again after Never, whatever the file says then', async () => {
    const { parts, offers, person } = workspace(2);
    await offerRecommended(fileWith('Orders'), parts);
    person.press = 0;
    expect(await offerRecommended(fileWith('Stock'), parts)).toBe(false);
    expect(offers).toHaveLength(1);
  });

  it('are not offered when they are saved already or the file cannot be used', async () => {
    const { parts, offers, state } = workspace(0);
    await offerRecommended(fileWith('Saved'), parts);
    await offerRecommended(new TextEncoder().encode('{ half a fi'), parts);
    expect(offers).toEqual([]);
    expect(state.size).toBe(0);
  });

  it('cannot make a link of the offer, nor fill the screen', async () => {
    const { parts, offers } = workspace();
    await offerRecommended(fileWith('[click](command:x)', 'y'.repeat(200), 'c', 'd', 'e'), parts);
    expect(offers[0]).not.toContain('](');
    expect(offers[0]!.length).toBeLessThan(350);
    expect(offers[0]).toContain('…');
  });

  it('survive what another version left in the state', async () => {
    const { parts, offers, state } = workspace();
    state.set('recommendedClusters', { offered: 'x', never: 'no' });
    await offerRecommended(fileWith('Orders'), parts);
    expect(offers).toHaveLength(1);
  });
});
