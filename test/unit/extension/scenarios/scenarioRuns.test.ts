import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import type { Where } from '../../../../src/app/scenarios/scenarioPlace.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ScenarioItems } from '../../../../src/extension/scenarios/scenarioItems.ts';
import { ScenarioRuns } from '../../../../src/extension/scenarios/scenarioRuns.ts';
import { startSandbox } from '../../../../src/sandbox/startSandbox.ts';
import { connect } from '../../../../src/zookeeper/connect.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { eventually } from '../../../support/eventually.ts';
import { TestRunRequest, workspace } from '../fakeVscode.ts';
import { clusterNode, profileNamed } from '../fixtures.ts';
import { FakeWindow, type FakeItem, type FakeRun } from './fakeTests.ts';

let window: FakeWindow;
let items: ScenarioItems;
let runs: ScenarioRuns;
let browsers: ClusterBrowser[];
/** What was asked, and what the person answers. */
let asked: { question: string; detail: string }[];
let isSure: boolean;
let picked: ClusterBrowser | undefined;
let warned: string[];
let reported: unknown[];
let connected: string[];
let closers: (() => Promise<void>)[];

const text = {
  good: 'path: /a\nA: acquire mutex\nB: acquire mutex\nexpect: A holds, B waits for A\nA: release\nexpect: B holds\n',
  bad: 'path: /a\nA: acquire mutex\nB: acquire mutex\nexpect: no deadlock\nexpect: A holds, B holds, A waits for B within 40ms\nexpect: empty\n',
};

beforeEach(() => {
  window = new FakeWindow();
  items = new ScenarioItems(window.controller, nullLogger);
  [browsers, asked, warned, reported, connected, closers] = [[], [], [], [], [], []];
  [isSure, picked] = [true, undefined];
  runs = new ScenarioRuns(items, {
    controller: window.controller,
    profile: {} as vscode.TestRunProfile,
    registry: { all: browsers, get: id => browsers.find(({ node }) => node.id === id) },
    reporter: {
      confirm: (question, detail) => {
        asked.push({ question, detail });
        return Promise.resolve(isSure);
      },
      report: error => void reported.push(error),
      warn: warning => void warned.push(warning),
    },
    targets: {
      connected: browser => {
        connected.push(browser.node.profile.name);
        return Promise.resolve(browser);
      },
      browser: (_, __, { fits }) =>
        picked !== undefined && fits(picked) ? Promise.resolve(picked) : Promise.reject(new CancelledError('Asking')),
    },
    opener: {
      open: (profile, signal, session) => connect(profile.connectString, { ...session, signal }),
    },
    ownerQuery: () => ({ adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } }),
  });
});

afterEach(async () => {
  items.dispose();
  for (const close of closers) await close();
});

/** A cluster of the list, played by a sandbox. */
async function addCluster(name: string, fields: Partial<ClusterProfile> = {}): Promise<ClusterBrowser> {
  const sandbox = await startSandbox();
  closers.push(() => sandbox.close());
  const node = clusterNode({
    id: name,
    profile: profileNamed(name, { connectString: sandbox.connectString, ...fields }),
  });
  const browser = { node, connection: { client: {} } } as unknown as ClusterBrowser;
  browsers.push(browser);
  return browser;
}

async function nodesOf(browser: ClusterBrowser): Promise<string[]> {
  const client = await connect(browser.node.profile.connectString);
  const { children } = await client.getChildren('/');
  await client.close();
  return children.filter(child => child !== 'zookeeper');
}

const never = { onCancellationRequested: () => ({ dispose: () => undefined }) } as unknown as vscode.CancellationToken;

async function run(where: Where, include?: FakeItem[], exclude?: FakeItem[]): Promise<FakeRun> {
  const request = new TestRunRequest(include, exclude) as unknown as vscode.TestRunRequest;
  await runs.run(request, where, never);
  expect(window.run.isEnded).toBe(true);
  return window.run;
}

function files(texts: Record<string, string>): void {
  for (const [name, content] of Object.entries(texts)) window.files.set(`file:/w/${name}.zklock`, content);
}

