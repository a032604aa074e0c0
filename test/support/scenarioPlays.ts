import { clusterServers } from '../../src/inspector/owners/clusterServers.ts';
import { readOwners } from '../../src/inspector/owners/readOwners.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { isPlayable, readScenario } from '../../src/scenario/readScenario.ts';
import { runScenario, type Failure, type RunOptions, type RunResult } from '../../src/scenario/runScenario.ts';
import { clusterAt, type ScenarioCluster } from '../../src/scenario/scenarioCluster.ts';
import { connect } from '../../src/zookeeper/connect.ts';

const folder = new URL('../../samples/', import.meta.url);

/** The samples that come with the extension: name and text of each, in order. */
export const samples: readonly (readonly [name: string, text: string])[] = readdirSync(folder)
  .filter(name => name.endsWith('.zklock'))
  .sort()
  .map(name => [name, readFileSync(new URL(name, folder), 'utf8')]);

/** Plays a text. @throws Error with its problems if it cannot be played */
export async function playText(text: string, cluster: ScenarioCluster, options?: RunOptions): Promise<RunResult> {
  const read = readScenario(text);
  if (!isPlayable(read)) throw new Error(`Not playable: ${JSON.stringify(read.problems)}\n${text}`);
  return runScenario(read.scenario, read.paths, cluster, options);
}

/** A cluster that a connect string leads to, and the sessions that were opened there. */
export interface WatchedCluster {
  readonly cluster: ScenarioCluster;
  readonly sessionIds: readonly bigint[];
}

/**
 * @param sessionTimeoutMs of all sessions: what is cut off expires after it. Short ones end on a machine that pauses for as long
 */
export function watchedCluster(connectString: string, sessionTimeoutMs = 4_000): WatchedCluster {
  const sessionIds: bigint[] = [];
  const cluster = clusterAt(
    connectString,
    async options => {
      const client = await connect(connectString, { ...options, sessionTimeoutMs });
      sessionIds.push(client.sessionId);
      return client;
    },
    async (reader, signal) => readOwners(await clusterServers(connectString, reader), reader.sessionId, { signal }),
  );
  return { cluster, sessionIds };
}

/** A failure in one line, for messages of tests and for comparisons. */
export function failureLine(failure: Failure | undefined): string {
  switch (failure?.kind) {
    case undefined:
      return 'passed';
    case 'not so': {
      const claims = failure.claims.map(({ kind, span }) => `${kind} at ${span.line + 1}:${span.from + 1}`);
      return `not so: ${claims.join(', ')}\n${failure.seen}`;
    }
    case 'failed':
      return `failed: line ${failure.step.span.line + 1}: ${String(failure.error)}`;
    case 'limit':
      return `limit: line ${failure.step === undefined ? 'none' : failure.step.span.line + 1}`;
    default:
      return 'cancelled';
  }
}
