import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { chatMarkdown } from '../../base/chatMarkdown.ts';
import { displayText } from '../../base/displayText.ts';
import { fileNamePart } from '../../base/fileNamePart.ts';
import { inTurns } from '../../base/interruptible.ts';
import { clusterOf } from '../../app/clusters/clusterModel.ts';
import { isObject } from '../../app/clusters/clusterProfile.ts';
import { isReplaced } from '../../incident/fileStamp.ts';
import { recordingId } from '../../app/recordings/openRecording.ts';
import { comparingIncidents } from '../../incident/compareIncidents.ts';
import type { Incident } from '../../incident/incident.ts';
import { incidentEnding } from '../../incident/incidentLimits.ts';
import { openIncident } from '../../incident/openIncident.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { builtInCommandIds, editorTypes } from '../platform/contributions.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { pageFocusSettled } from '../platform/pageFocus.ts';
import { withProgress } from '../platform/withProgress.ts';
import { comparisonReport } from '../words/comparisonText.ts';
import { incidentReport, incidentSummary } from '../words/incidentText.ts';
import { l10n } from '../words/language.ts';
import type { IncidentCommands, IncidentFile, IncidentParts } from './registerIncidents.ts';
import { presentFacts, saveIncident } from './saveIncidentCommand.ts';

/** What the commands say of a file. */
type Contents = Pick<Incident, 'header' | 'facts' | 'problems'>;

function isFile(value: unknown): value is IncidentFile {
  return isObject(value) && typeof value['scheme'] === 'string' && typeof value['fsPath'] === 'string';
}

/** @throws NothingToDo for another file system */
function pathOf(file: IncidentFile): string {
  if (file.scheme === 'file') return resolve(file.fsPath);
  throw new NothingToDo(l10n.t('Only an incident file on the disk can be read. Copy it to the disk first.'));
}

/** @throws CancelledError */
async function askFiles(title: string, openLabel: string, canSelectMany: boolean): Promise<string[]> {
  await pageFocusSettled();
  const picked = await vscode.window.showOpenDialog({
    title,
    openLabel,
    canSelectFiles: true,
    canSelectFolders: false,
    canSelectMany,
    filters: { [l10n.t('Incident file')]: [incidentEnding.slice(1)] },
  });
  if (picked === undefined || picked.length === 0) throw new CancelledError(title);
  return picked.map(pathOf);
}

/** The file of an editor or of the Explorer's row. */
function fileOf(argument: unknown): string | undefined {
  return isFile(argument) ? pathOf(argument) : undefined;
}

/** The file whose editor is in front, for a command of the palette. */
function fileInFront(argument: unknown): string | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isEditor = input instanceof vscode.TabInputCustom && input.viewType === editorTypes.incident;
  return argument === undefined && isEditor ? pathOf(input.uri) : undefined;
}

/** The file that a row of the list is. @throws RowGone */
function fileOfRow({ targets, recordings }: IncidentParts, argument: unknown): string | undefined {
  if (isFile(argument)) return undefined;
  const row = targets.lockInFront(argument) ?? targets.rowOrSelected(argument);
  const opened = row === undefined ? undefined : recordings.get(clusterOf(row).id);
  return opened?.incident === undefined ? undefined : opened.time.folder;
}

/** The same for the row of the whole file only: a lock in it has a summary of its own, at the moment that is shown. */
function fileOfClusterRow(parts: IncidentParts, argument: unknown): string | undefined {
  if (isFile(argument) || parts.targets.lockInFront(argument) !== undefined) return undefined;
  return parts.targets.rowOrSelected(argument)?.type === 'cluster' ? fileOfRow(parts, argument) : undefined;
}

/** The only open file. */
function onlyFile({ registry, recordings }: IncidentParts): string | undefined {
  const files = registry.all.flatMap(({ node }) => {
    const opened = recordings.get(node.id);
    return opened?.incident === undefined ? [] : [opened.time.folder];
  });
  return files.length === 1 ? files[0] : undefined;
}

