import { l10n } from 'vscode';
import type { DeleteConsequences } from '../../inspector/deleteConsequences.ts';
import { deleteContender, type DeleteTarget } from '../../inspector/forceDelete.ts';
import { requestRevoke } from '../../inspector/requestRevoke.ts';
import { RefusedDelete } from '../../inspector/refusedDelete.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { sameClusterCheck } from '../../app/clusters/clusterRegistry.ts';
import { askText, valueOf } from '../dialogs/quickInput.ts';
import { displayText } from '../../base/displayText.ts';
import type { ContenderNode } from '../../app/clusters/clusterModel.ts';
import type { AuditAction } from '../../app/deletes/auditList.ts';
import { actOf } from '../words/auditText.ts';
import { mustTypeName, nameToType } from '../../app/deletes/deleteDecision.ts';
import { guardsOf, readFresh, refuseGuarded, type FreshTarget } from '../../app/deletes/deleteTarget.ts';
import { deleteQuestion, outcomeText, revokeText } from '../words/deleteText.ts';
import { askMeans } from './askMeans.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import { withProgress } from '../platform/withProgress.ts';
import { englishText } from '../words/errorText.ts';

/**
 * *Force Delete…*: reads the node anew, tells what would happen, and deletes it if the person still wants to. The row only
 * says which node; nothing of what it shows is trusted.
 */
export async function forceDeleteCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { targets } = parts;
  const row = targets.contender(argument);
  const browser = targets.browserOf(row);
  refuseGuarded(browser.node.profile, row.contender.path);
  const requireSame = sameClusterCheck(parts.registry, row.lock.cluster);
  await targets.connected(browser);
  const fresh = await lookAt(parts, row);
  if (fresh.kind === 'found') await decide(parts, row, fresh, requireSame);
  else {
    const { text, calm } = outcomeText({ path: row.contender.path, outcome: fresh.kind, stillThere: false });
    (calm ? inform : warn)(parts, text);
  }
  if (!row.lock.live) await browser.refresh(row.lock.path);
}

/** Asks, and does what was chosen. @throws CancelledError; ClusterChanged, before anything is sent */
async function decide(
  parts: DiagnosisParts,
  row: ContenderNode,
  { target, consequences }: Extract<FreshTarget, { kind: 'found' }>,
  requireSame: () => void,
): Promise<void> {
  const choice = await askFor(parts, row, consequences);
  if (choice === 'revoke' || choice === 'delete') requireSame();
  switch (choice) {
    case 'release':
      return parts.ownLocks.releaserOf(row.lock.cluster.id, target.path)?.();
    case 'revoke':
      return revoke(parts, row, target);
    case 'delete':
      return remove(parts, row, target, consequences);
    case undefined:
      return undefined;
  }
}

function inform({ reporter }: DiagnosisParts, text: string): void {
  reporter.inform(text);
}

function warn({ reporter }: DiagnosisParts, text: string): void {
  reporter.warn(text);
}

function lookAt(parts: DiagnosisParts, row: ContenderNode): Promise<FreshTarget> {
  const { ownLocks, registry } = parts;
  const { lock, contender } = row;
  const client = registry.get(lock.cluster.id)?.connection.client;
  if (client === undefined) throw new CancelledError('Force delete');
  const title = l10n.t('Looking at {0} and its owner', displayText(contender.path));
  const isOwn = ownLocks.releaserOf(lock.cluster.id, contender.path) !== undefined;
  const means = askMeans(parts);
  return withProgress(title, async signal => {
    const fresh = await readFresh(client, row, { means, isOwn, now: Date.now(), signal });
    if (signal.aborted) throw new CancelledError(title);
    return fresh;
  });
}

type Choice = 'release' | 'revoke' | 'delete' | undefined;

/** One question; where a click is not enough, the name of the lock after it. @throws CancelledError */
async function askFor(
  { reporter }: DiagnosisParts,
  { lock }: ContenderNode,
  consequences: DeleteConsequences,
): Promise<Choice> {
  const { profile } = lock.cluster;
  const { question, detail } = deleteQuestion(profile, consequences);
  const remove = { value: 'delete' as const, label: l10n.t('Force Delete') };
  const gentler =
    consequences.gentler === 'release'
      ? [{ value: 'release' as const, label: l10n.t('Release') }]
      : consequences.gentler === 'revoke'
        ? [{ value: 'revoke' as const, label: l10n.t('Ask Holder to Release') }]
        : [];
  const chosen = await reporter.choose(question, detail, [...gentler, remove]);
  if (chosen === 'delete' && mustTypeName(profile, consequences))
    await typeName(l10n.t('Force Delete'), nameToType(consequences.lock));
  return chosen;
}

/**
 * @param name as the tree shows it, unseen characters as their codes
 * @throws CancelledError when the person does not type it
 */
export async function typeName(title: string, name: string): Promise<void> {
  const shown = displayText(name);
  const answer = await askText({
    title,
    value: '',
    prompt: l10n.t('Type "{0}" to delete. Escape deletes nothing.', shown),
    placeholder: shown,
    validate: text => (text.trim() === name ? undefined : l10n.t('This is not "{0}".', shown)),
  });
  valueOf(answer);
}

async function remove(
  parts: DiagnosisParts,
  { lock }: ContenderNode,
  target: DeleteTarget,
  { nextHolders }: DeleteConsequences,
): Promise<void> {
  const { cluster } = lock;
  await audited(parts, 'force delete', { cluster, target }, async () => {
    const client = await parts.ownLocks.clientOf(cluster);
    // The profile is asked again: it may have become read-only while the session was opened.
    const report = await deleteContender(client, target, guardsOf(cluster.profile));
    const { text, calm } = outcomeText(report, report.outcome === 'deleted' ? nextHolders : []);
    (calm ? inform : warn)(parts, text);
    return report.outcome;
  });
}

async function revoke(parts: DiagnosisParts, { lock }: ContenderNode, target: DeleteTarget): Promise<void> {
  const { cluster } = lock;
  await audited(parts, 'request revoke', { cluster, target }, async () => {
    const client = await parts.ownLocks.clientOf(cluster);
    const outcome = await requestRevoke(client, target, guardsOf(cluster.profile));
    const { text, calm } = revokeText(target.path, outcome);
    (calm ? inform : warn)(parts, text);
    return outcome;
  });
}

/** Notes an act with its outcome, also if it was refused or failed. */
async function audited(
  { audit }: DiagnosisParts,
  action: AuditAction,
  { cluster, target }: { cluster: ContenderNode['lock']['cluster']; target: DeleteTarget },
  act: () => Promise<string>,
): Promise<void> {
  let outcome = '';
  try {
    outcome = await act();
  } catch (error) {
    outcome = error instanceof RefusedDelete ? `refused: ${error.reason}` : `failed: ${englishText(error)}`;
    throw error;
  } finally {
    await audit.record(actOf(action, cluster.profile, target, outcome));
  }
}
