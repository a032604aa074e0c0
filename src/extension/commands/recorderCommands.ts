import { displayText } from '../../base/displayText.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import type { OpenedRecording } from '../../app/recordings/openRecordings.ts';
import type { SourceKind } from '../../app/clusters/recordedTime.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { withProgress } from '../platform/withProgress.ts';
import { readSettings } from '../platform/settings.ts';
import { l10n } from '../words/language.ts';
import { recordingCostText } from '../words/recordingCostText.ts';
import { sizeText } from '../words/recorderText.ts';
import { readSource } from './recordingFiles.ts';
import type { RecorderCommandParts, RecorderCommands } from './registerRecorder.ts';

const kind: SourceKind = 'journal';

/** The live cluster of the row that was passed or of the panel in front, else the one that the person picks. @throws NothingToDo */
async function liveCluster(
  { targets }: RecorderCommandParts,
  argument: unknown,
  wanted: { title: string; none: string; fits?: (id: string) => boolean },
): Promise<ClusterBrowser> {
  const { title, none, fits = () => true } = wanted;
  const isLive = ({ node }: ClusterBrowser): boolean => node.profile.isRecording !== true;
  const inFront = targets.lockInFront(argument);
  // The panel of a recording says nothing of which cluster is meant.
  const row = inFront?.cluster.profile.isRecording === true ? undefined : inFront;
  const browser = await targets.browser(row ?? argument, title, {
    fits: each => isLive(each) && fits(each.node.id),
    none,
  });
  if (isLive(browser)) return browser;
  throw new NothingToDo(l10n.t('This is a record of the past already. Choose the command for the cluster itself.'));
}

/** *Record Locks*: says first what it costs, then records, and goes on whenever the cluster is connected. */
async function recordLocks(parts: RecorderCommandParts, argument: unknown): Promise<void> {
  const { recorders, reporter, targets } = parts;
  targets.requireTrust();
  const isOff = (id: string): boolean => ['off', 'failed'].includes(recorders.state(id).kind);
  const browser = await liveCluster(parts, argument, {
    title: l10n.t('Record Locks'),
    none: l10n.t('The locks of every cluster of the list are recorded already, or there is none to be recorded.'),
    fits: isOff,
  });
  const { id, profile } = browser.node;
  const name = displayText(profile.name);
  if (!isOff(id)) throw new NothingToDo(l10n.t('The locks of "{0}" are recorded already.', name));
  const isSure = await reporter.confirm(
    l10n.t('Record the locks of "{0}"?', name),
    recordingCostText(recorders.cost(id), readSettings().recording.nodeData),
    l10n.t('Record'),
  );
  if (!isSure) return;
  await recorders.start(id);
  if (parts.registry.get(id) === browser) await targets.connected(browser);
}

/** *Stop Recording*: what was recorded stays. */
async function stopRecording(parts: RecorderCommandParts, argument: unknown): Promise<void> {
  const { recorders, reporter } = parts;
  const isOn = (id: string): boolean => recorders.state(id).kind !== 'off';
  const none = l10n.t('The locks of no cluster are recorded.');
  const { node } = await liveCluster(parts, argument, { title: l10n.t('Stop Recording'), none, fits: isOn });
  const name = displayText(node.profile.name);
  if (!isOn(node.id)) throw new NothingToDo(l10n.t('The locks of "{0}" are not recorded.', name));
  await recorders.stop(node.id);
  reporter.inform(l10n.t('The locks of "{0}" are not recorded any more. Open Recording shows what was.', name));
}

/** Reads the journal of a cluster, with progress that can be cancelled. @throws what `readSource` throws */
function read(parts: RecorderCommandParts, path: string, name: string): Promise<OpenedRecording> {
  return withProgress(l10n.t('Reading the recording of {0}', name), (signal, report) => {
    const onProgress = (done: number, of: number): void =>
      report(l10n.t('{0} % of the files', of === 0 ? 0 : Math.floor((100 * done) / of)));
    return readSource({ kind, path }, { signal, onProgress }, parts);
  });
}

/** *Open Recording*: a row of its own, at any moment of the past; the cluster need not be connected. */
async function openRecording(parts: RecorderCommandParts, argument: unknown): Promise<void> {
  const { recordings, recorders, registry, targets, view } = parts;
  targets.requireTrust();
  const none = l10n.t('There is no cluster whose locks can be recorded.');
  const { node } = await liveCluster(parts, argument, { title: l10n.t('Open Recording'), none });
  const name = displayText(node.profile.name);
  const folder = recorders.folder(node.id);
  if ((await recorders.bytes(node.id)) === 0) {
    throw new NothingToDo(l10n.t('Nothing of "{0}" is recorded yet. Record Locks begins it.', name));
  }
  const wasOpen = recordings.find(folder) !== undefined;
  const { profile, time } = await recordings.open(folder, () => read(parts, folder, name));
  if (wasOpen) await time.readOn();
  const browser = registry.get(profile.id);
  // It may have been closed meanwhile.
  if (browser === undefined) return;
  await browser.connect();
  await view.revealCluster(browser, true);
}

/** *Delete Recordings*: all files of one cluster, after a question. */
async function deleteRecordings(parts: RecorderCommandParts, argument: unknown): Promise<void> {
  const { recordings, recorders, reporter } = parts;
  const none = l10n.t('There is no cluster whose locks can be recorded.');
  const { node } = await liveCluster(parts, argument, { title: l10n.t('Delete Recordings'), none });
  const name = displayText(node.profile.name);
  const [folder, bytes] = [recorders.folder(node.id), await recorders.bytes(node.id)];
  if (bytes === 0) throw new NothingToDo(l10n.t('There are no recordings of "{0}".', name));
  const isRecording = recorders.state(node.id).kind === 'recording';
  const lines = [
    l10n.t('{0} in {1}', sizeText(bytes), displayText(folder, 1000)),
    l10n.t('What happened to its locks before now cannot be looked at any more.'),
    ...(isRecording ? [l10n.t('Recording goes on, in a new file.')] : []),
  ];
  const question = l10n.t('Delete the recordings of "{0}"?', name);
  if (!(await reporter.confirm(question, lines.join('\n'), l10n.t('Delete')))) return;
  // Its files are read as long as it is open.
  const open = recordings.find(folder);
  if (open !== undefined) await recordings.close(open.profile.id);
  await recorders.delete(node.id);
  reporter.inform(l10n.t('The recordings of "{0}" were deleted.', name));
}

/** The commands of the recorder. */
export const recorderCommands: RecorderCommands = { recordLocks, stopRecording, openRecording, deleteRecordings };
