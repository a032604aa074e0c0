import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foreign } from '../../../src/base/report.ts';
import type { QueueFact } from '../../../src/incident/incident.ts';
import { writeIncident } from '../../../src/incident/writeIncident.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { entriesOf } from '../../../src/journal/journalRecording.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import { writeNight } from './recordedNight.ts';

/** Writes an incident file of the recorded night: both locks, from 03:01 until that moment. @param time epoch ms */
export async function writeNightIncident(path: string, time: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'night-'));
  try {
    await writeNight(folder);
    const recording = await openLogs(folder);
    const to = recording.momentAt({ time });
    const paths = ['/orders/payment', '/orders/refund'];
    const client = recording.at(to);
    const queues = (await Promise.all(paths.map(lock => readQueues(client, lock)))).flat();
    const facts: QueueFact[] = queues.map(queue => ({
      queue,
      marks: new Map(queue.path === paths[0] ? [[queue.contenders[0]?.path ?? '', ['longHeld' as const]]] : []),
    }));
    const report = {
      headline: `${foreign('pay-3')} holds the lock, which ${foreign('pay-4')} waits for.`,
      blocks: [{ kind: 'paragraph' as const, text: 'The session of the holder was alive.' }],
    };
    await writeIncident(path, {
      header: {
        savedAt: time + 4_000,
        savedBy: 'zookeeper-lock-inspector 1.0.0',
        cluster: { name: 'Orders', environment: 'production' },
        scope: { kind: 'cluster', paths: ['/orders'] },
        span: { from: recording.from, to },
        source: 'logs',
        redacted: false,
        changing: [],
      },
      entries: entriesOf(recording, { from: recording.from, to }),
      facts: {
        queues: facts,
        owners: new Map(),
        stale: [],
        deadlocks: [],
        explanations: [
          { report },
          { path: paths[1] ?? '', report: { headline: `Held by ${foreign('refund-7')}`, blocks: [] } },
        ],
      },
    });
    await recording.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
