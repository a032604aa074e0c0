import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { foreign } from '../../../../src/base/report.ts';
import type { Reopening } from '../../../../src/app/recordings/reopenings.ts';
import { IncidentEditor, type ListedIncident } from '../../../../src/extension/panel/incidentEditor.ts';
import type { Incident, IncidentMark } from '../../../../src/incident/incident.ts';
import type { IncidentHostMessage, IncidentState } from '../../../../src/incidentProtocol.ts';
import { FakeRecording } from '../../app/recordings/fakeRecording.ts';
import { eventually } from '../../../support/eventually.ts';
import { queueWith } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const path = '/tmp/night.zkincident';
const view = { filter: '', shown: 100 };

function incidentWith(fields: Partial<Incident> = {}): Incident {
  const recording = new FakeRecording();
  const queue = (name: string, waiters: number) => ({ ...queueWith(waiters), path: `/orders/${name}` });
  const marks = new Map<string, IncidentMark[]>([['/orders/refund/x', ['longHeld', 'deadlocked']]]);
  return {
    header: {
      version: '1.0',
      savedAt: 1_000,
      savedBy: 'zookeeper-lock-inspector 1.0.0',
      cluster: { name: 'Orders\u202e', environment: 'production' },
      scope: { kind: 'cluster', paths: ['/orders'] },
      span: { from: recording.from, to: recording.to },
      source: 'live',
      redacted: false,
      changing: [],
    },
    recording,
    facts: {
      queues: [
        { queue: queue('payment', 1), marks: new Map() },
        { queue: queue('invoice', 3), marks: new Map() },
        { queue: queue('refund', 0), marks },
      ],
      owners: new Map(),
      stale: [],
      deadlocks: [],
      explanations: [{ report: { headline: `Held by ${foreign('x')}`, blocks: [{ kind: 'list', items: ['one', { text: 'two', below: ['three'] }] }] } }, { path: '/orders/invoice', report: { headline: 'of one', blocks: [] } }], // prettier-ignore
    },
    problems: [],
    ...fields,
  };
}

let reopening: Reopening | undefined;
let listed: ListedIncident | undefined;
let opened: string[];
let shown: string[];
let acted: string[];
let sent: IncidentHostMessage[];
let reported: unknown[];
let messages: Emitter<unknown>;
let visibility: Emitter<undefined>;
let listChanged: Emitter<undefined>;
let reopened: Emitter<string>;
let isVisible: boolean;
let isReplaced: boolean;

function edit(uri: Partial<Uri> = {}): IncidentEditor {
  const page = {
    get isVisible() {
      return isVisible;
    },
    post: (message: IncidentHostMessage) => sent.push(JSON.parse(JSON.stringify(message)) as IncidentHostMessage),
    onMessage: messages.event,
    onVisibility: (listener: () => void) => visibility.event(listener),
  };
  const parts = {
    reopenings: {
      of: () => reopening,
      open: (source: { path: string }) => void opened.push(source.path),
      onChange: reopened.event,
    },
    onListChange: listChanged.event,
    listed: () => listed,
    closeReplaced: () => {
      const was = isReplaced;
      if (was) listed = undefined;
      isReplaced = false;
      return Promise.resolve(was);
    },
    showLock: (_: ListedIncident, queue: { path: string }) => Promise.resolve(void shown.push(queue.path)),
    act: (action: string) =>
      action === 'copy' ? Promise.reject(new Error('no')) : Promise.resolve(void acted.push(action)),
    report: (error: unknown) => void reported.push(error),
    language: 'en',
    logger: nullLogger,
  };
  return new IncidentEditor(parts, page, Object.assign({ scheme: 'file', fsPath: path, path }, uri) as unknown as Uri);
}

beforeEach(() => {
  [reopening, listed, isVisible, isReplaced] = [undefined, undefined, true, false];
  [opened, shown, acted, sent, reported] = [[], [], [], [], []];
  messages = new Emitter(nullLogger);
  visibility = new Emitter(nullLogger);
  listChanged = new Emitter(nullLogger);
  reopened = new Emitter(nullLogger);
});

const state = (): IncidentState => {
  const last = sent.at(-1);
  if (last?.type !== 'state') throw new Error('No state was sent.');
  return last.state;
};