describe('a run on the sandbox', () => {
  it('passes each expectation and the file, and says what happened when', async () => {
    files({ good: text.good });
    const { states, output } = await run('header');
    expect(states).toEqual({ 'good.zklock': 'passed', 'A holds, B waits for A': 'passed', 'B holds': 'passed' });
    expect(output).toMatch(/good\.zklock · on a sandbox of its own\r\n {2,}\d+ ms {2}A: acquire mutex/u);
    expect(output).toMatch(/ms {2}expect: B holds.*\r\nPassed in \d+ ms\.\r\n/u);
    expect(output.replaceAll('\r\n', '')).not.toContain('\n');
    expect(asked).toEqual([]);
  });

  it('fails an expectation at its line, with what was expected and the queue at that moment, and skips the rest', async () => {
    files({ bad: text.bad });
    const done = await run('header');
    const label = 'A holds, B holds, A waits for B within 40ms';
    expect(done.states).toEqual({
      'bad.zklock': 'failed',
      'no deadlock': 'passed',
      [label]: 'failed',
      empty: 'skipped',
    });
    const [message, ...others] = done.messagesOf(label);
    expect(others).toEqual([]);
    expect(message?.message).toBe('Not so in time: B holds, A waits for B');
    expect(message?.location?.range.start.line).toBe(4);
    expect(message?.expectedOutput).toBe('A holds\nB holds\nA waits for B');
    expect(message?.actualOutput).toBe('A holds\nB waits for A');
    expect(done.messagesOf('bad.zklock')).toEqual([]);
    expect(done.output).toContain('Line 5: this did not come true in time.\r\n/a\r\n  A holds\r\n  B waits for A\r\n');
  });

  it('shows several locks below their paths', async () => {
    files({ two: 'A: acquire mutex /a\nB: acquire mutex /b\nexpect: /a empty, B lost within 10ms\n' });
    const [message] = (await run('header')).messagesOf('/a empty, B lost within 10ms');
    expect(message?.expectedOutput).toBe('/a\n  empty\n/b\n  B lost');
    expect(message?.actualOutput).toBe('/a\n  A holds\n/b\n  B holds\nB: held');
  });

  it('marks the file at the line of a step that fails', async () => {
    files({ step: 'path: /a\nA: acquire mutex\nA: release\nA: release\nexpect: empty\n' });
    const done = await run('header');
    expect(done.states).toEqual({ 'step.zklock': 'failed', empty: 'skipped' });
    const [message] = done.messagesOf('step.zklock');
    expect([message?.message, message?.location?.range.start.line]).toEqual(['A neither holds nor waits for this lock.', 3]); // prettier-ignore
  });

  it('plays what is in the editor, each file once, without those that are left out', async () => {
    files({ good: text.good, other: text.bad });
    await items.discover();
    window.open('file:/w/good.zklock', text.bad.replaceAll('/a', '/b'));
    const good = window.item('good.zklock');
    const { states } = await run(
      'header',
      [good, ...good.all(), window.item('other.zklock')],
      [window.item('other.zklock')],
    );
    expect(states['good.zklock']).toBe('failed');
    expect(states['other.zklock']).toBeUndefined();
  });

  it('runs no file with errors, and says the first one with its line', async () => {
    files({ broken: 'path: /a\nA: acquire mutex\nexpect: C holds\nexpekt: A holds\n', good: text.good });
    const done = await run('header');
    expect(done.states).toMatchObject({ 'broken.zklock': 'errored', 'good.zklock': 'passed' });
    const [message] = done.messagesOf('broken.zklock');
    expect([message?.message, message?.location?.range.start.line]).toEqual([expect.stringMatching(/^C has taken no lock/u), 2]); // prettier-ignore
  });

  it('shows the table of a herd', async () => {
    files({ herd: 'path: /h\nherd 4\nexpect: predecessor woken at most 4\n' });
    expect((await run('header')).output).toMatch(/Herd of 4 contenders\r\n.*hand-overs.*\r\nnaive /u);
  });

  it('ends when it is cancelled, and skips what is left', async () => {
    files({ a: 'path: /a\nA: acquire mutex\nexpect: A holds\nwait 30s\nexpect: empty\n', b: text.good });
    window.onRun = started => void eventually(() => { expect(started.output).toContain('A holds'); started.cancel(); }, 10_000, 5); // prettier-ignore
    const { states } = await run('header');
    expect(states).toMatchObject({
      'a.zklock': 'skipped',
      'A holds': 'skipped',
      empty: 'skipped',
      'b.zklock': 'skipped',
    });
  });

  it('refuses in an untrusted workspace', async () => {
    workspace.isTrusted = false;
    files({ good: text.good });
    const done = await run('header');
    expect(done.states['good.zklock']).toBe('errored');
    expect(done.messagesOf('good.zklock')[0]?.message).toMatch(/^Trust this workspace first/u);
  });
});

describe('a run by itself when a file is saved', () => {
  it('plays that file again, and leaves out one that names a cluster', async () => {
    const live = await addCluster('Orders');
    files({ good: text.bad, named: `cluster: Orders\n${text.good}` });
    const ends: (() => void)[] = [];
    const token = { onCancellationRequested: (listener: () => void) => void ends.push(listener) };
    const request = new TestRunRequest(undefined, undefined, undefined, true) as unknown as vscode.TestRunRequest;
    await runs.run(request, 'header', token as unknown as vscode.CancellationToken);
    expect(window.runs).toEqual([]);
    window.open('file:/w/good.zklock', text.good);
    window.save('file:/w/good.zklock');
    await eventually(() => expect(window.run.states['good.zklock']).toBe('passed'));
    window.open('file:/w/named.zklock', `cluster: Orders\n${text.good}`);
    window.save('file:/w/named.zklock');
    await eventually(() => expect(window.run.states['named.zklock']).toBe('skipped'));
    expect([asked, connected, await nodesOf(live)]).toEqual([[], [], []]);
    for (const end of ends) end();
    window.save('file:/w/good.zklock');
    await items.update(items.all[0]!.uri);
    expect(window.runs).toHaveLength(2);
  });
});

