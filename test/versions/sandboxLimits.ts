import { each, type TestLimit } from './testLimit.ts';

/** Everything that the sandbox has not and an integration test needs (docs/sandbox.md). Whatever is not listed here passes on it. */
export const sandboxLimits: readonly TestLimit[] = [
  ...each(
    [
      ['diagnosis/owners', /^an ensemble of three/],
      ['ensemble/chaos', /^our recipes, Curator/],
      ['ensemble/connecting', /^three servers/],
      ['ensemble/contact'],
      ['ensemble/failover'],
      ['ensemble/localSessions'],
      ['ensemble/partition'],
      ['ensemble/readOnlyMember'],
      ['ensemble/reconfig'],
      ['support/observer', /starts an ensemble/],
      ['support/serverLinks'],
      ['zookeeper/serverFaults', /^an ensemble/],
    ],
    { reason: 'The sandbox is one server: no ensemble, so no leader, no quorum and no member that lags.' },
  ),
  ...each(
    [
      ['inspector/live', /because the server restarts/],
      ['recipes/waitingFaults', /L9 the server is restarted/],
      ['zookeeper/serverFaults', /^a lone server that comes back/],
    ],
    { reason: 'The sandbox keeps everything in memory: sessions and nodes do not outlive it.' },
  ),
  ...each([['replay/formats'], ['replay/moments']], {
    reason: 'The sandbox writes neither transaction logs nor snapshots.',
  }),
  ...each([['zookeeper/secure'], ['zklock/secured'], ['diagnosis/serverQuestions', /^over TLS/]], {
    reason: 'The sandbox has neither TLS nor SASL.',
  }),
  ...each([['zookeeper/serverSettings', /without a SASL log-in/]], {
    reason: 'The sandbox has no SASL, and requires no log-in.',
  }),
  ...each(
    [
      ['diagnosis/owners', /^a lone server of another cluster|says when they are not allowed/],
      ['diagnosis/serverQuestions', /^servers that refuse/],
    ],
    { reason: 'The sandbox has no AdminServer, and answers every four-letter word to everyone.' },
  ),
  ...each(
    [
      ['diagnosis/reportedHosts', /^a cluster whose configuration/],
      ['ensemble/connecting', /^a full server/],
      ['recipes/throttled'],
      ['zookeeper/serverSettings', /without one of the log-ins/],
    ],
    {
      reason: 'The sandbox lacks the setting: skipACL, maxClientCnxns, the throttle of requests, enforce.auth.',
    },
  ),
  ...each(
    [
      ['sandbox/differential', /^300 random programs/],
      ['sandbox/fourLetterWords'],
      ['sandbox/realClients'],
      ['sandbox/realLocks'],
    ],
    {
      reason: 'The test compares the sandbox with a real server, so it plays on both by itself.',
    },
  ),
  ...each([['sandbox/hostileClients']], {
    reason: 'The test starts sandboxes of its own: once is enough.',
  }),
  ...each(
    [['replay/holds'], ['zklock/history'], ['replay/everyMoment'], ['incident/pastBlockers', /transaction logs/]],
    {
      reason: 'The sandbox writes no transaction logs.',
    },
  ),
  ...each(
    [['recorder/recordedPlay'], ['recorder/ensembleCauses'], ['recorder/observer'], ['recorder/releaseThenClose']],
    {
      reason: 'The tests compare a recorder with a transaction log, or start servers with settings of their own.',
    },
  ),
  ...each([['bench']], {
    reason: 'The benchmarks compare clients on the real server; the sandbox has rows of its own.',
  }),
];
