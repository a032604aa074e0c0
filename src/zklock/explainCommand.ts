import { isoTime } from '../base/isoTime.ts';
import { sessionText } from '../base/sessionText.ts';
import { textReport } from '../base/textReport.ts';
import { explanationReport } from '../extension/words/explanationText.ts';
import { explainLock, type ExplainedContender, type LockExplanation } from '../inspector/explainLock.ts';
import { findDeadlocks } from '../inspector/findDeadlocks.ts';
import { clusterServers } from '../inspector/owners/clusterServers.ts';
import { readOwners } from '../inspector/owners/readOwners.ts';
import { readWatchers, watchesBeside } from '../inspector/owners/readWatchers.ts';
import { readQueues } from '../inspector/readQueues.ts';
import { askOptions, readSecurity, reading, type ReadCluster } from './cluster.ts';
import { checkedPath, type CommandParts } from './command.ts';
import { ExitCode } from './failure.ts';
import { plainJson, shown } from './plainText.ts';

/** `zklock explain`. @returns the exit code @throws what connecting and reading throw */
export async function explainCommand(parts: CommandParts): Promise<number> {
  const { options, rest, environment, signal, output } = parts;
  const [connectString = '', place = ''] = rest;
  const path = checkedPath(place);
  const security = await readSecurity(options, environment);
  const explanations = await reading(connectString, security, signal, cluster => explain(cluster, path, signal));
  if (options.json !== undefined) output.line(plainJson(explanations.map(explanationJson)));
  else
    output.line(
      explanations
        .map(each => textReport(explanationReport(each)))
        .join('\n')
        .trimEnd(),
    );
  if (explanations.length > 0) return ExitCode.good;
  output.note(`There is no lock at ${shown(path)}: no contender stands there.`);
  return ExitCode.failed;
}

/**
 * Every lock at the path, as *Explain Lock* reads one: it is read, the servers are asked, and it is read once more, since what they say
 * counts for contenders that stayed as they were. Waits are followed within these locks only.
 */
async function explain(
  { client, connectString, chroot, security }: ReadCluster,
  path: string,
  signal: AbortSignal,
): Promise<LockExplanation[]> {
  const readAt = Date.now();
  const queues = await readQueues(client, path, { signal });
  if (queues.length === 0) return [];
  const ask = askOptions(security, signal);
  const servers = await clusterServers(connectString, client, ask);
  const [owners, watches] = await Promise.all([
    readOwners(servers, client.sessionId, ask),
    readWatchers(servers, { ...ask, chroot }),
  ]);
  const later = (await readQueues(client, path, { signal })).flatMap(({ contenders }) => contenders);
  const facts = { owners, watches: watchesBeside(owners, watches), later, deadlocks: findDeadlocks(queues) };
  return queues.map(queue => explainLock(queue, { ...facts, cluster: connectString, readAt, now: Date.now() }));
}

function explanationJson(explanation: LockExplanation) {
  const { queue, cluster, readAt, holders, waiters, moreWaiters, onRelease, hazards, silent } = explanation;
  const { path, lockName, dialect, maxLeases } = queue;
  return {
    cluster,
    path,
    ...(lockName === undefined ? {} : { lockName }),
    dialect,
    ...(maxLeases === undefined ? {} : { maxLeases }),
    readAt: isoTime(readAt),
    headline: textReport({ headline: explanationReport(explanation).headline, blocks: [] }).trimEnd(),
    holders: holders.map(contenderJson),
    waiters: waiters.map(contenderJson),
    moreWaiters,
    onRelease:
      onRelease === undefined
        ? null
        : { succession: onRelease.succession, next: namesOf(onRelease.next), unwoken: namesOf(onRelease.unwoken) },
    hazards,
    notReported: silent,
  };
}

function namesOf(contenders: readonly { name: string }[]): string[] {
  return contenders.map(({ name }) => name);
}

function contenderJson({ contender, position, owner, staleReasons, isLeaseOver }: ExplainedContender) {
  const { name, kind, identifier, createdAt, heldSince, waitsFor, isUnread } = contender;
  const head = { position, node: name, kind };
  if (isUnread === true) return { ...head, mayNotBeRead: true };
  const since = heldSince && {
    earliest: isoTime(heldSince.earliest),
    ...(heldSince.latest === undefined ? {} : { latest: isoTime(heldSince.latest) }),
  };
  return {
    ...head,
    identifier,
    ...(waitsFor === undefined ? {} : { waitsFor }),
    queuedAt: isoTime(createdAt),
    ...(since === undefined ? {} : { heldSince: since }),
    session: owner.session === 0n ? null : sessionText(owner.session),
    sessionLives: owner.alive,
    ...(owner.connection === undefined ? {} : { address: owner.connection.address, server: owner.connection.server }),
    staleReasons,
    leaseIsOver: isLeaseOver,
  };
}
