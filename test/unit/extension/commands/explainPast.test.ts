import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { Report } from '../../../../src/base/report.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import type { LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import type { RecordedTime } from '../../../../src/app/clusters/recordedTime.ts';
import { openRecording } from '../../../../src/app/recordings/openRecording.ts';
import { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import type { DiagnosisParts } from '../../../../src/extension/commands/diagnosisParts.ts';
import { explainDeadlocksCommand, explainLockCommand } from '../../../../src/extension/commands/explainCommands.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { NothingToDo } from '../../../../src/extension/platform/errorReporting.ts';
import { curatorMutex } from '../../../support/contenderNames.ts';
import type { FakeClient } from '../../../support/fakeClient.ts';
import { FakeRecording } from '../../app/recordings/fakeRecording.ts';
import { realInspector } from '../../app/panel/realInspector.ts';
import { browserParts } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

/** Its reader may be called while it reads. */
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
let parts: DiagnosisParts;
let reports: Report[];
let time: RecordedTime;
let lock: LockNode | undefined;

beforeEach(async () => {
  recording = new HookedRecording([{ at: 0 }, { at: 1, put: curatorMutex(1) }, { at: 2, put: curatorMutex(2) }]);
  reports = [];
  recordings = new OpenRecordings(nullLogger);
  registry = new ClusterRegistry(
    [recordings],
    browserParts({
      openSession: profile => Promise.resolve(recordings.get(profile.id)!.openSession()),
      recorded: ({ id }) => recordings.get(id),
      loadInspector: () => Promise.resolve(realInspector),
    }),
  );
  const opening = { nameOf: () => 'v', every: () => toDisposable(() => undefined), now: () => 0, wallNow: () => 0 };
  const opened = openRecording(recording, '/logs', { ...opening, logger: nullLogger });
  await recordings.open('/logs', () => Promise.resolve(opened));
  time = opened.time;
  await registry.all[0]!.connect();
  lock = await registry.all[0]!.open('/locks/a');
  const view = { selected: undefined } as unknown as ConstructorParameters<typeof Targets>[1];
  const reporter = { inform: () => undefined } as unknown as DiagnosisParts['reporter'];
  parts = {
    registry,
    targets: new Targets(registry, view, reporter),
    security: { secrets: {} },
    marks: { cycleOf: (_: unknown, edges: unknown) => ({ edges, key: '', ageMs: 0, isLasting: false }) },
    texts: { showReport: (_: string, report: Report) => Promise.resolve(void reports.push(report)) },
  } as unknown as DiagnosisParts;
});

afterEach(async () => {
  await registry.close();
  await recordings.closeAll();
});

describe.each([
  ['Explain Lock', () => explainLockCommand(parts, lock)],
  ['Explain Deadlocks', () => explainDeadlocksCommand(parts, registry.all[0]!.node)],
])('%s in a recording', (_, explain) => {
  it('says at which moment, and whether it is sure', async () => {
    await explain();
    recording.gaps = [{ from: recording.from, to: recording.to, why: 'missing' }];
    time.moveTo({ zxid: 4n });
    await explain();
    expect(reports.map(({ headline }) => headline.includes('Not sure'))).toEqual([false, true]);
    expect(reports[1]!.headline).toContain('1970-01-01T00:00:01.000Z');
  });

  it('reports no mixture of two moments', async () => {
    recording.whileReading = () => {
      if (time.moment.zxid === 5n) time.moveTo({ zxid: 4n });
    };
    await expect(explain()).rejects.toBeInstanceOf(NothingToDo);
    expect(reports).toEqual([]);
  });

  it('stops the playing', async () => {
    time.play(10);
    await explain();
    expect([time.speed, reports.length]).toEqual([0, 1]);
  });
});