describe('a run on a cluster of the list', () => {
  const named = (name: string): string => `cluster: ${name}\n${text.good}X: leave /left\nexpect: /left waiters X\n`;

  it('asks once for all files, says what it will do, and removes everything', async () => {
    const orders = await addCluster('Orders', { environment: 'staging' });
    files({
      one: named('Orders').replace('waiters', 'holders'),
      two: `cluster: Orders\nA: acquire mutex /b\ndisconnect A\nreconnect A\nexpect: A holds\n`,
    });
    const done = await run('header');
    expect(done.states).toMatchObject({ 'one.zklock': 'passed', 'two.zklock': 'passed' });
    expect(done.output).toContain('one.zklock · on Orders');
    expect(asked.map(({ question }) => question)).toEqual(['Run scenarios on the cluster "Orders"?']);
    for (const part of ['Files: 2', 'Locks: /a, /left, /b', 'ephemeral nodes', 'persistent nodes', 'ended or cut off', 'everything is removed']) expect(asked[0]?.detail).toContain(part); // prettier-ignore
    expect([connected, await nodesOf(orders), warned]).toEqual([['Orders'], [], []]);
  });

  it('asks which one where the files name none', async () => {
    picked = await addCluster('Orders');
    files({ good: text.good });
    expect((await run('header or ask')).output).toContain('on Orders');
    picked = undefined;
    expect((await run('ask')).states['good.zklock']).toBe('skipped');
  });

  it('does nothing when the person declines', async () => {
    const orders = await addCluster('Orders');
    isSure = false;
    files({ good: named('Orders') });
    const { states } = await run('header');
    expect(states).toMatchObject({ 'good.zklock': 'skipped', 'B holds': 'skipped' });
    expect(await nodesOf(orders)).toEqual([]);
  });

  it('refuses a read-only one with what to do, and asks nothing', async () => {
    await addCluster('Archive', { readOnly: true });
    files({ good: named('Archive') });
    const done = await run('header');
    expect(done.states['good.zklock']).toBe('errored');
    expect(done.messagesOf('good.zklock')[0]?.message).toMatch(/"Archive" is marked read-only.*Edit the cluster/u);
    expect([asked, connected]).toEqual([[], []]);
  });

  it('says which clusters there are when the name is wrong, at its place', async () => {
    await addCluster('Orders');
    await addCluster('Logs', { isRecording: true, readOnly: true });
    files({ good: named('Ordres') });
    const [message] = (await run('header')).messagesOf('good.zklock');
    expect(message?.message).toBe(
      'There is no cluster with the name Ordres here. This can be written: sandbox, Orders.',
    );
    expect(message?.location?.range.start).toEqual({ line: 0, character: 9 });
  });

  it('takes none of two with one name', async () => {
    const both = [await addCluster('Orders'), await addCluster('Orders', { id: 'other', environment: 'production' })];
    files({ good: named('Orders') });
    const done = await run('header');
    expect(done.messagesOf('good.zklock')[0]?.message).toMatch(/^Several clusters have the name Orders\./u);
    expect(await Promise.all(both.map(nodesOf))).toEqual([[], []]);
  });

  it('stops before the next file when the cluster was changed meanwhile', async () => {
    const orders = await addCluster('Orders');
    files({ one: named('Orders').replace('waiters', 'holders'), two: named('Orders') });
    window.onRun = started => void eventually(() => { expect(started.output).toContain('one.zklock'); orders.node.profile = { ...orders.node.profile, readOnly: true }; }, 10_000, 1); // prettier-ignore
    const done = await run('header');
    expect(done.states).toMatchObject({ 'one.zklock': 'passed', 'two.zklock': 'errored' });
  });

  it('warns of what could not be removed', async () => {
    const orders = await addCluster('Orders');
    const other = await connect(orders.node.profile.connectString);
    files({ good: `cluster: Orders\nA: acquire mutex /deep/a\nwait 300ms\nexpect: A holds\n` });
    window.onRun = started => void eventually(() => expect(started.output).toContain('acquire')).then(() => other.create('/deep/other')); // prettier-ignore
    expect((await run('header')).output).toContain('Not removed:\r\n  /deep: in use by others');
    expect(warned).toEqual([expect.stringContaining('good.zklock · Not removed:\n  /deep: in use by others')]);
    await other.close();
  });

  it('ends the sessions and removes the nodes when it is cancelled', async () => {
    const orders = await addCluster('Orders');
    files({ a: 'cluster: Orders\npath: /a\nA: acquire mutex\nwait 30s\n' });
    window.onRun = started => void eventually(() => { expect(started.output).toContain('acquire'); started.cancel(); }, 10_000, 5); // prettier-ignore
    expect((await run('header')).states['a.zklock']).toBe('skipped');
    expect(await nodesOf(orders)).toEqual([]);
  });
});
