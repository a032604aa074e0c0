import { l10n } from 'vscode';
import { explainLock } from '../../inspector/explainLock.ts';
import { findDeadlocks } from '../../inspector/findDeadlocks.ts';
import { findMutualWaits, findReadersBehindWriters } from '../../inspector/queueRisks.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { ownerStatus } from '../../inspector/owners/ownerFacts.ts';
import { watchesBeside } from '../../inspector/owners/readWatchers.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError, NotConnectedError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { displayText } from '../../base/displayText.ts';
import type { LockNode } from '../../app/clusters/clusterModel.ts';
import { askMeans } from './askMeans.ts';
import { deadlockText } from '../words/deadlockText.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import { explanationText } from '../words/explanationText.ts';
import { gatherOwners, gatherWatchers } from '../../app/owners/gatherFacts.ts';
import { gapLines, loadAllLocks } from './loadLocks.ts';
import { loadedQueues } from '../../app/clusters/queueMarks.ts';
import { ownerDocument } from '../words/ownerText.ts';
import { documentText } from '../platform/readOnlyTexts.ts';
import { withProgress } from '../platform/withProgress.ts';

/** The session of a cluster that the person asked about, opened if needed. */
export async function connectedClient(parts: DiagnosisParts, browser: ClusterBrowser): Promise<ZooKeeperClient> {
  await parts.targets.connected(browser, text => parts.reporter.inform(text));
  const { client } = browser.connection;
  if (client === undefined) throw new NotConnectedError('readQueues', '/', 'there is no session');
  return client;
}

/** The lock of the row, or of the selected one; says what to do if there is none. */
function lockOf({ targets, reporter }: DiagnosisParts, argument: unknown): LockNode | undefined {
  const row = targets.rowOrSelected(argument);
  if (row?.type === 'lock') return row;
  if (row?.type === 'contender') return row.lock;
  reporter.inform(l10n.t('Select a lock in the Clusters view first.'));
  return undefined;
}

/** The queue of a row as it is now; a lock without contenders is an empty queue. */
function queueOf(queues: readonly LockQueue[], { queue, path, lockName, dialect }: LockNode): LockQueue {
  const same = queues.find(each => each.path === (queue?.path ?? path) && each.lockName === lockName);
  return same ?? queues[0] ?? { path, dialect, contenders: [], strangers: [], hazards: [] };
}

/** *Explain Lock*: everything known of one lock, as a text for an incident channel. */
export async function explainLockCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const lock = lockOf(parts, argument);
  const browser = lock === undefined ? undefined : parts.targets.browserOf(lock);
  if (lock === undefined || browser === undefined) return;
  const client = await connectedClient(parts, browser);
  const { profile } = browser.node;
  const text = await withProgress(l10n.t('Looking at {0}', displayText(lock.path)), async signal => {
    const readAt = Date.now();
    const queue = queueOf(await readQueues(client, lock.path, { signal }), lock);
    const means = askMeans(parts);
    const [owners, watches] = await Promise.all([
      gatherOwners(profile, client, means, signal),
      gatherWatchers(profile, client, means, signal),
    ]);
    if (signal.aborted) throw new CancelledError('Explain Lock');
    const others = loadedQueues(browser.node).filter(each => each.path !== queue.path);
    const deadlocks = findDeadlocks([queue, ...others]);
    const explanation = explainLock(queue, {
      cluster: profile.name,
      readAt,
      now: Date.now(),
      owners,
      watches: watchesBeside(owners, watches),
      deadlocks,
    });
    return explanationText(explanation, documentText);
  });
  await parts.texts.show('lock.txt', `${text}\n`);
}

/** *Explain Deadlocks*: reads every lock below the lock roots, then reports every cycle with its locks and sessions. */
export async function explainDeadlocksCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const title = l10n.t('Explain Deadlocks');
  const browser = await parts.targets.browser(argument, title);
  await connectedClient(parts, browser);
  const cluster = browser.node.profile.name;
  const loaded = await withProgress(l10n.t('Reading the locks of {0}', displayText(cluster)), (signal, report) =>
    loadAllLocks(browser, signal, report),
  );
  const queues = loadedQueues(browser.node);
  const text = deadlockText(
    {
      cluster,
      readAt: Date.now(),
      queues,
      report: findDeadlocks(queues),
      mutualWaits: findMutualWaits(queues),
      behindWriters: findReadersBehindWriters(queues),
      gaps: gapLines(loaded),
    },
    documentText,
  );
  await parts.texts.show('deadlocks.txt', text);
}

/** *Show Owner*: the client behind a node, and which sources told it. */
export async function showOwnerCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const row = parts.targets.rowOrSelected(argument);
  const browser = row === undefined ? undefined : parts.targets.browserOf(row);
  if (row?.type !== 'contender' || browser === undefined) {
    parts.reporter.inform(l10n.t('Select a holder or waiter in the Clusters view first.'));
    return;
  }
  const client = await connectedClient(parts, browser);
  const { contender, lock } = row;
  const owners = await withProgress(l10n.t('Asking the servers'), async signal => {
    const facts = await gatherOwners(lock.cluster.profile, client, askMeans(parts), signal);
    if (signal.aborted) throw new CancelledError('Show Owner');
    return facts;
  });
  const text = ownerDocument(
    {
      cluster: lock.cluster.profile.name,
      contender,
      status: ownerStatus(contender.ownerSession, owners),
      sources: owners.sources,
      now: Date.now(),
    },
    documentText,
  );
  await parts.texts.show('owner.txt', text);
}
