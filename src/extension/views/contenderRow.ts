import { isLeaseOver, isPersistent, type Contender } from '../../locks/lockQueue.ts';
import { colorIds, contextValues, type ContextValue } from '../platform/contributions.ts';
import { ageText, dateTimeText, joined, l10n, nameText } from '../words/language.ts';
import { standingLine, standingText } from '../words/heldText.ts';
import { dataText } from '../words/dataText.ts';
import { displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import { whoText, kindText } from '../words/contenderText.ts';
import type { Stat } from '../../zookeeper/client.ts';
import { hazardText, contenderMarkLines, contenderMarkText } from '../words/markText.ts';
import { contenderSeverity, type ContenderMarks } from '../../app/clusters/marks.ts';
import { serverTime, type ContenderNode } from '../../app/clusters/clusterModel.ts';
import { deadlockLooks, type Row } from './row.ts';

function waitsForText({ contender, ahead }: ContenderNode): string {
  if (contender.role === 'holder') return '';
  if (ahead !== undefined) return l10n.t('waits for {0} {1}', `#${String(ahead.position)}`, whoText(ahead.contender));
  if (contender.waitsFor !== undefined) return l10n.t('waits for {0}', nameText(contender.waitsFor));
  return '';
}

function contextValueOf({ contender: { role, ownerSession, isUnread }, lock }: ContenderNode): ContextValue {
  if (isUnread === true) return contextValues.unread;
  const kind = ownerSession === 0n ? role : (`${role}WithSession` as const);
  if (lock.cluster.time !== undefined) return contextValues[`${kind}Recorded`];
  return contextValues[lock.cluster.profile.readOnly === true ? (`${kind}ReadOnly` as const) : kind];
}

function ownerText(session: bigint): string {
  return session === 0n
    ? l10n.t('Owner session: none (not ephemeral)')
    : l10n.t('Owner session: {0}', sessionText(session));
}

function mayHoldText({ kind, isUnread }: Contender): string {
  if (kind === 'lease') return hazardText(isUnread === true ? 'unreadable' : 'limit-unknown');
  if (kind !== 'read') return hazardText('sight-unknown');
  return l10n.t(
    'Or it holds: up to Curator 5.4 a reader holds below the write lock of its own thread. A reader of another thread waits, and looks the same.',
  );
}

function placeText(node: ContenderNode, now: number): string {
  if (node.contender.role === 'waiter') {
    const text = waitsForText(node) === '' ? l10n.t('Waits without watching another node') : waitsForText(node);
    return node.contender.mayHold === true ? `${text}. ${mayHoldText(node.contender)}` : text;
  }
  const { leaseEndsAt } = node.contender;
  if (leaseEndsAt !== undefined && isLeaseOver(node.contender, now)) {
    return l10n.t('Its lease ended: {0}', dateTimeText(leaseEndsAt));
  }
  return node.position === 1
    ? l10n.t('At the head of the queue: it holds by the rule of its library')
    : l10n.t('It holds by the rule of its library');
}

/** The lines that need no reading of the node. */
function baseTooltip(node: ContenderNode, now: number, marks: ContenderMarks | undefined): string[] {
  const { contender } = node;
  return [
    displayText(contender.path, 1000),
    `#${String(node.position)} · ${whoText(contender)} · ${kindText(contender.kind)}`,
    ...(contender.details === undefined ? [] : [l10n.t('Details: {0}', displayText(contender.details, 200))]),
    placeText(node, now),
    ...contenderMarkLines(marks),
    ...statLines(contender, now),
  ];
}

function statLines(contender: Contender, now: number): string[] {
  if (contender.isUnread === true) {
    return [l10n.t('These credentials may not read it: only its name and its place in the queue are known.')];
  }
  return [
    standingLine(contender, now),
    ownerText(contender.ownerSession),
    l10n.t(
      'Queued: {0} ({1} ago, by the server clock)',
      dateTimeText(contender.createdAt),
      ageText(now - contender.createdAt),
    ),
    `czxid: 0x${contender.czxid.toString(16)}`,
  ];
}

/** The tooltip with the node's stat and data. @param now epoch ms of this machine @param read `undefined` if reading failed; ignored if its czxid differs */
export function contenderTooltip(
  node: ContenderNode,
  now: number,
  read: { data: Uint8Array; stat: Stat } | undefined,
  marks?: ContenderMarks,
): string {
  const lines = baseTooltip(node, serverTime(node, now), marks);
  if (node.contender.isUnread === true) return lines.join('\n');
  if (read?.stat.czxid !== node.contender.czxid) {
    return [...lines, l10n.t('Its data cannot be read now.')].join('\n');
  }
  const { stat, data } = read;
  return [
    ...lines,
    `mzxid: 0x${stat.mzxid.toString(16)} · pzxid: 0x${stat.pzxid.toString(16)}`,
    l10n.t('Version: {0} · ACL version: {1} · children: {2}', stat.version, stat.aversion, stat.numChildren),
    l10n.t('Changed: {0}', dateTimeText(stat.mtime)),
    // Logs hold secrets, and a record of the past is looked at in company.
    node.lock.cluster.time === undefined
      ? dataText(data)
      : l10n.t('Data: {0} bytes, not shown here; Show Node Data shows them', data.length),
  ].join('\n');
}

/** What it holds or waits for, its kind, and for how long. */
function standingParts(node: ContenderNode, now: number): string[] {
  const { contender } = node;
  const mayHold = contender.mayHold === true ? l10n.t('or holds') : '';
  const unread = contender.isUnread === true ? l10n.t('may not be read') : '';
  const [kind, waitsFor] = [kindText(contender.kind), waitsForText(node)];
  if (waitsFor === '') return [standingText(contender, now), mayHold, kind, unread];
  return [waitsFor, mayHold, kind, unread === '' ? ageText(now - contender.createdAt) : unread];
}

function lookOf({ isUnread, role }: Contender, marks: ContenderMarks | undefined): Pick<Row, 'icon' | 'color'> {
  if (marks?.deadlock !== undefined) return deadlockLooks[marks.deadlock];
  const color = colorIds[contenderSeverity(marks) ?? role];
  if (isUnread === true) return { icon: 'eye-closed', color };
  return { icon: role === 'holder' ? 'key' : 'clockface', color };
}

export function contenderRow(node: ContenderNode, now: number, marks?: ContenderMarks): Row {
  const { contender, lock } = node;
  const { connection } = lock.cluster;
  const isLost = connection.kind === 'lost';
  const trust = connection.kind === 'uncertain' ? l10n.t('uncertain') : isLost ? l10n.t('not current') : '';
  const label = `#${String(node.position)} ${whoText(contender)}`;
  const parts = [trust, ...standingParts(node, serverTime(node, now))];
  const notEphemeral = isPersistent(contender) ? l10n.t('not ephemeral') : '';
  const trouble = contenderMarkText(marks);
  return {
    label,
    description: joined([trouble, ...parts, notEphemeral]),
    tooltip: undefined,
    accessibleLabel: joined(
      [l10n.t('Position {0}', node.position), whoText(contender), trouble, ...parts, notEphemeral],
      ', ',
    ),
    ...lookOf(contender, marks),
    ...(isLost ? { color: 'disabledForeground' } : {}),
    contextValue: contextValueOf(node),
    parent: false,
    decoration: isLost ? 'dimmed' : contenderSeverity(marks),
  };
}
