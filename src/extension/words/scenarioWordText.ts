import { inEditor, type Language } from './language.ts';

/** What a word of a scenario file means, with a line that has it. */
export interface WordExplanation {
  readonly text: string;
  readonly example: string;
}

type Row = readonly [example: string, text: (l10n: Language) => string];

const rows: Readonly<Record<string, Row>> = {
  cluster: [
    'cluster: sandbox',
    l10n => l10n.t('Where the scenario is played: sandbox, or the name of a cluster. Without it, on a sandbox.'),
  ],
  path: ['path: /locks/orders', l10n => l10n.t('The lock of all steps and expectations that name no path.')],
  limit: ['limit: 2min', l10n => l10n.t('The longest time of a run, without its clean-up. Usually one minute.')],
  expect: [
    'expect: A holds, B waits for A',
    l10n => l10n.t('All of this must become true, within 2 seconds unless another time is given.'),
  ],
  wait: ['wait 500ms', l10n => l10n.t('Does nothing for this time.')],
  expire: ['expire A', l10n => l10n.t('Ends the session as if its process had died: the servers remove its nodes.')],
  disconnect: [
    'disconnect A',
    l10n => l10n.t('Cuts the connection of a session. The session goes on until its time-out.'),
  ],
  reconnect: ['reconnect A', l10n => l10n.t('Lets a session connect again.')],
  lose: [
    'lose reply of A',
    l10n => l10n.t('The servers will create the next node of this session, and their reply will be lost.'),
  ],
  delete: ['delete A', l10n => l10n.t('Deletes the node of a session by force, as an operator might do.')],
  attach: [
    'attach S to identifier host-7',
    l10n => l10n.t('Gives a name to contenders of other programs, so that expectations can be about them.'),
  ],
  herd: [
    'herd 20',
    l10n => l10n.t('Plays so many contenders with the naive recipe and with the usual one, and compares their cost.'),
  ],
  parallel: ['parallel {', l10n => l10n.t('Plays the steps of the block at the same time.')],
  repeat: ['repeat 3 {', l10n => l10n.t('Plays the steps of the block so many times.')],
  acquire: [
    'A: acquire mutex',
    l10n => l10n.t('The session queues for a lock. The scenario goes on as soon as it holds the lock or waits for it.'),
  ],
  release: ['A: release', l10n => l10n.t('The session gives up its newest lock here, or stops waiting for it.')],
  leave: ['A: leave', l10n => l10n.t('Leaves a node in the queue that belongs to no session: it is stale.')],
  mutex: ['A: acquire mutex', l10n => l10n.t('A lock that one session holds at a time; the others queue.')],
  exclusive: [
    'A: acquire exclusive',
    l10n => l10n.t('A lock that is one node and has no queue: who looks first gets it.'),
  ],
  read: ['A: acquire read', l10n => l10n.t('A lock that several readers hold at a time, and no writer with them.')],
  write: ['A: acquire write', l10n => l10n.t('A lock that one writer holds at a time, and no reader with it.')],
  semaphore: ['A: acquire semaphore 2', l10n => l10n.t('A lock that so many sessions hold at a time.')],
  multi: ['A: acquire multi /a, /b', l10n => l10n.t('Takes several mutexes, in the order in which they are written.')],
  as: [
    'A: acquire mutex as kazoo',
    l10n => l10n.t('Takes the lock as this library does. Without it, as is usual at the path.'),
  ],
  within: [
    'expect: B holds within 5s',
    l10n => l10n.t('How long an expectation may take to become true, or an acquire to get its lock.'),
  ],
  to: ['attach S to address 10.0.0.7', l10n => l10n.t('Says by what the contenders are found.')],
  identifier: [
    'attach S to identifier host-7',
    l10n => l10n.t('Contenders whose node says that it belongs to this client.'),
  ],
  address: ['attach S to address 10.0.0.7', l10n => l10n.t('Contenders whose session is connected from this address.')],
  dialect: ['attach S to dialect kazoo', l10n => l10n.t('Contenders that use this library.')],
  holds: ['expect: A holds', l10n => l10n.t('The session holds the lock.')],
  waits: ['expect: B waits for A', l10n => l10n.t('The session waits in the queue.')],
  for: ['expect: B waits for A', l10n => l10n.t('Names the session whose node is the one waited for.')],
  holders: ['expect: holders A and B', l10n => l10n.t('Exactly these hold the lock, in any order.')],
  waiters: ['expect: waiters B then C', l10n => l10n.t('Exactly these wait, in this order.')],
  no: ['expect: no waiters', l10n => l10n.t('There are no holders, no waiters, or no deadlock.')],
  and: ['expect: holders A and B', l10n => l10n.t('Another session of a list.')],
  then: ['expect: waiters B then C', l10n => l10n.t('The next session of a queue.')],
  empty: ['expect: empty', l10n => l10n.t('The lock has no holder and no waiters.')],
  deadlock: ['expect: no deadlock', l10n => l10n.t('Sessions that wait for each other, over all paths of the file.')],
  'deadlock between': [
    'expect: deadlock between A and B',
    l10n => l10n.t('Exactly these sessions wait for each other.'),
  ],
  stale: ['expect: A stale', l10n => l10n.t('The session has a node that no session will remove.')],
  'nothing stale': [
    'expect: nothing stale',
    l10n => l10n.t('No path of the file has a node that no session will remove.'),
  ],
  'tokens grow': [
    'expect: tokens grow',
    l10n => l10n.t('Each holder so far had a greater fencing token than the one before.'),
  ],
  'times out': ['expect: B times out', l10n => l10n.t('The acquire of this session has ended at its own time limit.')],
  lost: ['expect: A lost', l10n => l10n.t('The session knows that it no longer has the lock.')],
  uncertain: [
    'expect: A uncertain',
    l10n => l10n.t('The session holds the lock and has no contact with the servers: it cannot be sure.'),
  ],
  woken: [
    'expect: woken at most 1',
    l10n => l10n.t('How many notifications the sessions got since the last expectation.'),
  ],
  'naive woken': [
    'expect: naive woken at least 150',
    l10n => l10n.t('How many notifications the naive recipe cost in the last herd.'),
  ],
  'predecessor woken': [
    'expect: predecessor woken at most 20',
    l10n => l10n.t('How many notifications the usual recipe cost in the last herd.'),
  ],
  'at most': ['expect: woken at most 1', l10n => l10n.t('This number or less.')],
  'at least': ['expect: woken at least 1', l10n => l10n.t('This number or more.')],
};

/** @param words of the grammar, as the reader looks for them @returns absent for marks such as `{` */
export function wordExplanation(words: string, l10n: Language = inEditor): WordExplanation | undefined {
  const row = rows[words === 'reply of' ? 'lose' : words];
  return row && { text: row[1](l10n), example: row[0] };
}
