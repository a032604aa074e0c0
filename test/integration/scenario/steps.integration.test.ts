import { describe, expect, it } from 'vitest';
import { onSandbox } from '../../../src/scenario/scenarioCluster.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { failureLine, playText, watchedCluster } from '../../support/scenarioPlays.ts';

/** Each passes, on every server. Without a header: the path is `/s/orders`. */
const cases: readonly (readonly [name: string, text: string])[] = [
  [
    'a release gives back what was taken last',
    'A: acquire mutex\nA: acquire read /s/other\nA: release\nexpect: /s/other empty, A holds /s/orders',
  ],
  [
    'a release of a session that waits leaves the queue',
    'A: acquire mutex\nB: acquire mutex\nC: acquire mutex\nB: release\nexpect: A holds, waiters C, C waits for A',
  ],
  [
    'a mutex is reentrant: as many releases as acquires',
    'A: acquire mutex\nA: acquire mutex\nB: acquire mutex\nA: release\nexpect: A holds, waiters B\nA: release\nexpect: holders B',
  ],
  [
    'releases at the same time give back one lock each',
    'A: acquire mutex\nA: acquire read /s/other\nA: acquire mutex\nparallel {\n  A: release /s/orders\n  A: release /s/orders\n}\nexpect: /s/orders empty, A holds /s/other',
  ],
  [
    'leases of one session are given back one by one',
    'repeat 3 {\n  A: acquire semaphore 3\n}\nB: acquire semaphore 3\nexpect: waiters B\nparallel {\n  A: release\n  A: release\n}\nexpect: holders A and B, no waiters\nA: release\nexpect: holders B',
  ],
  [
    'a mutex in a loop',
    'repeat 3 {\n  A: acquire mutex\n  B: acquire mutex\n  expect: A holds, B waits for A\n  A: release\n  expect: B holds\n  B: release\n}\nexpect: empty, tokens grow',
  ],
  [
    'a session that waits is lost when it expires',
    'A: acquire mutex\nB: acquire mutex\nexpire B\nexpect: B lost, no waiters, A holds',
  ],
  [
    'a session comes back after its end',
    'A: acquire mutex\nexpire A\nexpect: A lost, empty\nA: acquire mutex\nexpect: A holds',
  ],
  [
    'an expiry hands every lock of the session over',
    'A: acquire multi /s/one, /s/two\nB: acquire mutex /s/two\nexpire A\nexpect: B holds, /s/one empty',
  ],
  [
    'a release without contact ends with the session',
    'A: acquire mutex\nB: acquire mutex\ndisconnect A\nA: release\nexpect: B holds within 10s',
  ],
  [
    'a holder and a waiter without contact are uncertain',
    'A: acquire mutex\nB: acquire mutex\ndisconnect A\ndisconnect B\nexpect: A uncertain, B uncertain\nreconnect A\nreconnect B\nexpect: A holds, B waits for A',
  ],
  [
    'a holder that is deleted has lost its lock',
    'A: acquire mutex\nB: acquire mutex\ndelete A\nexpect: A lost, holders B',
  ],
  [
    'a waiter that is deleted has lost its place',
    'A: acquire mutex\nB: acquire mutex\ndelete B\nexpect: B lost, A holds, no waiters',
  ],
  [
    'a node without a session is stale',
    'A: acquire mutex\nexpect: nothing stale\nB: leave\nexpect: B stale, waiters B\ndelete B\nexpect: nothing stale, no waiters',
  ],
  [
    'a node that is left joins the library in use',
    'A: acquire mutex as kazoo\nB: leave\nC: acquire mutex\nexpect: holders A, waiters B then C',
  ],
  [
    'an attempt with a time limit gives up',
    'A: acquire mutex\nB: acquire mutex within 200ms\nC: acquire mutex\nexpect: B times out, A holds, C waits for A',
  ],
  ['an attempt that tries once', 'A: acquire mutex\nB: acquire mutex within 0ms\nexpect: B times out, no waiters'],
  [
    'a single node has one who waits',
    'A: acquire exclusive\nB: acquire exclusive\nexpect: A holds, B waits for A, waiters B\nA: release\nexpect: B holds, no waiters',
  ],
  [
    'readers hold together whatever the order of their grants',
    'repeat 5 {\n  parallel {\n    A: acquire read\n    B: acquire read\n    C: acquire read\n  }\n  expect: holders A and B and C, tokens grow\n  parallel {\n    A: release\n    B: release\n    C: release\n  }\n}',
  ],
  [
    'a writer that reads too comes before the next writer',
    'A: acquire write\nA: acquire read\nB: acquire write\nexpect: holders A, waiters A then B\nA: release write\nexpect: holders A, waiters B',
  ],
  [
    'one hand-over wakes one waiter',
    'A: acquire mutex\nB: acquire mutex\nC: acquire mutex\nD: acquire mutex\nexpect: A holds\nA: release\nexpect: B holds, woken at least 1, woken at most 1',
  ],
  [
    'a single node wakes all waiters',
    'A: acquire exclusive\nB: acquire exclusive\nC: acquire exclusive\nD: acquire exclusive\nexpect: A holds\nA: release\nexpect: woken at least 3',
  ],
  [
    'a lost reply costs no second place, below a directory that is not there yet',
    'lose reply of A\nA: acquire mutex\nB: acquire mutex\nexpect: holders A, waiters B within 5s',
  ],
  ['a herd twice', 'herd 4\nexpect: predecessor woken at least 1\nherd 3\nexpect: naive woken at most 6'],
  ['a herd below a path of its own', 'A: acquire mutex\nherd 3 /s/herd\nexpect: A holds'],
];

const withPath = (text: string) => `path: /s/orders\n${text}`;

describe('steps and claims', () => {
  const realm = useTestRealm();

  it.each(cases)('%s', async (_, text) => {
    const result = await playText(withPath(text), watchedCluster(realm.connectString).cluster);
    expect(failureLine(result.failure)).toBe('passed');
    expect(result.left).toEqual([]);
    expect(await realm.observer.ls('/')).toEqual([]);
  });

  it.each(cases)('%s, on the sandbox of a run', async (_, text) => {
    const result = await onSandbox(cluster => playText(withPath(text), cluster));
    expect(failureLine(result.failure)).toBe('passed');
    expect(result.left).toEqual([]);
  });
});
