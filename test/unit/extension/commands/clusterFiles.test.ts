import { describe, expect, it, vi } from 'vitest';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import {
  clusterFileKind,
  type ClusterFileContent,
  type SharedCluster,
} from '../../../../src/app/profiles/clusterFile.ts';
import { exportClusters, importClusters } from '../../../../src/extension/commands/clusterFiles.ts';
import {
  firstChosen,
  importRows,
  settleChosen,
  type ChosenRow,
  type ImportRow,
} from '../../../../src/app/profiles/importPlan.ts';
import type { ErrorReporter } from '../../../../src/extension/platform/errorReporting.ts';
import { importRowText } from '../../../../src/extension/words/clusterText.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { eventually } from '../../../support/eventually.ts';
import { profileNamed } from '../fixtures.ts';

/** Answers the questions. */
const person = vi.hoisted(() => ({
  rows: (_rows: readonly ImportRow[], ticked: readonly ChosenRow[]): readonly ChosenRow[] => ticked,
  save: (text: string): string | undefined => text,
}));

vi.mock('../../../../src/extension/dialogs/clusterFileQuestions.ts', () => ({
  askImportRows: (_title: string, rows: readonly ImportRow[], ticked: readonly ChosenRow[]) =>
    Promise.resolve(person.rows(rows, ticked)),
  askClusters: (_title: string, all: readonly ClusterProfile[]) =>
    Promise.resolve(all.filter(({ name }) => name !== 'Unticked')),
}));

vi.mock('../../../../src/extension/dialogs/saveText.ts', () => ({
  saveText: (_question: unknown, text: string) => Promise.resolve(person.save(text)),
}));

function shared(name: string, fields: Partial<SharedCluster> = {}): SharedCluster {
  return { name, connectString: `${name.toLowerCase()}:2181`, environment: 'staging', lockRoots: ['/'], ...fields };
}

function content(...clusters: SharedCluster[]): ClusterFileContent {
  return { clusters, refused: [] };
}

interface Scene {
  saved: object[];
  file: object[];
  /** Which rows the person ticks; default: what is ticked at first. */
  tick?: (row: ImportRow) => boolean;
  guards?: 'keep' | 'take';
}

/** Imports with a person who answers as the scene says. */
async function importScene({ saved, file, tick, guards }: Scene) {
  let entries: unknown = saved;
  const store = new ClusterStore(
    {
      read: () => entries,
      write: clusters => {
        entries = clusters;
        return Promise.resolve();
      },
      onChange: () => toDisposable(() => undefined),
    },
    nullLogger,
  );
  const asked: string[] = [];
  const told: string[] = [];
  let pressUndo: (press: boolean) => void = () => undefined;
  person.rows = (rows, ticked) => (tick === undefined ? ticked : settleChosen([], rows.filter(tick)));
  const reporter: Pick<ErrorReporter, 'choose' | 'offer' | 'inform' | 'report'> = {
    choose: (question, detail, actions) => {
      asked.push(`${question}\n${detail}`);
      const answer = guards === 'keep' ? actions[0] : guards === 'take' ? actions[1] : undefined;
      return Promise.resolve(answer?.value);
    },
    offer: (text, actions) => {
      told.push(text);
      return new Promise(resolve => (pressUndo = press => resolve(press ? actions[0]?.value : undefined)));
    },
    inform: text => void told.push(text),
    report: error => void told.push(String(error)),
  };
  const parts = { store, reporter: reporter as ErrorReporter, logger: nullLogger };
  const bytes = new TextEncoder().encode(JSON.stringify({ kind: clusterFileKind, version: 1, clusters: file }));
  const outcome = await importClusters(parts, 'Import', bytes).catch((error: unknown) => error);
  return {
    outcome,
    asked,
    told,
    profiles: () => store.profiles,
    entries: () => entries as Record<string, unknown>[],
    change: (next: unknown) => (entries = next),
    undo: () => pressUndo(true),
  };
}

const orders = {
  id: 'o',
  name: 'Orders',
  connectString: 'zk1:2181,zk2:2181',
  environment: 'production',
  colour: 'red',
};

