import { describe, expect, it } from 'vitest';
import type { CollectedState } from '../../../../src/app/incidents/collectState.ts';
import { draftIncident, type DraftRequest } from '../../../../src/app/incidents/draftIncident.ts';
import type { JournalEntry } from '../../../../src/journal/entry.ts';
import { clusterNode, profileNamed } from '../../extension/fixtures.ts';
import { facts, moment, readings } from '../../incident/incidentUnderTest.ts';

const address = '10.0.0.7:51234';

const state: CollectedState = {
  readings,
  queues: facts.queues.map(({ queue }) => queue),
  owners: {
    connections: new Map(),
    recorded: new Map([[0x1001n, { address, host: 'web-1' }]]),
    live: undefined,
    sources: [],
    askedAt: moment.time,
  },
  stayed: new Set(),
  moment,
  readAt: moment.time,
  changing: [],
  unread: ['/locks/secret'],
};

function request(fields: Partial<DraftRequest> = {}): DraftRequest {
  return {
    cluster: clusterNode({ profile: profileNamed('orders', { environment: 'production' }) }),
    scope: { kind: 'cluster', paths: ['/locks'] },
    search: { truncated: false, denied: [] },
    state,
    past: undefined,
    redaction: 'none',
    savedBy: 'test',
    longHeldMs: 60_000,
    marks: { cycleOf: (_, edges) => ({ edges, key: '', ageMs: 0, isLasting: false }) },
    explain: () => [],
    signal: new AbortController().signal,
    ...fields,
  };
}

async function sessionsOf(entries: AsyncIterable<JournalEntry> | Iterable<JournalEntry>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const entry of entries) if (entry.type === 'session') found.push(entry.session);
  return found;
}

describe('the draft of an incident file', () => {
  it('has addresses that were recorded, where no server says them', async () => {
    const draft = await draftIncident(request());
    expect(draft.facts.owners.get(0x1001n)).toEqual({ session: 0x1001n, alive: 'unknown', address });
    expect(await sessionsOf(draft.entries)).toEqual([{ id: 0x1001n, address, host: 'web-1' }]);
    const redacted = await draftIncident(request({ redaction: 'who' }));
    const text = JSON.stringify([...redacted.facts.owners.values(), ...(await sessionsOf(redacted.entries))], (_, each: unknown) => typeof each === 'bigint' ? String(each) : each); // prettier-ignore
    for (const secret of ['10.0.0.7', 'web-1']) expect(text).not.toContain(secret);
  });

  it('names the cluster whose past it is, and what it is used for', async () => {
    const recorded = { name: 'Orders', environment: 'production' };
    const profile = profileNamed('Orders (recorded)', { environment: 'development', isRecording: true, recorded });
    const { header } = await draftIncident(request({ cluster: clusterNode({ profile }) }));
    expect(header.cluster).toEqual(recorded);
    expect((await draftIncident(request())).header.cluster).toEqual({ name: 'orders', environment: 'production' });
  });

  it('says what is redacted, and what was not searched or read', async () => {
    expect((await draftIncident(request())).header).toMatchObject({ redacted: false, notRead: ['/locks/secret'] });
    const search = { truncated: true, denied: ['/hidden'] };
    const { header } = await draftIncident(request({ redaction: 'names', search }));
    expect(header).toMatchObject({ redacted: true, redaction: 'names', isSearchCut: true });
    expect(header.notSearched).toHaveLength(1);
    expect(header.notSearched).not.toContain('/hidden');
  });
});
