import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import type { Observer } from '../../support/observer.ts';
import { startPrograms, type Programs } from './programs.ts';
import { readServerFacts, type SessionFacts } from './serverFacts.ts';

/** What was compared with the libraries' own word, and found to be right. */
export interface Tally {
  /** Joins, releases, cancelled attempts and ended sessions. */
  steps: number;
  /** Holders and waiters: once as read, once as they come by themselves. */
  trees: number;
  /** Who holds after a contender has left. */
  foretold: number;
  /** Looks for stale nodes without facts, for stale nodes with facts, and for deadlocks. */
  marks: number;
}

/** What all stages of a test share. */
export interface Theatre {
  programs: Programs;
  client: ZooKeeperClient;
  observer: Observer;
  facts: () => Promise<SessionFacts>;
  /** Of the test, as the programs must write it. */
  chroot: string;
  /** Of all tests of the file. */
  tally: Tally;
}

export function emptyTally(): Tally {
  return { steps: 0, trees: 0, foretold: 0, marks: 0 };
}

/** Starts the programs of all libraries once for the calling file. @returns an object whose fields change with every test */
export function useTheatre(): Theatre {
  const realm = useTestRealm();
  const tally = emptyTally();
  let programs: Programs | undefined;
  let client: ZooKeeperClient | undefined;
  beforeAll(() => {
    programs = startPrograms(realm.serverConnectString);
  });
  beforeEach(async () => {
    client = await connect(realm.connectString);
  });
  afterEach(() => client?.close());
  afterAll(() => programs?.stop());
  return {
    tally,
    get programs() {
      return programs!;
    },
    get client() {
      return client!;
    },
    get observer() {
      return realm.observer;
    },
    get chroot() {
      return realm.chroot;
    },
    facts: () => readServerFacts(realm.serverConnectString, client!, realm.chroot),
  };
}