describe('what may be imported', () => {
  it('is new, taken, saved already or of no use, in this order', () => {
    const saved = [
      profileNamed('Taken', { connectString: 'a:1' }),
      profileNamed('Same', { connectString: 'same:2181' }),
    ];
    const file = content(
      shared('Same', { environment: 'development' }),
      shared('Taken'),
      shared('New'),
      shared('Near', { connectString: 'A:1,b:2/path' }),
    );
    file.refused.push({ index: 4, name: '[x](command:y)', fault: 'credentials' });
    const rows = importRows(file, saved);
    expect(rows.map(row => `${row.kind} ${row.kind === 'add' ? row.name : ''}`.trim())).toEqual([
      'add New',
      'add Near',
      'add Taken (2)',
      'replace',
      'same',
      'refused',
    ]);
    expect(firstChosen(rows)).toEqual([rows[0]]);
    const texts = rows.map(row => importRowText(row));
    expect(texts[1]?.description).toContain('on the servers of "Taken"');
    expect(texts[3]?.detail).toContain('servers, environment');
    expect(texts[5]?.label).not.toContain('](');
    expect(texts[5]?.description).toContain('secret');
  });

  it('finds a free name that neither a saved cluster nor the file has', () => {
    const saved = [profileNamed('A'), profileNamed('A (2)')];
    const rows = importRows(content(shared('A'), shared('A (3)')), saved);
    expect(rows.flatMap(row => (row.kind === 'add' ? [row.name] : []))).toEqual(['A (3)', 'A (4)']);
  });

  it('is added or replaces, not both, and what cannot be chosen is not', () => {
    const rows = importRows(content(shared('A'), shared('B')), [
      profileNamed('A', { connectString: 'x:1' }),
      profileNamed('B', { connectString: 'b:2181', environment: 'staging' }),
    ]);
    const [add, replace, same] = rows;
    expect(rows).toHaveLength(3);
    expect(settleChosen([add!], [add!, replace!])).toEqual([replace]);
    expect(settleChosen([replace!], [add!, replace!])).toEqual([add]);
    expect(settleChosen([], rows)).toEqual([add]);
    expect(settleChosen([], [same!])).toEqual([]);
  });
});

