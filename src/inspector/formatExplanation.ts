import type { Contender } from '../locks/lockQueue.ts';
import type { ExplainedContender, LockExplanation } from './explainLock.ts';
import type { OwnerStatus } from './owners/ownerFacts.ts';

/** How the text is made; the words are the caller's to translate. */
export interface ExplanationTexts {
  /** Puts `args` into `{0}`, `{1}`, … of a translated message. */
  translate: (message: string, ...args: (string | number)[]) => string;
  /** Makes foreign text (names, identifiers, addresses) safe to paste; it must leave no control characters. */
  clean: (text: string) => string;
  /** A span of time in words. */
  age: (spanMs: number) => string;
  /** A sentence for a hazard. */
  hazard: (kind: LockExplanation['hazards'][number]['kind']) => string;
}

/**
 * Writes an explanation as plain text for an incident channel: one line per fact, the important ones first. Times are UTC, so that
 * readers in several places mean the same moment.
 *
 * @returns lines joined by `\n`, without a line end at the end
 */
export function formatExplanation(explanation: LockExplanation, texts: ExplanationTexts): string {
  const { translate: t, clean } = texts;
  const { queue } = explanation;
  const name = queue.lockName === undefined ? clean(queue.path) : `${clean(queue.path)} (${clean(queue.lockName)})`;
  return [
    t('Lock {0} on {1}, read at {2}', name, clean(explanation.cluster), utc(explanation.readAt)),
    t('Layout: {0}; {1} in the queue', queue.dialect, queue.contenders.length),
    ...holderLines(explanation, texts),
    ...waiterLines(explanation, texts),
    releaseLine(explanation, texts),
    herdLine(explanation, texts),
    ...explanation.cycles.map(cycle =>
      t(
        'Deadlock: {0}',
        cycle
          .map(({ lock, waiter, blocker }) =>
            t('{0} waits for {1} at {2}', who(waiter, texts), who(blocker, texts), clean(lock.path)),
          )
          .join('; '),
      ),
    ),
    ...explanation.hazards.map(({ kind, names }) => t('Note: {0} ({1} nodes)', texts.hazard(kind), names.length)),
    ...silentLines(explanation, texts),
  ].join('\n');
}

function holderLines({ holders }: LockExplanation, texts: ExplanationTexts): string[] {
  const { translate: t } = texts;
  if (holders.length === 0) return [t('Head of the queue: nobody')];
  return holders.map(holder => t('Head of the queue: {0}', contenderText(holder, texts)));
}

function waiterLines({ waiters, moreWaiters }: LockExplanation, texts: ExplanationTexts): string[] {
  const { translate: t } = texts;
  if (waiters.length === 0) return [t('Nobody waits')];
  const lines = waiters.map(waiter => t('Waiting, position {0}: {1}', waiter.position, contenderText(waiter, texts)));
  return moreWaiters === 0 ? lines : [...lines, t('and {0} more', moreWaiters)];
}

function contenderText(explained: ExplainedContender, texts: ExplanationTexts): string {
  const { contender, ageMs, owner, staleReasons } = explained;
  const { translate: t } = texts;
  const since = t('since {0} ({1})', utc(contender.createdAt), texts.age(ageMs));
  const parts = [who(contender, texts), contender.kind, since, ownerText(owner, texts)];
  if (staleReasons.length > 0) parts.push(t('looks stale: {0}', staleReasons.join(', ')));
  return parts.join(', ');
}

function who({ identifier, name }: Contender, { clean }: ExplanationTexts): string {
  return identifier === '' ? clean(name) : `${clean(identifier)} [${clean(name)}]`;
}

function ownerText({ session, alive, connection }: OwnerStatus, { translate: t, clean }: ExplanationTexts): string {
  const id = `0x${BigInt.asUintN(64, session).toString(16)}`;
  if (alive === 'no-owner') return t('not ephemeral, no session owns it');
  if (connection !== undefined)
    return t('session {0} from {1} by way of {2}', id, clean(connection.address), clean(connection.server));
  if (alive === 'yes') return t('session {0} lives', id);
  return alive === 'no' ? t('session {0} is not known to the leader', id) : t('session {0}', id);
}

function releaseLine({ onRelease }: LockExplanation, texts: ExplanationTexts): string {
  const { translate: t } = texts;
  if (onRelease === undefined) return t('On release: nothing, nobody holds it');
  if (onRelease.succession === 'race') return t('On release: whoever creates the node first gets it');
  if (onRelease.next.length === 0) return t('On release: nobody gets it');
  return t('On release it goes to: {0}', onRelease.next.map(next => who(next, texts)).join(', '));
}

function herdLine({ herd }: LockExplanation, { translate: t }: ExplanationTexts): string {
  const registered = herd.registered === undefined ? '' : ` ${t('({0} registered on the servers)', herd.registered)}`;
  if (herd.sessions === undefined) return t('The release wakes everybody who watches the node') + registered;
  return t('The release wakes {0} sessions', herd.sessions) + registered;
}

function silentLines({ silent }: LockExplanation, { translate: t, clean }: ExplanationTexts): string[] {
  return silent.map(({ server, by, question, outcome }) =>
    t('Not known from {0}: {1} by {2}, {3}', clean(server), question, by, outcome),
  );
}

function utc(epochMs: number): string {
  // Outside of the calendar's range there is no date to write.
  return Math.abs(epochMs) > 8.64e15 ? String(epochMs) : new Date(epochMs).toISOString();
}
