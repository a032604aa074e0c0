import { expect } from 'vitest';
import { startObserver, type LockObserver, type ObserverParts } from '../../../src/app/recorder/lockObserver.ts';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import { clusterServers } from '../../../src/inspector/owners/clusterServers.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { JournalState } from '../../../src/journal/journalState.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';

/** An observer with what a recorder keeps of it. */
export interface RecorderUnderTest {
  readonly observer: LockObserver;
  readonly state: JournalState;
  readonly entries: JournalEntry[];
  readonly failures: unknown[];
  /** Waits until everything that is there is known. */
  following(): Promise<void>;
}

/** @param connectString of the servers that are asked */
export async function startRecorderUnderTest(
  client: ZooKeeperClient,
  connectString: string,
  parts: Partial<ObserverParts> = {},
  looks: Partial<ObserverParts['looks']> = {},
): Promise<RecorderUnderTest> {
  const state = new JournalState();
  const entries: JournalEntry[] = [];
  const failures: unknown[] = [];
  const observer = await startObserver(client, {
    roots: ['/'],
    maxNodes: 100_000,
    isWholeData: false,
    concerns: path => state.concerns(path),
    onEntries: more => {
      for (const entry of more) {
        entries.push(entry);
        state.apply(entry);
      }
    },
    onFailure: error => failures.push(error),
    clocks: { now: () => Date.now(), monotonicNow },
    logger: nullLogger,
    signal: new AbortController().signal,
    looks: {
      servers: async () => ({ servers: await clusterServers(connectString, client), options: {} }),
      ...looks,
    },
    ...parts,
  });
  const following = () =>
    eventually(() => {
      expect(failures).toEqual([]);
      expect(state.isFollowing).toBe(true);
      expect(state.gaps.every(({ lastsAtEnd }) => lastsAtEnd !== true)).toBe(true);
    }, 30_000);
  return { observer, state, entries, failures, following };
}
