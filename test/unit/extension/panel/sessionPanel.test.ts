import { describe, expect, it, vi } from 'vitest';
import type { RecordedPast } from '../../../../src/app/clusters/clusterRecorder.ts';
import type { SessionState } from '../../../../src/sessionProtocol.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeRecording, holdOf } from '../../app/recordings/fakeRecording.ts';
import { mutex, noon, ownersOf } from '../../app/sessions/sessionQueues.ts';
import { SessionPanelUnderTest } from './sessionPanelUnderTest.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const payment = mutex({ path: '/orders/payment', sessions: [1n, 2n, 3n] });
const refund = mutex({ path: '/orders/refund', sessions: [3n, 1n] });

function recorderWith(past: Partial<RecordedPast>) {
  const empty = { gaps: [], entries: 1, holds: () => [], waits: () => [], sessions: () => new Map() };
  return {
    state: { kind: 'off' },
    past: { ...empty, ...past },
    onChange: () => ({ dispose: () => undefined }),
  } as never;
}

describe('the page of a session', () => {
  it('sends nothing before the page asks', () => {
    const test = new SessionPanelUnderTest([payment]);
    test.setQueue(refund);
    expect(test.sent).toEqual([]);
  });

  it('says what the session holds and waits for, and who gets it', async () => {
    const test = new SessionPanelUnderTest([payment, refund]);
    const state = await test.ready();
    expect(test.sent[0]).toMatchObject({ type: 'texts', language: 'en' });
    expect(state).toMatchObject({
      state: 'live',
      title: 'Session 0x1',
      cluster: 'orders',
      status: '',
      summary: 'holds 1 · waits for 1 · others that wait for it: 2',
      canAsk: true,
    });
    expect(state.places.rows).toMatchObject([
      { name: 'payment', isHolder: true, standing: 'holds · exclusive', since: 'held 5–64 s', waitsFor: '' },
      { name: 'refund', standing: 'waits · exclusive · place 2 of 2', since: 'waits 1 min', waitsFor: 'worker-3', ahead: { session: '0x3' } }, // prettier-ignore
    ]);
    expect(state.endings.rows.map(({ name, text }) => [name, text])).toEqual([
      ['payment', 'Goes to worker-2.'],
      ['refund', 'Only its place in the queue goes. Still held by worker-3.'],
    ]);
    expect(state.endingNotes).toEqual([
      'Locks that lose a holder: 1. Locks that someone else gets: 1.',
      expect.stringContaining('keeps its locks until its session times out'),
    ]);
  });

  it('says what the servers said, once they were asked, and of when that is', async () => {
    const test = new SessionPanelUnderTest([payment]);
    const answered = Promise.withResolvers<{ owners: typeof test.owners }>();
    test.answer = () => answered.promise;
    const before = await test.ready();
    answered.resolve(test);
    expect(before.facts[0]).toMatchObject({ name: 'Life', value: 'Not known: the servers were not asked.' });
    const state = await test.nextState();
    const values = Object.fromEntries(state.facts.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({
      Address: '10.0.0.1:4000',
      Identifier: 'worker-1',
      'Session time-out': '10 s',
      Server: 'zk1:2181',
      'Connected since': 'not known',
      'Last answer of its server': 'not reported',
    });
    expect(values['Life']).toMatch(/^The session is alive\. Asked: /u);
    expect(state.facts.find(({ name }) => name === 'Address')?.subject).toEqual({ address: '10.0.0.1' });
    expect(state.watches.text).toMatch(/^Not known/u);
  });

  it('asks for watches on the button only, and reports what fails', async () => {
    const test = new SessionPanelUnderTest([payment]);
    await test.ready();
    const watchers = new Map([['/orders/payment', new Set([1n])]]);
    test.answer = () =>
      Promise.resolve({ owners: test.owners, watches: { watchers, isComplete: false, sources: [], askedAt: noon } });
    test.messages.fire({ type: 'askServers' });
    const state = await test.until(({ isAsking, watches }) => !isAsking && watches.locks.rows.length > 0);
    expect(state.watches.text).toMatch(/^Watched nodes: at least 1\. Not every server answered\./u);
    expect(state.watches.locks.rows).toMatchObject([{ name: 'payment' }]);
    test.answer = () => Promise.reject(new Error('refused'));
    test.messages.fire({ type: 'askServers' });
    await eventually(() => expect(test.asked).toEqual([['report', new Error('refused')]]));
    expect((await test.nextState()).isAsking).toBe(false);
  });

  it('names what is not covered: locks that are not read, and those that are not watched', async () => {
    const test = new SessionPanelUnderTest([payment]);
    test.setQueue(refund, { live: false });
    test.setQueue(mutex({ path: '/orders/x', sessions: [] }), { queue: undefined as unknown as LockQueue });
    const state = await test.ready();
    expect(state.endingNotes.slice(-2)).toEqual([
      'Locks of this cluster that are not read: 1. They may be affected, too.',
      'Locks that are not watched: 1. They are taken as they were read last.',
    ]);
    expect(state.placesNote).toContain('not read: 1');
  });

  it('says that locks may not be known, while the search is open', async () => {
    const search = { kind: 'done', visited: 3, truncated: false, denied: ['/secret'] } as const;
    const state = await new SessionPanelUnderTest([mutex({ path: '/a', sessions: [7n] })], { node: { search } }).ready(); // prettier-ignore
    const open = 'The search for locks is not over, or did not reach all nodes.';
    expect(state.placesNote).toBe(`${open} It may have nodes in locks that are not known.`);
    expect(state.endingNotes).toEqual([
      'No lock that is read would change.',
      `${open} Locks that are not known may be affected, too.`,
    ]);
  });

  it('says of a lock with nodes that may not be read that what follows is not sure', async () => {
    const hazards = [{ kind: 'unreadable' }] as unknown as LockQueue['hazards'];
    const state = await new SessionPanelUnderTest([mutex({ path: '/a', sessions: [1n, 2n], fields: { hazards } })]).ready(); // prettier-ignore
    expect(state.endings.rows.map(({ text }) => text)).toEqual([
      'Goes to worker-2. Some of its nodes may not be read, so this is not sure.',
    ]);
  });

  it('follows changes, and a session that vanishes leaves a page that says so', async () => {
    const test = new SessionPanelUnderTest([payment]);
    await test.ready();
    test.setQueue(mutex({ path: '/orders/payment', sessions: [2n, 3n] }));
    const state = await test.until(({ places }) => places.rows.length === 0);
    expect(state.summary).toBe('It has no node in the locks that are read.');
    expect([state.endings.rows, state.graph.nodes]).toEqual([[], []]);
  });

  it('does nothing while it is hidden', async () => {
    const test = new SessionPanelUnderTest([payment]);
    await test.ready();
    await test.nextState();
    test.isVisible = false;
    test.visibility.fire(undefined);
    const { length } = test.sent;
    test.setQueue(refund);
    test.messages.fire({ type: 'copy', part: 'subject' });
    expect(test.sent).toHaveLength(length);
    expect(test.changed.listenerCount).toBe(0);
  });

  it('keeps what was known when the connection goes, with the reason and the way back', async () => {
    const test = new SessionPanelUnderTest([payment]);
    await test.ready();
    test.connection = { kind: 'disconnected' };
    test.node?.locks.clear();
    test.listChanged.fire(undefined);
    const state = await test.until(({ state: is }) => is !== 'live');
    expect(state).toMatchObject({
      state: 'stale',
      status: 'There is no connection to the cluster.',
      remedy: 'connect',
      canAsk: false,
      places: { rows: [{ name: 'payment' }] },
    });
    test.messages.fire({ type: 'connect' });
    expect(test.asked).toEqual([['connect', 'orders']]);
  });

  it('does not show as current what was worked out while the connection went', async () => {
    const test = new SessionPanelUnderTest([payment]);
    test.messages.fire({ type: 'ready' });
    test.connection = { kind: 'disconnected' };
    expect(await test.nextState()).toMatchObject({ state: 'absent', status: 'There is no connection to the cluster.' });
  });

  it('asks the servers again for another connection, and forgets what the former ones said', async () => {
    const test = new SessionPanelUnderTest([payment]);
    await test.ready();
    const address = ({ facts }: SessionState) => facts.find(({ name }) => name === 'Address')?.value;
    await test.until(state => address(state) === '10.0.0.1:4000');
    test.connection = { kind: 'disconnected' };
    test.changed.fire(test.node!);
    await test.until(({ state }) => state === 'stale');
    const answered = Promise.withResolvers<{ owners: typeof test.owners }>();
    test.answer = () => answered.promise;
    test.connection = { kind: 'connected' };
    test.changed.fire(test.node!);
    await test.until(state => state.state === 'live' && address(state) === 'not known');
    answered.resolve({ owners: ownersOf({ 1: '10.9.9.9:1' }) });
    await test.until(state => address(state) === '10.9.9.9:1');
  });

  it('asks again after a failure, though not at once', async () => {
    const test = new SessionPanelUnderTest([payment]);
    let asked = 0;
    test.answer = () => (asked++ === 0 ? Promise.reject(new Error('no')) : Promise.resolve({ owners: test.owners }));
    await test.ready();
    test.changed.fire(test.node!);
    await test.nextState();
    expect(asked).toBe(1);
    await eventually(() => {
      test.changed.fire(test.node!);
      expect(asked).toBe(2);
    }, 3_000);
  });

  it('connects nothing when it comes back, and says what is missing', async () => {
    const test = new SessionPanelUnderTest([]);
    test.connection = { kind: 'disconnected' };
    expect(await test.ready()).toMatchObject({ state: 'absent', remedy: 'connect', title: 'Session 0x1' });
    test.node = undefined;
    test.listChanged.fire(undefined);
    expect(await test.nextState()).toMatchObject({
      state: 'absent',
      cluster: 'orders',
      status: 'This cluster is no longer in the list.',
    });
    expect(test.asked).toEqual([]);
    expect(test.kept).toEqual({
      type: 'keep',
      kept: { cluster: 'orders', clusterName: 'orders', subject: { session: '0x1' } },
    });
  });

  it('opens only queues that are on the page, and pages of the same cluster', async () => {
    const test = new SessionPanelUnderTest([payment]);
    await test.ready();
    test.messages.fire({ type: 'showQueue', lock: { path: '/etc/other' } });
    test.messages.fire({ type: 'showQueue', lock: { path: '/orders/payment' } });
    test.messages.fire({ type: 'showSession', subject: { session: '0x2' } });
    test.messages.fire({ type: 'evil' });
    expect(test.asked).toEqual([
      ['showQueue', 'orders', { path: '/orders/payment' }],
      ['showSession', 'orders', { kind: 'session', id: 2n }],
    ]);
  });

  it('copies its id, and what frees, as text', async () => {
    const test = new SessionPanelUnderTest([payment]);
    await test.ready();
    test.messages.fire({ type: 'copy', part: 'subject' });
    test.messages.fire({ type: 'copy', part: 'endings' });
    expect(test.asked[0]).toEqual(['copy', '0x1']);
    expect(test.asked[1]?.[1]).toMatch(/^Session 0x1\nLocks that lose.*\n.*\n\/orders\/payment: Goes to worker-2\.$/u);
  });
});

describe('the pages of an address and of an identifier', () => {
  it('list their sessions, and end them together', async () => {
    const test = new SessionPanelUnderTest([payment, refund], { subject: { kind: 'address', address: '10.0.0.1' } });
    const { answer } = test;
    test.answer = () => Promise.reject(new Error('no'));
    expect((await test.ready()).factNotes).toEqual([
      'The servers were not asked, so it is not known which sessions come from this address.',
    ]);
    test.owners = ownersOf({ 1: '10.0.0.1:4000', 3: '10.0.0.1:4001', 2: '10.0.0.2:1' });
    test.answer = answer;
    test.messages.fire({ type: 'askServers' });
    const state = await test.until(({ sessions }) => sessions?.rows.length === 2);
    expect(state.title).toBe('Address 10.0.0.1');
    expect(state.sessions?.rows.map(({ text, about }) => [text, about])).toEqual([
      ['0x1', 'worker-1 · 10.0.0.1:4000 · holds 1 · waits for 1 · session alive'],
      ['0x3', 'worker-3 · 10.0.0.1:4001 · holds 1 · waits for 1 · session alive'],
    ]);
    expect(state.endings.rows.map(({ name, text }) => [name, text])).toEqual([
      ['payment', 'Goes to worker-2.'],
      ['refund', 'Becomes free: no one else waits.'],
    ]);
    expect(state.endingNotes[1]).toContain('after 10 s');
  });

  it('say of nodes without a session that they stay', async () => {
    const queue = mutex({ path: '/a', sessions: [undefined, 2n] });
    const test = new SessionPanelUnderTest([queue], { subject: { kind: 'identifier', identifier: 'nightly' } });
    const state = await test.ready();
    expect(state.endingNotes).toContain('Nodes without a session: 1. They stay until they are deleted.');
    expect(state.places.rows).toMatchObject([{ owner: 'nightly', isHolder: true }]);
  });
});

describe('the history on the page', () => {
  it('is what the recorder of this window has seen', async () => {
    const moment = (at: number) => ({ zxid: BigInt(at), time: noon + at });
    const hold = { path: '/orders/payment', name: 'n', kind: 'exclusive', identifier: '', ownerSession: 1n, czxid: 1n, queued: moment(1), from: moment(2), to: moment(3), ended: 'released' } as const; // prettier-ignore
    const sessions = new Map([
      [1n, { opened: moment(0), timeoutMs: 4_000, ended: moment(9), how: 'expired' as const }],
    ]);
    const recorder = recorderWith({ holds: () => [hold], sessions: () => sessions });
    const test = new SessionPanelUnderTest([payment], { node: { recorder } });
    const { history } = await test.ready();
    expect(history.facts.map(({ name }) => name)).toEqual(['Opened', 'Ended']);
    expect(history.facts[1]?.value).toMatch(/expired: the servers heard nothing/u);
    expect(history.holds.rows).toMatchObject([{ name: 'payment', ended: 'released by its own session' }]);
  });

  it('is said to be of an earlier session where the id was given out again', async () => {
    const moment = (at: number) => ({ zxid: BigInt(at), time: noon + at });
    const sessions = new Map([
      [1n, { opened: moment(0), ended: moment(9), how: 'expired' as const, address: '10.6.6.6:1', timeoutMs: 99_000 }],
    ]);
    const test = new SessionPanelUnderTest([payment], { node: { recorder: recorderWith({ sessions: () => sessions }) } }); // prettier-ignore
    const recorded = new Map([[1n, { address: '10.6.6.6:1' }]]);
    test.answer = () => Promise.resolve({ owners: ownersOf({}, { recorded }) });
    await test.ready();
    const state = await test.until(({ factNotes }) => factNotes[0]?.startsWith('The servers were asked:') === true);
    expect(state.facts.map(({ value }) => value)).not.toContainEqual(expect.stringContaining('10.6.6.6'));
    expect(state.facts.find(({ name }) => name === 'Session time-out')?.value).toBe('not known');
    expect(state.history.facts[1]?.value).toMatch(/ · an earlier session with this id$/u);
    expect(state.history.note).toMatch(/^It is recorded that an earlier session with this id ended\./u);
  });

  it('is searched once a second while it grows, and completed then', async () => {
    let entries = 1;
    const holds = vi.fn(() => []);
    const past = { holds, sessions: () => new Map(), gaps: [], waits: () => [] };
    const recorder = { state: { kind: 'off' }, past, onChange: () => ({ dispose: () => undefined }) };
    Object.defineProperty(past, 'entries', { get: () => entries++ });
    const test = new SessionPanelUnderTest([payment], { node: { recorder: recorder as never } });
    await test.ready();
    for (let state = 0; state < 5; state++) {
      test.changed.fire(test.node!);
      await test.nextState();
    }
    expect(holds).toHaveBeenCalledTimes(1);
    test.time += 1_000;
    // The first may have been in the making.
    await test.nextState();
    await test.nextState();
    expect(holds).toHaveBeenCalledTimes(2);
  });

  it('is said to be missing, with the next step', async () => {
    const state = await new SessionPanelUnderTest([payment]).ready();
    expect(state.history.note).toMatch(/^Nothing of it is recorded\. "Record Locks"/u);
  });
});

describe('a session of a recording', () => {
  const kept = { kind: 'logs', path: '/tmp/logs', at: { zxid: '0x5', time: noon } } as const;

  it('has its files read when the window comes back, and shows it then', async () => {
    const test = new SessionPanelUnderTest([payment], { recording: kept });
    const { node } = test;
    test.node = undefined;
    test.reopening = undefined;
    const first = await test.ready();
    expect(test.asked).toEqual([['open', { kind: 'logs', path: '/tmp/logs' }, { zxid: 5n, time: noon }]]);
    expect(first.remedy).toBe('open');
    test.reopening = { kind: 'reading', done: 0.25 };
    test.reopened.fire('/tmp/logs');
    expect(await test.nextState()).toMatchObject({ state: 'reading', status: 'Reading /tmp/logs: 25 %' });
    const recording = new FakeRecording();
    const time = { recording, kind: 'logs', folder: '/tmp/logs', moment: recording.to, speed: 0, isFollowing: false };
    test.node = { ...node, time } as never;
    test.listChanged.fire(undefined);
    const state = await test.until(({ state: is }) => is !== 'reading');
    expect(state).toMatchObject({ state: 'recorded', canAsk: false, watches: { text: 'Not recorded.' } });
    expect(state.factNotes).toEqual(['Transaction logs hold no client addresses.']);
    [test.node, test.reopening] = [undefined, undefined];
    test.listChanged.fire(undefined);
    expect(await test.until(({ remedy }) => remedy === 'open')).toMatchObject({ state: 'stale' });
    expect(test.kept).toMatchObject({ kept: { recording: { path: '/tmp/logs', isClosed: true } } });
  });
});

describe('a moment of a recording', () => {
  const at = (zxid: bigint) => ({ zxid, time: noon + Number(zxid) });

  function panelAt(moment: { zxid: bigint; time: number }, fields: Partial<FakeRecording>) {
    const recording = Object.assign(new FakeRecording(), fields);
    const time = { recording, kind: 'logs', folder: '/tmp/logs', moment, speed: 0, isFollowing: false };
    return new SessionPanelUnderTest([payment], { node: { time: time as never } });
  }

  it('is said not to be sure in a gap', async () => {
    const gap = { from: at(100n), to: at(300n), why: 'missing files' } as never;
    expect((await panelAt(at(200n), { gaps: [gap] }).ready()).status).toMatch(/^Not sure, since .* As recorded at /u);
    expect((await panelAt(at(400n), { gaps: [gap] }).ready()).status).toMatch(/^As recorded at /u);
  });

  it('is shown whole: of none that has passed while it was worked out', async () => {
    const test = panelAt(at(200n), {});
    test.messages.fire({ type: 'ready' });
    const [node, time] = [test.node!, test.node!.time!];
    Object.assign(time, { moment: at(300n) });
    await new Promise(resolve => setImmediate(resolve));
    expect(test.states).toEqual([]);
    test.changed.fire(node);
    expect((await test.nextState()).state).toBe('recorded');
  });

  it('shows nothing of what came later', async () => {
    const allHolds = [100n, 300n].map(from => holdOf('n', at(from), at(from + 150n), { ownerSession: 1n }));
    const allSessions = new Map([[1n, { opened: at(1n), ended: at(900n), how: 'expired' as const }]]);
    const { history } = await panelAt(at(200n), { allHolds, allSessions }).ready();
    expect(history.facts[1]?.value).toBe('no end is recorded');
    expect(history.holds.rows.map(({ to, ended }) => [to, ended])).toEqual([['no end recorded', '']]);
  });
});

describe('the picture', () => {
  it('names every node with its neighbours, and hostile names are harmless', async () => {
    const name = '<script>\u202e]( $(x) "';
    const evil = mutex({ path: `/orders/${name}`, sessions: [1n, 2n], contender: { identifier: name } });
    const { graph } = await new SessionPanelUnderTest([evil]).ready();
    expect(graph.nodes.map(({ kind, isSubject }) => [kind, isSubject])).toEqual([
      ['session', true],
      ['lock', false],
      ['session', false],
    ]);
    expect(graph.edges.map(({ kind }) => kind).sort()).toEqual(['holds', 'waits']);
    const shown = graph.nodes.flatMap(({ title, below, label }) => [title, below, label]).join('');
    expect(shown).not.toContain('\u202e');
    expect(shown).toContain('\\u202E');
  });

  it('is cut at 200 nodes, and a megabyte of a name is cut, too', async () => {
    const sessions = Array.from({ length: 500 }, (_, at) => BigInt(at + 1));
    const long = 'x'.repeat(1_000_000);
    const { graph } = await new SessionPanelUnderTest([mutex({ path: '/a', sessions })]).ready();
    expect(graph.nodes).toHaveLength(200);
    expect(graph.note).toMatch(/^Only the nearest 200/u);
    const queue = mutex({ path: `/${long}`, sessions: [1n, 2n, undefined], contender: { identifier: long } });
    const state = await new SessionPanelUnderTest([queue]).ready();
    expect(JSON.stringify(state).length).toBeLessThan(10_000);
    expect(state.places.rows[0]?.lock).toBeUndefined();
  });
});
