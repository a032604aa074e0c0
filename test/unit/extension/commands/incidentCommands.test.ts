import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../src/base/logger.ts';
import { textReport } from '../../../../src/base/textReport.ts';
import type { Report } from '../../../../src/base/report.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import { incidentCommands } from '../../../../src/extension/commands/incidentCommands.ts';
import { readSource } from '../../../../src/extension/commands/recordingFiles.ts';
import type { IncidentParts } from '../../../../src/extension/commands/registerIncidents.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { writeIncident } from '../../../../src/incident/writeIncident.ts';
import { findLocks } from '../../../../src/inspector/findLocks.ts';
import { eventually } from '../../../support/eventually.ts';
import { realInspector } from '../../app/panel/realInspector.ts';
import { draft, header, useFolder } from '../../incident/incidentUnderTest.ts';
import { clipboard, TabInputCustom, window, workspace } from '../fakeVscode.ts';
import { browserParts } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));
// The first answer is that of the row.
vi.mock('../../../../src/extension/dialogs/quickInput.ts', async original => ({
  ...(await original<object>()),
  askChoice: ({ choices }: { choices: unknown[] }) => Promise.resolve(choices[0]),
}));

const folder = useFolder();
let recordings: OpenRecordings;
let registry: ClusterRegistry;
let parts: IncidentParts;
let selected: unknown;
let reports: Report[];
let path: string;

const uri = () => ({ scheme: 'file', fsPath: path });
const { copyAsMarkdown, showIncidentReport, compareIncidents } = incidentCommands;

/** The row of the file. */
async function openFile() {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const read = () => readSource({ kind: 'incident', path }, options, parts as never);
  const { profile } = await recordings.open(path, read);
  const browser = registry.get(profile.id)!;
  await browser.connect();
  await eventually(() => expect(browser.node.locks.size).toBe(2));
  return browser.node;
}

beforeEach(async () => {
  [selected, reports, clipboard.text] = [undefined, [], ''];
  path = join(folder.path, 'night.zkincident');
  await writeIncident(path, draft());
  recordings = new OpenRecordings(nullLogger);
  registry = new ClusterRegistry(
    [recordings],
    browserParts({
      openSession: profile => Promise.resolve(recordings.get(profile.id)!.openSession()),
      recorded: ({ id }) => recordings.get(id),
      loadInspector: () => Promise.resolve({ ...realInspector, findLocks }),
    }),
  );
  const view = {
    get selected() {
      return selected;
    },
  };
  const reporter = { inform: () => undefined };
  const texts = { showReport: (_: string, report: Report) => Promise.resolve(void reports.push(report)) };
  const marks = { of: () => ({ cycles: [] }), cycleOf: () => undefined };
  const security = { secrets: { get: () => Promise.resolve(undefined) } };
  const made: unknown = {
    registry,
    recordings,
    view,
    reporter,
    texts,
    marks,
    security,
    version: '1',
    logger: nullLogger,
  };
  parts = made as IncidentParts;
  parts.targets = new Targets(registry, view as never, reporter);
});

afterEach(async () => {
  workspace.isTrusted = true;
  window.tabGroups.activeTabGroup.activeTab = undefined;
  await registry.close();
  await recordings.closeAll();
});

describe('Copy as Markdown', () => {
  it('is about the file whose editor is in front', async () => {
    const input = Object.assign(new TabInputCustom(), { uri: uri(), viewType: 'zookeeperLocks.incident' });
    window.tabGroups.activeTabGroup.activeTab = { input };
    await copyAsMarkdown(parts, undefined, undefined);
    expect(clipboard.text).toContain('/locks/stock');
    expect(clipboard.text).toContain('deadlocks: 1');
  });

  it('is about the whole file on its row', async () => {
    selected = await openFile();
    await copyAsMarkdown(parts, undefined, undefined);
    expect(clipboard.text).toContain('deadlocks: 1');
  });

  it('is about one lock on the row of a lock, with the name of the cluster itself', async () => {
    const { locks } = await openFile();
    await copyAsMarkdown(parts, locks.get('/locks/orders'), undefined);
    expect(clipboard.text).toContain('`Orders`');
    expect(clipboard.text).toContain('/locks/orders');
    expect(clipboard.text).not.toContain('/locks/stock');
  });
});

describe('a file that was written again while it is open', () => {
  it('is what the report is about, and its row can be closed', async () => {
    await openFile();
    await showIncidentReport(parts, uri(), undefined);
    const cluster = { name: 'Payments', environment: '' };
    await writeIncident(path, { ...draft(), header: { ...header, cluster } });
    await showIncidentReport(parts, uri(), undefined);
    expect(reports.map(report => textReport(report).includes('Payments'))).toEqual([false, true]);
    expect(await recordings.closeReplaced(path)).toBe(true);
    expect([await recordings.closeReplaced(path), registry.all]).toEqual([false, []]);
  });
});

it('a recording knows whose past it is', async () => {
  const { profile } = await openFile();
  expect(profile.recorded).toEqual(header.cluster);
  expect(profile.name).not.toBe(header.cluster.name);
});

it.each(Object.entries({ copyAsMarkdown, showIncidentReport, compareIncidents }))(
  '%s reads no file in restricted mode',
  async (_, command) => {
    workspace.isTrusted = false;
    await expect(command(parts, uri(), [uri(), { ...uri(), fsPath: `${path}2` }])).rejects.toThrow('Connecting');
    expect([reports, clipboard.text]).toEqual([[], '']);
  },
);
