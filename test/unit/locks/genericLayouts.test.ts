import { describe, expect, it } from 'vitest';
import { holdersWithout } from '../../../src/inspector/turnsWithout.ts';
import type { Hazard } from '../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { brief, directory, type ChildSpec } from './directory.ts';

function read(path: string, children: readonly (ChildSpec | string)[]): { queues: string[][]; warned: Hazard[][] } {
  const queues = recogniseQueues(directory(path, children));
  return {
    queues: queues.map(({ contenders }) => brief(contenders)),
    warned: queues.map(({ hazards }) => hazards.filter(({ kind }) => kind === 'one-lock-or-several')),
  };
}

describe('ClickHouse', () => {
  const path = '/clickhouse/tables/t/leader_election';
  const node = (sequence: number, data: string): ChildSpec => ({ name: `leader_election-000000000${sequence}`, data });
  const leads = (replica: string): string => `${replica} (multiple leaders Ok)`;

  it.each<[string, ChildSpec[], string[]]>([
    [
      '20.6 to 21.11: if the first says so, all lead that say so',
      [node(2, 'r3'), node(1, leads('r2')), node(0, leads('r1'))],
      ['leader_election-0000000000!', 'leader_election-0000000001!', 'leader_election-0000000002>'],
    ],
    [
      'the first from before 20.6 leads alone',
      [node(0, 'r1'), node(1, leads('r2'))],
      ['leader_election-0000000000!', 'leader_election-0000000001>leader_election-0000000000'],
    ],
    [
      'a replica from 21.12 on stands before all that come after it',
      [{ name: 'leader_election-0', owner: 0n, data: leads('all') }, node(0, 'r1'), node(1, leads('r2'))],
      ['leader_election-0000000000>', 'leader_election-0000000001!'],
    ],
  ])('%s', (_, children, expected) => {
    expect(read(path, children).queues).toEqual([expected]);
  });

  it('lets the other leaders go on leading when one of them is gone', () => {
    const [queue] = recogniseQueues(
      directory(path, [node(0, leads('r1')), node(1, leads('r2')), node(2, leads('r3'))]),
    );
    const [first, ...others] = queue!.contenders;
    expect(holdersWithout(queue!, first!)).toEqual({ succession: 'known', holders: others });
  });
});

describe('DistributedLog', () => {
  it('is one lock in its three forms', () => {
    const names = [
      'member_host-B_2_0000000001',
      'member_host-A%2F1_s72057594037927936_0000000000',
      'member_0000000002',
      'member_host-A%2F1_s-1224979098644774911_0000000003',
    ];
    expect(read('/dl/lock', names).queues).toEqual([
      [
        'member_host-A%2F1_s72057594037927936_0000000000!',
        'member_host-B_2_0000000001>member_host-A%2F1_s72057594037927936_0000000000',
        'member_0000000002>member_host-B_2_0000000001',
        'member_host-A%2F1_s-1224979098644774911_0000000003>member_0000000002',
      ],
    ]);
  });

  it('is not a group of servers, which says its address', () => {
    expect(read('/dl/group', [{ name: 'member_host-A_0000000000', data: '{"serviceEndpoint":{}}' }]).queues).toEqual(
      [],
    );
  });
});

describe('names of an unknown library', () => {
  it('may be locks or the contenders of one: that is said of each', () => {
    const { queues, warned } = read('/jobs', ['hostA-0000000000', 'hostB-0000000001', 'hostA-0000000002']);
    expect(queues).toEqual([['hostA-0000000000!', 'hostA-0000000002>hostA-0000000000'], ['hostB-0000000001!']]);
    expect(warned).toEqual([
      [{ kind: 'one-lock-or-several', names: ['hostA-0000000000', 'hostA-0000000002'] }],
      [{ kind: 'one-lock-or-several', names: ['hostB-0000000001'] }],
    ]);
  });

  it.each([
    ['one name only', ['master_0000000000', 'master_0000000001']],
    ['names that say which lock they are of', ['a_lock_0000000000', 'b_lock_0000000001']],
    ['beside a library that is known', ['lock-0000000000', 'hostA-0000000001']],
  ])('are not doubted: %s', (_, names) => {
    expect(read('/jobs', names).warned.flat()).toEqual([]);
  });
});