/** What a file says: of the list, if it is open there and was not written again. @throws IncidentError; CancelledError */
async function contentsOf({ recordings }: IncidentParts, path: string): Promise<Contents> {
  const opened = recordings.get(recordingId('incident', path));
  if (opened?.incident !== undefined && !(await isReplaced(path, opened.stamp))) return opened.incident;
  return withProgress(l10n.t('Reading {0}', displayText(path, 300)), async (signal, report) => {
    const incident = await openIncident(path, {
      signal,
      onProgress: (done, of) => report(l10n.t('{0} % of the file', of === 0 ? 0 : Math.floor((100 * done) / of))),
    });
    const { header, facts, problems } = incident;
    await incident.recording.close();
    return { header, facts, problems };
  });
}

/** *Open Incident File…*: in its editor, which opens its row. */
async function openIncidentFile({ targets }: IncidentParts, argument: unknown): Promise<void> {
  targets.requireTrust();
  const title = l10n.t('Open Incident File');
  const [path = ''] = [fileOf(argument) ?? (await askFiles(title, l10n.t('Open'), false))[0]];
  await vscode.commands.executeCommand(builtInCommandIds.open, vscode.Uri.file(path));
}

/** *Show Incident Report*: everything that a file says in words. */
async function showIncidentReport(parts: IncidentParts, argument: unknown): Promise<void> {
  parts.targets.requireTrust();
  const title = l10n.t('Show Incident Report');
  const known = fileOf(argument) ?? fileInFront(argument) ?? fileOfRow(parts, argument) ?? onlyFile(parts);
  const [path = ''] = known === undefined ? await askFiles(title, l10n.t('Show Report'), false) : [known];
  const { header, facts, problems } = await contentsOf(parts, path);
  const name = `incident-${fileNamePart(header.cluster.name)}`;
  await parts.texts.showReport(name, incidentReport(header, facts, problems));
}

/** *Compare Incident Files…*: two of the Explorer, or this one and another one, or two that the person picks. */
async function compareFiles(parts: IncidentParts, argument: unknown, selected: unknown): Promise<void> {
  parts.targets.requireTrust();
  const title = l10n.t('Compare Incident Files');
  const [one, other] = await twoFiles(parts, argument, selected, title);
  const [first, second] = [await contentsOf(parts, one), await contentsOf(parts, other)];
  await parts.texts.showReport('comparison', comparisonReport(await inTurns(comparingIncidents(first, second))));
}

async function twoFiles(
  parts: IncidentParts,
  argument: unknown,
  selected: unknown,
  title: string,
): Promise<[string, string]> {
  const rows = Array.isArray(selected) ? selected.filter(isFile).map(pathOf) : [];
  if (rows.length === 2) return pairOf(rows);
  if (rows.length > 2) throw new NothingToDo(l10n.t('Choose two incident files to be compared.'));
  const known = fileOf(argument) ?? fileInFront(argument) ?? fileOfRow(parts, argument);
  const open = l10n.t('Compare');
  if (known !== undefined) return pairOf([known, ...(await askFiles(l10n.t('Compare with…'), open, false))]);
  const picked = await askFiles(title, open, true);
  return pairOf(picked.length === 1 ? [...picked, ...(await askFiles(l10n.t('Compare with…'), open, false))] : picked);
}

/** @throws NothingToDo unless they are two different files */
function pairOf([one, other, ...more]: readonly string[]): [string, string] {
  if (one === undefined || other === undefined || more.length > 0) {
    throw new NothingToDo(l10n.t('Choose two incident files to be compared.'));
  }
  if (one === other) throw new NothingToDo(l10n.t('This is the same file. Choose another one to compare it with.'));
  return [one, other];
}

/**
 * *Copy as Markdown*: a short summary for a chat, of an incident file, or of the locks as they are now or at the moment that their row
 * shows.
 */
async function copyAsMarkdown(parts: IncidentParts, argument: unknown): Promise<void> {
  parts.targets.requireTrust();
  const path = fileOf(argument) ?? fileInFront(argument) ?? fileOfClusterRow(parts, argument);
  const { header, facts } =
    path === undefined
      ? await presentFacts(parts, argument, l10n.t('Copy as Markdown'))
      : await contentsOf(parts, path);
  await vscode.env.clipboard.writeText(chatMarkdown(incidentSummary(header, facts)));
  parts.reporter.inform(l10n.t('The summary is on the clipboard: paste it into the channel.'));
}

/** The commands of incident files. */
export const incidentCommands: IncidentCommands = {
  saveIncident,
  openIncident: openIncidentFile,
  showIncidentReport,
  compareIncidents: compareFiles,
  copyAsMarkdown,
};
