import { expect, it } from 'vitest';
import type { CollectedState } from '../../../src/app/incidents/collectState.ts';
import { draftIncident, type DraftRequest } from '../../../src/app/incidents/draftIncident.ts';
import { queuesIn } from '../../../src/app/incidents/collectState.ts';
import { withoutData } from '../../../src/app/incidents/incidentEntries.ts';
import type { Redaction } from '../../../src/app/incidents/redactState.ts';
import { textReport } from '../../../src/base/textReport.ts';
import { explanationsOf } from '../../../src/extension/words/incidentText.ts';
import type { IncidentFacts } from '../../../src/incident/incident.ts';
import { linesOf } from '../../../src/incident/writeIncident.ts';
import { entriesOf, recordingOf } from '../../../src/journal/journalRecording.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import type { LockDirectory } from '../../../src/locks/lockDirectory.ts';
import { directory } from '../locks/directory.ts';
import { asChild } from '../../../src/incident/redactor.ts';
import { moment, readingOf } from './incidentUnderTest.ts';

const signal = new AbortController().signal;
const awsHost = 'ip-10-0-0-12.eu-west-1.compute.internal';

const orders = directory('/locks/orders', [
  { name: '_c_1a2b3c4d-0001-4000-8000-00000000000a-lock-0000000001', data: '10.20.30.40', owner: 0x1001n },
  { name: '_c_ffb3c4d0-0002-4000-8000-00000000000b-lock-0000000002', data: 'worker@app7.example.org', owner: 0x1002n },
]);

async function stateOf(directories: readonly LockDirectory[]): Promise<CollectedState> {
  const readings = directories.map(readingOf);
  const queues = await queuesIn(readings, signal);
  return {
    readings,
    queues,
    owners: {
      connections: new Map(),
      recorded: new Map([
        [0x1001n, { address: '10.66.77.88:4711', host: 'billing3.corp.example', process: 'java payments 4242' }],
        [0x1002n, { address: '10.66.77.99:4712' }],
      ]),
      live: { ids: new Set([0x1001n]), listedBy: 'follower', server: 'zk1.corp.example:2181' },
      sources: [],
      askedAt: 1,
    },
    stayed: new Set(queues.flatMap(({ contenders }) => contenders.map(({ path }) => path))),
    moment,
    readAt: moment.time,
    changing: [],
    unread: ['/locks/billing3'],
  };
}

function requestOf(state: CollectedState, redaction: Redaction): DraftRequest {
  const profile = { name: 'Orders in Paris', connectString: 'zk1.corp.example:2181', environment: 'production' };
  return {
    cluster: { profile } as never,
    scope: { kind: 'cluster', paths: ['/locks'] },
    search: { truncated: true, denied: ['/tenants/app7/secret'] },
    state,
    past: undefined,
    redaction,
    savedBy: 'test',
    longHeldMs: 3_600_000,
    marks: { cycleOf: (_, edges) => ({ edges, key: '', ageMs: 0, isLasting: false }) },
    explain: (judged, header, notSeen) => explanationsOf(judged, header, undefined, notSeen),
    signal,
  };
}

/** All that a file says, its data and explanations included. */
async function textOf(directories: readonly LockDirectory[], redaction: Redaction): Promise<string> {
  const draft = await draftIncident(requestOf(await stateOf(directories), redaction));
  const lines: string[] = [];
  for await (const line of linesOf('x', draft)) lines.push(line);
  const text = lines.join('\n');
  const data = [...text.matchAll(/"data":"([^"]*)"/g)].map(([, each = '']) => Buffer.from(each, 'base64').toString());
  return [text, ...data, explained(draft.facts)].join('\n');
}

function explained({ explanations }: IncidentFacts): string {
  return explanations.map(({ report }) => textReport(report)).join('\n');
}

it('a redacted file says nothing of who and where, in explanations neither', async () => {
  const open = await textOf([orders], 'none');
  const secrets = ['10.20.30.40', 'app7', '10.66.77', 'billing3', 'payments', 'Paris'];
  // What would be there.
  for (const secret of secrets) expect(open, secret).toContain(secret);
  for (const redaction of ['who', 'names'] as const) {
    const text = await textOf([orders], redaction);
    for (const secret of [...secrets, 'zk1.corp']) expect(text, secret).not.toContain(secret);
    expect(text).toContain('Paths without permission: 1 (/');
  }
});

it('equal numbers keep no names in clear', async () => {
  const of = directory('/locks/a', [
    { name: 'app8.example-R-0000000001', data: 'app8.example', owner: 8n },
    { name: 'app9.example-R-0000000001', data: 'app9.example', owner: 9n },
    { name: 'app5.example-W-0000000001', data: 'app5.example', owner: 5n },
    { name: 'notes of app9.example', owner: 0n },
  ]);
  for (let run = 0; run < 8; run++) expect(await textOf([of], 'who')).not.toMatch(/app[589]/);
});

it('hosts with many parts are found in names, by their first label, too', async () => {
  const names = [`${awsHost}-R-0000000001`, 'ip-10-0-0-12-R-0000000002', 'app7-R-0000000003'];
  const of = directory('/locks/a', [
    ...names.map((name, at) => ({ name, owner: BigInt(at + 1) })),
    { name: 'R-0000000004', data: awsHost },
    { name: 'R-0000000005', data: 'worker@app7.example.org' },
  ]);
  const text = await textOf([of], 'who');
  for (const secret of ['10-0-0-12', 'eu-west', 'app7']) expect(text).not.toContain(secret);
});

it('a past has only the data that make the lock, whatever the recorder kept', async () => {
  const [node] = directory('/locks/orders', [{ name: 'settings', owner: 0n }]).children;
  const whole = { ...asJournalNode(node!.path), data: new TextEncoder().encode('{"password":"hunter2"}') };
  const entries: JournalEntry[] = [
    { type: 'begin', at: moment },
    { type: 'node', at: moment, node: whole },
    { type: 'complete', at: moment },
  ];
  const recording = await recordingOf(batch(entries));
  const kept: JournalEntry[] = [];
  for await (const entry of withoutData(entriesOf(recording, { from: moment, to: moment }))) kept.push(entry);
  const nodes = kept.flatMap(entry => (entry.type === 'node' && entry.node.path === whole.path ? [entry.node] : []));
  expect(nodes.length).toBe(1);
  expect(Buffer.from(nodes[0]!.data).toString()).not.toContain('hunter2');
  expect(asChild(nodes[0]!).name).toBe(node!.name);
});

function asJournalNode(path: string) {
  return { path, czxid: 5n, mzxid: 5n, ctime: 1, mtime: 1, version: 0, owner: 7n };
}

async function* batch(entries: JournalEntry[]): AsyncGenerator<JournalEntry[]> {
  yield await Promise.resolve(entries);
}

it('a long queue is redacted in turns of the event loop', async () => {
  const of = directory(
    '/locks/a',
    Array.from({ length: 4_000 }, (_, at) => {
      const number = String(at).padStart(10, '0');
      return { name: `app${String(at)}.example-R-${number}`, data: `app${String(at)}.example` };
    }),
  );
  const state = await stateOf([of]);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const begun = performance.now();
  await draftIncident(requestOf(state, 'who'));
  isOver = true;
  // 50 ms each would be felt; a busy machine may be slow.
  expect(turns).toBeGreaterThan((performance.now() - begun) / 100);
});
