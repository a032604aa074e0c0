import { displayText } from '../../base/displayText.ts';
import { requireDeletable } from '../../inspector/deleteGuards.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { serverTime, type ContenderNode } from '../../app/clusters/clusterModel.ts';
import { guardsOf, runDeletes, type PlannedAct } from '../../app/deletes/deletePipeline.ts';
import { lookAtContender, mustTypeName, nameOf, type ContenderLook } from '../../app/deletes/lookAtContender.ts';
import { deleteQuestion, outcomeText, unchangedText } from '../words/deleteText.ts';
import { withProgress } from '../platform/withProgress.ts';
import { askTypedName } from '../dialogs/deleteQuestions.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import { ownerQueryOptions } from './ownerQuery.ts';
import { l10n } from '../words/language.ts';

/** *Force Delete…*: reads the queue again, shows the consequences, and deletes the node if the user confirms. */
export async function forceDeleteCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { registry, audit, targets, ownLocks } = parts;
  const row = targets.contender(argument);
  const { cluster, path, live } = row.lock;
  const browser = targets.browserOf(row);
  let next: readonly Contender[] = [];
  const [report] = await runDeletes({ registry, audit, sessions: ownLocks }, cluster, {
    look: () => look(parts, row),
    confirm: async seen => {
      if (seen.kind === 'found') next = seen.consequences.nextHolders;
      return confirm(parts, row, seen);
    },
  });
  if (report !== undefined) {
    if ('error' in report) throw report.error;
    show(parts, outcomeText(report, next));
  }
  if (!live) await browser.refresh(path);
}

async function look(parts: DiagnosisParts, row: ContenderNode): Promise<ContenderLook> {
  const { targets, ownLocks } = parts;
  const { lock, contender } = row;
  // Before anything is read or asked.
  requireDeletable(contender.path, guardsOf(lock.cluster.profile));
  const client = await targets.client(targets.browserOf(row));
  const isOwn = ownLocks.releaserOf(lock.cluster.id, contender.path) !== undefined;
  return withProgress(l10n.t('Reading {0} and its owner', displayText(contender.path)), async signal => {
    const ownerQuery = ownerQueryOptions(parts);
    const now = serverTime(row, Date.now());
    const seen = await lookAtContender(client, row, { ownerQuery, isOwn, now, signal });
    if (signal.aborted) throw new CancelledError('Force Delete');
    return seen;
  });
}

/** One question; where a click is not enough, the name of the lock after it. @throws CancelledError */
async function confirm(parts: DiagnosisParts, row: ContenderNode, seen: ContenderLook): Promise<PlannedAct[]> {
  const { reporter, ownLocks } = parts;
  const { profile, id } = row.lock.cluster;
  if (seen.kind !== 'found') {
    show(parts, unchangedText(row.contender.path, seen.kind));
    return [];
  }
  const { target, consequences } = seen;
  const { question, detail } = deleteQuestion(profile, consequences);
  const chosen = await reporter.choose(question, detail, [
    ...(consequences.gentler === 'release' ? [{ value: 'release' as const, label: l10n.t('Release') }] : []),
    ...(consequences.gentler === 'revoke'
      ? [{ value: 'revoke' as const, label: l10n.t('Ask Holder to Release') }]
      : []),
    { value: 'delete' as const, label: l10n.t('Force Delete') },
  ]);
  switch (chosen) {
    case 'release':
      await ownLocks.releaserOf(id, target.path)?.();
      return [];
    case 'revoke':
      return [{ action: 'request revoke', target, listening: consequences.revokeListener }];
    case 'delete':
      if (mustTypeName(profile, [consequences.owner]))
        await askTypedName(l10n.t('Force Delete'), nameOf(consequences.lock));
      return [{ action: 'force delete', target, recognised: consequences.contender }];
    case undefined:
      return [];
  }
}

function show({ reporter }: DiagnosisParts, { text, calm }: { text: string; calm: boolean }): void {
  if (calm) reporter.inform(text);
  else reporter.warn(text);
}
