import { l10n } from 'vscode';
import { explainLock } from '../../inspector/explainLock.ts';
import { findDeadlocks } from '../../inspector/findDeadlocks.ts';
import { findMutualWaits, findReadersBehindWriters, suspectMutualWaits } from '../../inspector/queueRisks.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { ownerOf } from '../../inspector/owners/ownerFacts.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { displayText } from '../../base/displayText.ts';
import { serverTime, type LockNode } from '../../app/clusters/clusterModel.ts';
import { deadlockText } from '../words/deadlockText.ts';
import { ownerQueryOptions, type DiagnosisParts } from './diagnosisParts.ts';
import { explanationText } from '../words/explanationText.ts';
import { gatherOwners, gatherOwnersAndWatches } from '../../app/owners/gatherFacts.ts';
import { loadAllLocks } from '../../app/clusters/loadAllLocks.ts';
import { gapLines, loadProgressText } from '../words/loadText.ts';
import { loadedQueues } from '../../app/clusters/queueMarks.ts';
import { ownerDocument } from '../words/ownerText.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { documentText } from '../platform/readOnlyTexts.ts';
import { withProgress } from '../platform/withProgress.ts';

/** The queue of a row as it is now; a lock without contenders is an empty queue. */
function queueOf(queues: readonly LockQueue[], { queue, path, lockName, dialect }: LockNode): LockQueue {
  const same = queues.find(each => each.path === (queue?.path ?? path) && each.lockName === lockName);
  return same ?? queues[0] ?? { path, dialect, contenders: [], strangers: [], hazards: [] };
}

/** *Explain Lock*: everything known of one lock, as a text for an incident channel. */
export async function explainLockCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const lock = parts.targets.lock(argument);
  const browser = parts.targets.browserOf(lock);
  const client = await parts.targets.client(browser);
  const { profile } = browser.node;
  const text = await withProgress(l10n.t('Reading {0}', displayText(lock.path)), async signal => {
    const readAt = Date.now();
    const queue = queueOf(lock.cluster.sightings.narrow(await readQueues(client, lock.path, { signal })), lock);
    const facts = await gatherOwnersAndWatches(profile, client, ownerQueryOptions(parts), signal);
    const later = (await readQueues(client, lock.path, { signal })).flatMap(({ contenders }) => contenders);
    if (signal.aborted) throw new CancelledError('Explain Lock');
    const others = loadedQueues(browser.node).filter(each => each.path !== queue.path);
    const deadlocks = findDeadlocks([queue, ...others]);
    const now = serverTime(lock, Date.now());
    const isLasting = (edges: readonly WaitEdge[]): boolean => parts.marks.cycleOf(browser.node, edges).isLasting;
    const known = { ...facts, later, deadlocks, isLasting, cluster: profile.name, readAt, now };
    return explanationText(explainLock(queue, known), documentText);
  });
  await parts.texts.show('lock.txt', `${text}\n`);
}

/** *Explain Deadlocks*: reads every lock below the lock roots, then reports every cycle with its locks and sessions. */
export async function explainDeadlocksCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const title = l10n.t('Explain Deadlocks');
  const browser = await parts.targets.browser(argument, title);
  const client = await parts.targets.client(browser);
  const cluster = browser.node.profile.name;
  const { loaded, queues, mutualWaits } = await withProgress(
    l10n.t('Reading the locks of {0}', displayText(cluster)),
    async (signal, report) => {
      const loaded = await loadAllLocks(browser, signal, progress => report(loadProgressText(progress)));
      const queues = loadedQueues(browser.node);
      // Only watches distinguish a mutual wait from a healthy queue; servers are asked only where one is possible.
      if (suspectMutualWaits(queues).length === 0) return { loaded, queues, mutualWaits: [] };
      const query = ownerQueryOptions(parts);
      const { watches } = await gatherOwnersAndWatches(browser.node.profile, client, query, signal);
      if (signal.aborted) throw new CancelledError('Explain Deadlocks');
      return { loaded, queues, mutualWaits: findMutualWaits(queues, watches) };
    },
  );
  const text = deadlockText(
    {
      cluster,
      readAt: Date.now(),
      queues,
      report: findDeadlocks(queues),
      cycleOf: edges => parts.marks.cycleOf(browser.node, edges),
      mutualWaits,
      behindWriters: findReadersBehindWriters(queues),
      gaps: gapLines(loaded),
    },
    documentText,
  );
  await parts.texts.show('deadlocks.txt', text);
}

/** *Show Owner*: the client behind a node, and the sources of these facts. */
export async function showOwnerCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { contender, lock } = parts.targets.contender(argument);
  if (contender.isUnread === true) throw new NothingToDo(l10n.t('This node may not be read: its owner is not known.'));
  const client = await parts.targets.client(parts.targets.browserOf(lock));
  const owners = await withProgress(l10n.t('Asking the servers'), async signal => {
    const facts = await gatherOwners(lock.cluster.profile, client, ownerQueryOptions(parts), signal);
    if (signal.aborted) throw new CancelledError('Show Owner');
    return facts;
  });
  const text = ownerDocument(
    {
      cluster: lock.cluster.profile.name,
      contender,
      status: ownerOf(contender, owners),
      sources: owners.sources,
      now: Date.now(),
    },
    documentText,
  );
  await parts.texts.show('owner.txt', text);
}
