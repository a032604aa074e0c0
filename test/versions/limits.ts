import type { Engine } from '../support/engine.ts';
import { sandboxLimits } from './sandboxLimits.ts';
import { each, type TestLimit } from './testLimit.ts';

/** `play` in this variable turns the list round: only the listed tests are played, to see that each of them fails. */
export const listedTestsVariable = 'ZOOKEEPER_LISTED_TESTS';

/** What the tests play on. */
export interface PlayedServer {
  engine: Engine;
  /** As `3.8.0`. */
  version: string;
}

/** Everything that a supported server cannot do and a test needs. Whatever is not listed here passes on every version. */
const versionLimits: readonly TestLimit[] = [
  ...each(
    [
      ['diagnosis/deadlocks', /^Curator|a revocable Curator mutex/],
      ['diagnosis/threads'],
      ['ensemble/chaos', /^our recipes, Curator/],
      ['incident/savedIncident'],
      ['inspector/blockerPlays'],
      ['inspector/curatorContainers'],
      ['inspector/deafWaiters', /Curator/],
      ['inspector/healthyWaits', /Curator|looks like|nothing will wake/],
      ['inspector/watchedHolders', /Curator/],
      ['recipes/interop', /Curator/],
      ['recipes/semaphorePaths', /Curator/],
      // The other half of this file plays on the sandbox.
      ['sandbox/realLocks', /^on a real server .*Curator/],
      ['scenario/attach', /of Curator/],
      ['support/contenders', /^Curator(?! or ZooKeeper: '(zooKeeper|leaderElection))/],
      ['truth/deadlocks', /Curator|a candidate that stands by/],
      ['truth/downgrades'],
      ['truth/foreign', /^Curator/],
      ['truth/healthy'],
      ['truth/schedules', /Curator|at least 300 steps/],
      ['truth/threads', /^Curator/],
    ],
    {
      since: '3.5',
      reason:
        'Curator 5, with which we compare ourselves, makes containers, which came with 3.5: it takes no lock on 3.4.',
    },
  ),
  ...each(
    [
      ['diagnosis/owners', /AdminServer(?! without)|takes the word of the leader/],
      ['diagnosis/serverQuestions'],
      ['zookeeper/secure'],
      ['zklock/secured'],
    ],
    { since: '3.5', reason: 'The AdminServer, the Netty server and its TLS port came with 3.5.' },
  ),
  ...each([['diagnosis/owners', /by four-letter words alone/]], {
    since: '3.5',
    reason: 'Before 3.5 a follower answers `dump` without a list of sessions. That of the leader is used.',
  }),
  ...each([['recipes/interop', /a directory that we made does not vanish/]], {
    since: '3.5',
    reason: 'Containers, which vanish when they are empty, came with 3.5: nothing vanishes on 3.4.',
  }),
  ...each([['replay/formats', /snapshots: '(gz|snappy)'/]], {
    since: '3.6',
    reason: 'Before 3.6 snapshots are not compressed.',
  }),
  ...each([['replay/formats', /writes no paths of closed sessions/]], {
    since: '3.6',
    reason: 'Before 3.6 no server writes the paths of closed sessions, and there are no digests.',
  }),
  ...each([['recipes/counterEnd', /cannot give out twice/], ['truth/equalNumbers']], {
    since: '3.6',
    reason:
      'Before 3.6 a counter behind its end goes on, and no name comes twice: what these tests are about does not happen.',
  }),
  ...each([['bench']], {
    since: '3.6',
    reason:
      'Before 3.6 a server does not count the watches that it fires, and refuses the multiRead that the bare socket replays.',
  }),
  ...each([['zookeeper/fuzz']], {
    since: '3.5',
    reason: 'The recorded session begins with requests that 3.4 refuses: too few of its answers are left to change.',
  }),
  ...each([['recipes/throttled', /makes (attempts|readings) slower/]], {
    since: '3.7',
    reason: 'Before 3.7 no server answers THROTTLED_OP.',
  }),
  ...each([['zookeeper/serverSettings', /without a SASL log-in (?!serves)/]], {
    since: '3.5',
    reason: 'Before 3.5 no server can require a SASL log-in (sessionRequireClientSASLAuth).',
  }),
  ...each([['zookeeper/serverSettings', /without one of the log-ins/]], {
    since: '3.7',
    reason: 'Before 3.7 no server can name the log-ins of which it requires one (enforce.auth.schemes).',
  }),
  ...each([['ensemble/reconfig'], ['ensemble/localSessions', /sessions are local/]], {
    since: '3.5',
    reason: 'The reconfiguration of a running ensemble and local sessions came with 3.5.',
  }),
  ...each([['recipes/cost', /takes a free lock with two requests/]], {
    since: '3.5',
    reason: 'Before 3.5 the answer to a create has no stat, which costs one more request.',
  }),
  ...each([['zookeeper/removal', /a TTL node/]], {
    since: '3.5',
    reason: 'Containers and TTL nodes came with 3.5.',
  }),
  ...each([['sandbox/realClients', /zkCli/]], {
    since: '3.5',
    reason:
      'The zkCli that comes with 3.4 knows neither the options nor half of the commands: it is compared with none.',
  }),
  ...each(
    [
      [
        'zookeeper/watches',
        /a tree watch (reports every change|is one watch on|lets the same|serves nested|asks for a full|goes on for|keeps telling)/,
      ],
      ['zookeeper/lifecycle', /settles what is still under way/],
      ['zookeeper/serverFaults', /F1 restarts within T/],
      ['inspector/live', /takes its watch off the server/],
      ['zookeeper/removal', /^a container/],
      // Its record of the turns is made from such a watch.
      ['inspector/heldSince'],
      // A recorder refuses such a server (unit test).
      ['recorder/recordedPlay'],
      ['recorder/ensembleCauses'],
      ['recorder/observer'],
      ['recorder/everyLayout'],
      ['recorder/releaseThenClose'],
    ],
    {
      since: '3.6',
      reason:
        'Before 3.6 there are no recursive watches: one-shot watches say that something changed at or below a node, not what.',
    },
  ),
  ...each([['recorder/recorders']], {
    since: '3.6',
    reason: 'Before 3.6 there are no recursive watches, so nothing is recorded: the recorder says so.',
  }),
  ...each([['inspector/products', /whose data says who holds/]], {
    since: '3.6',
    reason: 'Before 3.6 the change of the data of a child is reported by no watch (docs/reliability.md, not promised).',
  }),
  ...each(
    [
      ['inspector/live', /in the middle of the re-read/],
      ['recipes/waitingFaults', /L10 the walk over those in front/],
      ['forceDelete/deletePipeline', /with one reading of the queue/],
    ],
    { since: '3.6', reason: 'Before 3.6 there is no multiRead, the request at which the fault strikes or is counted.' },
  ),
  ...each(
    [
      ['zookeeper/access', /^knows who it is/],
      ['zookeeper/secure', /^TLS opens a session|logs in as/],
    ],
    {
      since: '3.7',
      reason: 'Before 3.7 a server does not say as whom it knows a session (whoAmI).',
    },
  ),
  ...each([['inspector/live', /a candidate that comes back under the same name between two events/]], {
    until: '3.8.4',
    reason:
      'Since 3.8.4 and 3.9.2 `exists` asks for the right to read: of an unreadable node only the name is known, and a new one of that name is the same.',
  }),
];

/** @returns whether `version` comes before `other`, both as `3.4.14`; what is left out is 0 */
export function isBefore(version: string, other: string): boolean {
  const [these, those] = [version, other].map(each => each.split('.').map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (these![index] ?? 0) - (those![index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/**
 * @param file path of the test file; what stands before `test/integration` does not matter
 * @param name full name of the test
 * @returns why this test cannot pass on this server, `undefined` if it can
 */
export function reasonToSkip({ engine, version }: PlayedServer, file: string, name: string): string | undefined {
  const limits = versionLimits.filter(limit => isOutside(limit, version));
  if (engine === 'sandbox') limits.unshift(...sandboxLimits);
  return limits.find(limit => concerns(limit, { file, name }))?.reason;
}

/** A test as a report names it. */
interface NamedTest {
  file: string;
  name: string;
}

/** @returns the entries of the lists that no test of a whole run fits: they are about tests that have gone or have another name */
export function limitsWithoutTest(tests: readonly NamedTest[]): TestLimit[] {
  return [...versionLimits, ...sandboxLimits].filter(limit => !tests.some(test => concerns(limit, test)));
}

function isOutside({ since, until }: TestLimit, version: string): boolean {
  return (since !== undefined && isBefore(version, since)) || (until !== undefined && !isBefore(version, until));
}

function concerns(limit: TestLimit, { file, name }: NamedTest): boolean {
  const within = file.replaceAll('\\', '/').replace(/^.*test\/integration\//, '');
  return within.startsWith(limit.file) && (limit.name?.test(name) ?? true);
}
