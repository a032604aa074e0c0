import { asBlockerRow } from '../../app/blockers/blockerRows.ts';
import { clusterOf, type ClusterNode } from '../../app/clusters/clusterModel.ts';
import { RowGone } from '../../app/clusters/clusterErrors.ts';
import { isObject } from '../../app/clusters/clusterProfile.ts';
import { subjectOf } from '../../app/sessions/find.ts';
import { readSubject, type Subject } from '../../app/sessions/subject.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { l10n } from '../words/language.ts';
import type { CommandParts } from './clusterCommands.ts';
import type { OwnLocks } from './diagnosisParts.ts';
import { askInClusters } from './findCommand.ts';

interface SessionCommandParts extends Pick<CommandParts, 'registry' | 'targets'> {
  ownLocks: Pick<OwnLocks, 'sessionOf'>;
}

/** What *Show Session* is about. */
export interface SessionTarget {
  cluster: ClusterNode;
  subject: Subject;
}

/**
 * The session that a command is about: that of the row that was passed, of a test lock, or the one that is named by its cluster and id,
 * address or identifier; without any, what the person finds in the clusters.
 *
 * @param argument anything: other extensions may call the command
 * @throws NothingToDo where there is no session; RowGone when the cluster was removed; CancelledError
 */
export async function sessionTarget(parts: SessionCommandParts, argument: unknown): Promise<SessionTarget> {
  if (argument === undefined) return askedTarget(parts);
  // First: `Targets` would take the lock of such a row.
  const ofBlockers = ofBlockerRow(parts, argument);
  if (ofBlockers !== undefined) return ofBlockers;
  const row = parts.targets.row(argument);
  if (row?.type === 'contender') return ofContender(clusterOf(row), row.contender);
  if (row === undefined && isObject(argument)) {
    const target = ofTestLock(parts, argument) ?? ofFields(parts, argument);
    if (target !== undefined) return target;
  }
  throw new NothingToDo(l10n.t('Select a holder or waiter in the Clusters view first.'));
}

function ofContender(cluster: ClusterNode, { isUnread, ownerSession }: Contender): SessionTarget {
  if (isUnread === true) throw mayNotBeRead();
  if (ownerSession === 0n) throw noSession();
  return { cluster, subject: { kind: 'session', id: ownerSession } };
}

function mayNotBeRead(): NothingToDo {
  return new NothingToDo(l10n.t('This node may not be read: its owner is not known.'));
}

function noSession(): NothingToDo {
  return new NothingToDo(l10n.t('No session owns this node: it stays until it is deleted.'));
}

/** The row of a test lock: its node belongs to the window's own session. */
function ofTestLock({ registry, ownLocks }: SessionCommandParts, argument: Record<string, unknown>) {
  const { type, request } = argument;
  if (type !== 'testLock' || !isObject(request) || !isObject(request['cluster'])) return undefined;
  const cluster = listed(registry, request['cluster']['id']);
  const id = ownLocks.sessionOf(cluster.id);
  if (id === undefined) throw new NothingToDo(l10n.t('This test lock has no session: it is not connected.'));
  return target(cluster, { kind: 'session', id });
}

/** A row of the view Blockers. One that stands for a lock, or for several sessions, is none. */
function ofBlockerRow({ registry }: SessionCommandParts, argument: unknown): SessionTarget | undefined {
  const row: unknown = asBlockerRow(argument);
  if (!isObject(row) || !isObject(row['cluster'])) return undefined;
  const { type, session, kind } = row;
  const shown: unknown = row['cluster'];
  const cluster = listed(registry, row['cluster']['id']);
  // It was removed and added again.
  if (cluster !== shown) throw new RowGone();
  if (typeof session === 'bigint' && session !== 0n) {
    return target(cluster, { kind: 'session', id: BigInt.asIntN(64, session) });
  }
  if (type !== 'blockerWait' && (type !== 'blocker' || kind === 'cycle'))
    throw new NothingToDo(l10n.t('Select a holder or waiter in the Clusters view first.'));
  throw isOfUnread(row) ? mayNotBeRead() : noSession();
}

function isOfUnread({ contender }: Record<string, unknown>): boolean {
  return isObject(contender) && contender['isUnread'] === true;
}

function ofFields({ registry }: SessionCommandParts, argument: Record<string, unknown>) {
  const { cluster } = argument;
  const subject = readSubject(argument);
  if (typeof cluster !== 'string' || subject === undefined) return undefined;
  return target(listed(registry, cluster), subject);
}

function target(cluster: ClusterNode, subject: Subject): SessionTarget {
  return { cluster, subject };
}

function listed(registry: SessionCommandParts['registry'], id: unknown): ClusterNode {
  const node = typeof id === 'string' ? registry.get(id)?.node : undefined;
  if (node === undefined) throw new RowGone();
  return node;
}

async function askedTarget(parts: SessionCommandParts): Promise<SessionTarget> {
  const found = await askInClusters(parts, {
    title: l10n.t('Show Session'),
    placeholder: l10n.t('Which session? Part of a client or an address, or a session id like 0x100a5b2f0000'),
    find: (index, typed) => index.findClients(typed),
  });
  return target(listed(parts.registry, found.cluster.id), subjectOf(found));
}
