import { ownerOf } from '../../inspector/owners/ownerFacts.ts';
import { displayText } from '../../base/displayText.ts';
import { fileNamePart } from '../../base/fileNamePart.ts';
import { nameOfLock } from '../../app/clusters/clusterModel.ts';
import { explainNow } from '../../app/diagnosis/explainNow.ts';
import { lookForDeadlocks } from '../../app/diagnosis/lookForDeadlocks.ts';
import { deadlockReport } from '../words/deadlockText.ts';
import { explanationReport } from '../words/explanationText.ts';
import { gapLines, loadProgressText } from '../words/loadText.ts';
import { l10n } from '../words/language.ts';
import { ownerReport } from '../words/ownerText.ts';
import { recordedOwnerReport } from '../words/recordingText.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { withProgress } from '../platform/withProgress.ts';
import { askOwners, type DiagnosisParts } from './diagnosisParts.ts';
import { ownerQueryOptions } from './ownerQuery.ts';
import { requireStill, stillMoment } from './stillMoment.ts';

/** *Explain Lock*: everything known of one lock, as a report. */
export async function explainLockCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { marks, targets, texts } = parts;
  const lock = targets.lock(argument);
  const moment = stillMoment(lock.cluster.time);
  const client = await targets.client(targets.browserOf(lock));
  const explanation = await withProgress(l10n.t('Reading {0}', displayText(lock.path)), signal =>
    explainNow(client, lock, { ownerQuery: ownerQueryOptions(parts), marks, signal }),
  );
  requireStill(moment);
  const usual = lock.cluster.usual?.usualOf(lock);
  await texts.showReport(`lock-${fileNamePart(nameOfLock(lock))}`, explanationReport(explanation, moment, usual));
}

/**
 * *Explain Deadlocks*: reads every lock of a cluster and reports every cycle. The cluster is that of the row that was passed, else of
 * the panel in front, else one that the person picks.
 */
export async function explainDeadlocksCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { marks, targets, texts } = parts;
  const browser = await targets.browser(targets.lockInFront(argument) ?? argument, l10n.t('Explain Deadlocks'));
  const past = stillMoment(browser.node.time);
  const client = await targets.client(browser);
  const cluster = browser.node.profile.name;
  const { loaded, ...found } = await withProgress(
    l10n.t('Reading the locks of {0}', displayText(cluster)),
    (signal, report) =>
      lookForDeadlocks(browser, client, {
        ownerQuery: ownerQueryOptions(parts),
        marks,
        signal,
        onProgress: progress => report(loadProgressText(progress)),
      }),
  );
  requireStill(past);
  await texts.showReport('deadlocks', deadlockReport({ ...found, cluster, gaps: gapLines(loaded), past }));
}

/** *Show Owner*: the client behind a node, and the sources of these facts. */
export async function showOwnerCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { contender, lock } = parts.targets.contender(argument);
  if (contender.isUnread === true) throw new NothingToDo(l10n.t('This node may not be read: its owner is not known.'));
  const { profile, time } = lock.cluster;
  if (time !== undefined) {
    const session = time.recording.session(contender.ownerSession);
    await parts.texts.showReport('owner', recordedOwnerReport(profile.name, contender, session, time.kind));
    return;
  }
  const owners = await askOwners(parts, lock);
  await parts.texts.showReport(
    'owner',
    ownerReport({
      cluster: profile.name,
      contender,
      status: ownerOf(contender, owners),
      sources: owners.sources,
      now: Date.now(),
    }),
  );
}