describe('the editor of an incident file', () => {
  it('has the file read, once, and sends nothing before the page asks', () => {
    edit();
    expect([opened, sent]).toEqual([[path], []]);
    reopening = { kind: 'reading', done: 0.5 };
    messages.fire({ type: 'ready', view });
    expect(sent[0]).toMatchObject({ type: 'texts', language: 'en' });
    expect(state()).toEqual({ state: 'reading', title: 'Incident · night.zkincident', text: `Reading ${path}: 50 %` });
    expect(opened).toHaveLength(1);
  });

  it('does not read a file that the list has already', () => {
    listed = { cluster: 'recording-1', incident: incidentWith() };
    edit();
    expect(opened).toEqual([]);
  });

  it('shows the file when it is in the list: locks with marks first, then those for which many wait', () => {
    edit();
    messages.fire({ type: 'ready', view });
    listed = { cluster: 'recording-1', incident: incidentWith() };
    listChanged.fire(undefined);
    const shownState = state();
    expect(shownState).toMatchObject({ state: 'open', isProduction: true, count: '3', hasMore: false, isEmpty: false });
    if (shownState.state !== 'open') throw new Error('It is not open.');
    expect(shownState.title).toBe('Incident · night.zkincident');
    expect(shownState.locks.map(({ name, id }) => [name, id])).toEqual([['refund', 2], ['invoice', 1], ['payment', 0]]); // prettier-ignore
    expect(shownState.locks[0]?.marks).toEqual([
      { text: 'held for long', isProven: false },
      { text: 'deadlocked', isProven: true },
    ]);
    expect(shownState.facts[0]?.value).not.toContain('\u202e');
    expect(shownState.locks.map(({ report }) => report?.headline[0]?.text)).toEqual([undefined, 'of one', undefined]);
    expect(shownState.reports).toEqual([
      {
        headline: [
          { text: 'Held by ', isForeign: false },
          { text: 'x', isForeign: true },
        ],
        blocks: [
          {
            kind: 'list',
            items: [
              { text: [{ text: 'one', isForeign: false }], below: [] },
              { text: [{ text: 'two', isForeign: false }], below: [[{ text: 'three', isForeign: false }]] },
            ],
          },
        ],
      },
    ]);
  });

  it('sends only what the page shows', () => {
    listed = { cluster: 'recording-1', incident: incidentWith() };
    edit();
    messages.fire({ type: 'ready', view: { filter: '', shown: 1 } });
    expect(state()).toMatchObject({ count: '1 of 3', hasMore: true, locks: [{ name: 'refund' }] });
    messages.fire({ type: 'view', view: { filter: 'PAY', shown: 100 } });
    expect(state()).toMatchObject({ count: '1', hasMore: false, locks: [{ name: 'payment' }] });
  });

  it('reads a file that was written again when its page asks', async () => {
    listed = { cluster: 'recording-1', incident: incidentWith() };
    edit();
    messages.fire({ type: 'ready', view });
    await Promise.resolve();
    expect(opened).toEqual([]);
    isReplaced = true;
    messages.fire({ type: 'ready', view });
    await eventually(() => expect(opened).toEqual([path]));
  });

  it('sorts many locks in turns, and once', async () => {
    const { facts, ...rest } = incidentWith();
    const queues = Array.from({ length: 50_000 }, (_, at) => {
      const contenders = queueWith(at % 3).contenders;
      return { queue: { ...queueWith(0), path: `/orders/l${String(at)}`, contenders }, marks: new Map() };
    });
    listed = { cluster: 'recording-1', incident: { ...rest, facts: { ...facts, queues } } };
    edit();
    messages.fire({ type: 'ready', view });
    expect(state().state).toBe('reading');
    await eventually(() => expect(state()).toMatchObject({ state: 'open', count: '100 of 50,000' }));
    messages.fire({ type: 'view', view: { filter: 'l49999', shown: 100 } });
    expect(state()).toMatchObject({ state: 'open', locks: [{ id: 49_999 }] });
    messages.fire({ type: 'view', view: { filter: '', shown: 1e6 } });
    const shownState = state();
    expect(shownState).toMatchObject({ state: 'open', hasMore: false, count: '5,000 of 50,000' });
  });

  it('says nothing of a past that the file does not have', () => {
    listed = { cluster: 'recording-1', incident: incidentWith() };
    edit();
    messages.fire({ type: 'ready', view });
    expect(JSON.stringify(state())).not.toContain('Recorded since');
  });

  it('opens the queue that was meant, runs commands, and reports what they throw', async () => {
    listed = { cluster: 'recording-1', incident: incidentWith() };
    edit();
    messages.fire({ type: 'ready', view });
    for (const id of [1, 99]) messages.fire({ type: 'showLock', id });
    for (const action of ['report', 'copy']) messages.fire({ type: 'act', action });
    await Promise.resolve();
    await Promise.resolve();
    expect([shown, acted, reported.map(String)]).toEqual([['/orders/invoice'], ['report'], ['Error: no']]);
  });

  it('says that its row was closed, and reads the file again when asked', () => {
    listed = { cluster: 'recording-1', incident: incidentWith() };
    edit();
    messages.fire({ type: 'ready', view });
    listed = undefined;
    listChanged.fire(undefined);
    expect(state()).toMatchObject({ state: 'notOpen', canOpen: true });
    messages.fire({ type: 'act', action: 'openAgain' });
    expect(opened).toEqual([path]);
  });

  it.each([
    [{ kind: 'waiting' }, /restricted mode/u, false],
    [{ kind: 'failed', error: new Error('broken') }, /broken/u, true],
  ] as const)('says why it shows nothing: %j', (present, text, canOpen) => {
    reopening = present;
    edit();
    messages.fire({ type: 'ready', view });
    expect(state()).toMatchObject({ state: 'notOpen', canOpen, text: expect.stringMatching(text) as string });
  });

  it('reads no file of another file system, and says what to do', () => {
    edit({ scheme: 'vscode-vfs', path: '/repo/a.zkincident' });
    messages.fire({ type: 'ready', view });
    expect(opened).toEqual([]);
    expect(state()).toMatchObject({ state: 'notOpen', canOpen: false, text: expect.stringContaining('Save a copy') as string }); // prettier-ignore
  });

  it('drops what is no message, and sends nothing to a page that is gone', () => {
    const editor = edit();
    messages.fire({ type: 'ready', view });
    const before = sent.length;
    for (const odd of [undefined, {}, { type: 'act', action: 'delete' }, { type: 'showLock', id: -1 }])
      messages.fire(odd);
    isVisible = false;
    visibility.fire(undefined);
    reopened.fire(path);
    expect(sent).toHaveLength(before);
    editor.dispose();
    expect([messages, visibility, listChanged, reopened].map(({ listenerCount }) => listenerCount)).toEqual([
      0, 0, 0, 0,
    ]);
  });
});
