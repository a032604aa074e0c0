import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import type { RecordedTime } from '../../../../src/app/clusters/recordedTime.ts';
import { openRecording } from '../../../../src/app/recordings/openRecording.ts';
import { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import type { IncidentParts } from '../../../../src/extension/commands/registerIncidents.ts';
import { saveIncident } from '../../../../src/extension/commands/saveIncidentCommand.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { NothingToDo } from '../../../../src/extension/platform/errorReporting.ts';
import { IncidentError } from '../../../../src/incident/incidentError.ts';
import { openIncident } from '../../../../src/incident/openIncident.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { curatorMutex } from '../../../support/contenderNames.ts';
import type { FakeClient } from '../../../support/fakeClient.ts';
import { FakeRecording } from '../../app/recordings/fakeRecording.ts';
import { realInspector } from '../../app/panel/realInspector.ts';
import { playInputs } from '../dialogs/scriptedInput.ts';
import { Uri, window, workspace } from '../fakeVscode.ts';
import { browserParts } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

class HookedRecording extends FakeRecording {
  whileReading: () => void = () => undefined;

  override at(instant: Parameters<FakeRecording['at']>[0]): FakeClient {
    const client = super.at(instant);
    client.beforeReply = () => this.whileReading();
    return client;
  }
}

let recording: HookedRecording;
let recordings: OpenRecordings;
let registry: ClusterRegistry;
let parts: IncidentParts;
let time: RecordedTime;
let folder: string;
let reported: unknown[];
/** What the dialog proposes. */
let proposed: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'save-incident-'));
  recording = new HookedRecording([{ at: 0 }, { at: 1, put: curatorMutex(1) }, { at: 2, put: curatorMutex(2) }]);
  recordings = new OpenRecordings(nullLogger);
  registry = new ClusterRegistry(
    [recordings],
    browserParts({
      openSession: profile => Promise.resolve(recordings.get(profile.id)!.openSession()),
      recorded: ({ id }) => recordings.get(id),
      loadInspector: () => Promise.resolve(realInspector),
    }),
  );
  const opening = {
    nameOf: () => 'Orders',
    every: () => toDisposable(() => undefined),
    now: () => 0,
    wallNow: () => 0,
  };
  const opened = openRecording(recording, '/logs', { ...opening, logger: nullLogger });
  await recordings.open('/logs', () => Promise.resolve(opened));
  time = opened.time;
  await registry.all[0]!.connect();
  reported = [];
  proposed = [];
  const view = { selected: undefined } as unknown as ConstructorParameters<typeof Targets>[1];
  const reporter = { inform: () => undefined, report: (error: unknown) => void reported.push(error) };
  parts = {
    registry,
    recordings,
    reporter,
    targets: new Targets(registry, view, reporter),
    security: { secrets: {} },
    marks: {
      cycleOf: (_: unknown, edges: unknown) => ({ edges, key: '', ageMs: 0, isLasting: false }),
      of: () => ({ cycles: [] }),
    },
    version: '0',
  } as unknown as IncidentParts;
  Object.assign(Uri, {
    joinPath: ({ scheme, path }: { scheme: string; path: string }, name: string) => ({
      scheme,
      path: join(path, name),
    }),
  });
});
afterEach(async () => {
  await registry.close();
  await recordings.closeAll();
  await rm(folder, { recursive: true });
  delete (workspace as { workspaceFolders?: unknown }).workspaceFolders;
});

/** The places that the person chooses, one after the other. */
function choosePlaces(...places: { scheme: string; fsPath: string }[]): void {
  const coming = [...places];
  Object.assign(window, {
    showSaveDialog: ({ defaultUri }: { defaultUri: { scheme: string; path: string } }) => {
      proposed.push(`${defaultUri.scheme}:${defaultUri.path}`);
      return Promise.resolve(coming.shift());
    },
  });
}

function file(...path: string[]): { scheme: string; fsPath: string } {
  return { scheme: 'file', fsPath: join(folder, ...path) };
}

it('asks again where the file cannot be written, and saves what was read', async () => {
  const shown = playInputs([{ pick: 'All that' }, { pick: 'Keep' }, { pick: 'Only this' }, { pick: 'Only this' }]);
  choosePlaces(file('missing', 'a.zkincident'), { scheme: 'memfs', fsPath: '/a' }, file('b.zkincident'));
  // The moment of the command counts, wherever the row goes while questions are open.
  const saved = saveIncident(parts, registry.all[0]!.node);
  await vi.waitFor(() => {
    expect(shown.length).toBeGreaterThan(0);
  });
  time.moveTo({ zxid: 3n });
  await saved;
  expect(reported.map(error => error instanceof IncidentError || error instanceof NothingToDo)).toEqual([true, true]);
  expect(await readdir(folder)).toEqual(['b.zkincident']);
  const { header, facts, recording: past } = await openIncident(join(folder, 'b.zkincident'));
  expect(header.span.to).toEqual(recording.to);
  expect(facts.queues.flatMap(({ queue }) => queue.contenders).length).toBe(2);
  await past.close();
});

it('proposes a name that says nothing of a redacted file', async () => {
  playInputs([{ pick: 'Only this' }, { pick: 'Redact who and' }]);
  choosePlaces();
  await expect(saveIncident(parts, registry.all[0]!.node)).rejects.toBeInstanceOf(CancelledError);
  expect(proposed[0]).toMatch(/\/incident-1970-01-01T000002Z\.zkincident$/);
});

it('proposes a folder on the disk in a workspace that is elsewhere', async () => {
  Object.assign(workspace, { workspaceFolders: [{ uri: { scheme: 'vscode-vfs', path: '/github/a' } }] });
  playInputs([{ pick: 'Only this' }, { pick: 'Keep' }]);
  choosePlaces();
  await expect(saveIncident(parts, registry.all[0]!.node)).rejects.toBeInstanceOf(CancelledError);
  expect(proposed[0]).toMatch(/^file:.*\/incident-Orders-1970-01-01T000002Z\.zkincident$/);
});

it('saves no mixture of two moments', async () => {
  playInputs([]);
  choosePlaces(file('a.zkincident'));
  recording.whileReading = () => {
    if (time.moment.zxid === 5n) time.moveTo({ zxid: 4n });
  };
  await expect(saveIncident(parts, registry.all[0]!.node)).rejects.toBeInstanceOf(NothingToDo);
  expect(await readdir(folder)).toEqual([]);
});