describe('importing', () => {
  it('adds what is new without an id of the file, and takes it back', async () => {
    const scene = await importScene({ saved: [orders], file: [shared('New')] });
    expect(scene.outcome).toBe(true);
    expect(scene.profiles().map(({ name }) => name)).toEqual(['Orders', 'New']);
    expect(scene.profiles()[1]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(scene.told).toEqual(['Clusters added: 1. Nothing is connected yet.']);
    scene.undo();
    await eventually(() => expect(scene.told).toHaveLength(2));
    expect(scene.entries()).toEqual([orders]);
  });

  it('keeps id and secrets of a cluster on the same servers, and what this version does not know', async () => {
    const file = {
      ...shared('Orders'),
      connectString: orders.connectString,
      environment: 'production',
      readOnly: true,
    };
    const scene = await importScene({ saved: [orders], file: [file], tick: row => row.kind === 'replace' });
    expect(scene.entries()).toEqual([{ ...file, id: 'o', colour: 'red' }]);
    expect(scene.asked).toEqual([]);
  });

  it('gives a cluster that now means other servers a new id, so that no saved password goes there', async () => {
    const file = { ...shared('Orders'), connectString: 'evil:2181', environment: 'production' };
    const scene = await importScene({ saved: [orders], file: [file], tick: row => row.kind === 'replace' });
    expect(scene.profiles()).toMatchObject([{ name: 'Orders', connectString: 'evil:2181' }]);
    expect(scene.profiles()[0]?.id).not.toBe('o');
    scene.undo();
    await eventually(() => expect(scene.entries()).toEqual([orders]));
  });

  it('keeps certificate files where the servers stay, and drops them where they do not', async () => {
    const tls = { caFile: '/ca.pem', certFile: '/me.pem', keyFile: '/k.pem' };
    const base = { ...shared('Orders'), connectString: orders.connectString, environment: 'production' };
    const tick = (row: ImportRow): boolean => row.kind === 'replace';
    const saved = [{ ...orders, tls }];
    const stays = await importScene({ saved, file: [{ ...base, lockRoots: ['/a'], tls: {} }], tick });
    expect(stays.profiles()).toMatchObject([{ id: 'o', tls, lockRoots: ['/a'] }]);
    const moves = await importScene({ saved, file: [{ ...base, connectString: 'b:1', tls: {} }], tick });
    expect(moves.profiles()[0]?.tls).toEqual({});
    const renamed = await importScene({ saved, file: [{ ...base, tls: { serverName: 'other' } }], tick });
    expect(renamed.profiles()[0]?.id).not.toBe('o');
  });

  it.each(['keep', 'take', undefined] as const)('asks before a guard is lost: %s', async guards => {
    const guarded = { ...orders, readOnly: true, tls: {} };
    const file = { ...shared('Orders'), connectString: orders.connectString };
    const scene = await importScene({ saved: [guarded], file: [file], guards, tick: row => row.kind === 'replace' });
    expect(scene.asked).toHaveLength(1);
    expect(scene.asked[0]?.split('\n')).toHaveLength(4);
    const [profile] = scene.profiles();
    if (guards === undefined) {
      expect(scene.outcome).toBeInstanceOf(CancelledError);
      expect(scene.entries()).toEqual([guarded]);
    } else if (guards === 'keep') {
      expect(profile).toMatchObject({ environment: 'production', readOnly: true, tls: {}, lockRoots: ['/'] });
    } else {
      expect(profile?.environment).toBe('staging');
      expect([profile?.readOnly, profile?.tls]).toEqual([undefined, undefined]);
    }
  });

  it('asks before a second way to guarded servers is opened under another name', async () => {
    const file = { ...shared('Harmless'), connectString: 'ZK2/elsewhere' };
    const scene = await importScene({ saved: [orders], file: [file], guards: 'keep', tick: () => true });
    expect(scene.asked).toEqual([
      expect.stringContaining('"Harmless" of the file is not marked as production, but the saved "Orders"'),
    ]);
    expect(scene.profiles()).toMatchObject([{ name: 'Orders' }, { name: 'Harmless', environment: 'production' }]);
  });

  it('restores only what was not changed since', async () => {
    const scene = await importScene({ saved: [], file: [shared('A'), shared('B')] });
    const [a, b] = scene.entries();
    scene.change([{ ...a, environment: 'production' }, b]);
    scene.undo();
    await eventually(() => expect(scene.told[1]).toContain('were not restored'));
    expect(scene.entries()).toMatchObject([{ name: 'A', environment: 'production' }]);
  });

  it('says that a file is empty', async () => {
    const scene = await importScene({ saved: [orders], file: [] });
    expect(scene.outcome).toBe(false);
    expect(scene.told).toEqual(['The file holds no clusters.']);
  });
});

async function exported(profiles: ClusterProfile[], isClosed = false) {
  const place = isClosed ? undefined : '/tmp/clusters.json';
  const told: string[] = [];
  const written: string[] = [];
  person.save = text => {
    if (place !== undefined) written.push(text);
    return place;
  };
  const note = (text: string): void => void told.push(text);
  const reporter: Pick<ErrorReporter, 'inform' | 'warn'> = { inform: note, warn: note };
  const store: Pick<ClusterStore, 'profiles'> = { profiles };
  await exportClusters({ store: store as ClusterStore, reporter: reporter as ErrorReporter });
  return { told, written };
}

it('writes the clusters that are ticked and says what is left out of them', async () => {
  const { told, written } = await exported([
    profileNamed('A', { tls: { caFile: '/ca.pem' } }),
    profileNamed('Unticked'),
    profileNamed('\u202eodd'),
  ]);
  expect(written).toHaveLength(1);
  expect(JSON.parse(written[0]!)).toMatchObject({ version: 1, clusters: [{ name: 'A', tls: {} }] });
  expect(told[0]).toContain('certificate files are left out');
  expect(told[1]).toContain('Not exported');
  expect(told).toHaveLength(2);
});

it('says nothing when the dialog is closed, and why nothing could be written', async () => {
  const closed = await exported([profileNamed('A'), profileNamed('\u202eodd')], true);
  expect(closed).toEqual({ told: [], written: [] });
  expect((await exported([profileNamed('\u202eodd')])).told).toEqual([expect.stringContaining('Not exported')]);
  expect((await exported([profileNamed('Unticked')])).told).toEqual([]);
});
