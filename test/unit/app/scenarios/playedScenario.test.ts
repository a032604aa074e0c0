import { describe, expect, it } from 'vitest';
import { mostPlayed, playedScenario, type PlayedLock } from '../../../../src/app/scenarios/playedScenario.ts';
import type { EndCause, Hold, Moment, Wait } from '../../../../src/history/hold.ts';
import type { Contender } from '../../../../src/locks/lockQueue.ts';
import { playOnSandbox } from './play.ts';

const at = (zxid: number): Moment => ({ zxid: BigInt(zxid), time: 1_000 * zxid });

/** One contender: its session, when it queued, when it held, when and how its node went. */
interface Past {
  session: number;
  queued: number;
  held?: number;
  to?: number;
  ended?: EndCause;
  kind?: Contender['kind'];
}

function lockOf(pasts: readonly Past[], fields: Partial<PlayedLock> = {}): PlayedLock {
  const path = fields.path ?? '/locks/a';
  const places = pasts.map(({ session, queued, held, to, ended = 'released', kind = 'exclusive' }) => ({
    ...{
      path,
      name: `n-${String(queued)}`,
      kind,
      identifier: 'foreign',
      ownerSession: BigInt(session),
      czxid: BigInt(queued),
    },
    ...{
      queued: at(queued),
      ...(held === undefined ? {} : { from: at(held) }),
      ...(to === undefined ? {} : { to: at(to), ended }),
    },
  }));
  const isHold = (place: Wait): place is Hold => place.from !== undefined;
  const [holds, waits] = [places.filter(isHold), places.filter(place => !isHold(place))];
  return { path, dialect: 'curator', holds, waits, ...fields };
}

const whole = { from: at(0), to: at(100) };

function textOf(locks: readonly PlayedLock[], span = whole): string {
  const played = playedScenario(locks, span, at(100), 'From a recording');
  return 'text' in played ? played.text : expect.fail(`${String(played.contenders)} contenders`);
}

/** The steps; they pass on a sandbox. */
async function linesOf(locks: readonly PlayedLock[], span = whole): Promise<string[]> {
  const text = textOf(locks, span);
  await playOnSandbox(text);
  return text
    .trim()
    .split('\n')
    .slice(text.includes('path: ') ? 4 : 3);
}

describe('the play of a recording as a scenario', () => {
  it('has who queued, who released and whose session ended, and who holds after each hand-over', async () => {
    const lock = lockOf([
      { session: 7, queued: 1, held: 1, to: 4 },
      { session: 8, queued: 2, held: 4, to: 6, ended: 'session expired' },
      { session: 9, queued: 3, held: 6 },
      { session: 7, queued: 5 },
    ]);
    expect(textOf([lock])).toMatch(/^# From a recording\ncluster: sandbox\npath: \/locks\/a\n\nA: acquire/u);
    expect(await linesOf([lock])).toEqual([
      ...[
        'A: acquire mutex',
        'B: acquire mutex',
        'C: acquire mutex',
        'expect: holders A, waiters B then C',
        'A: release',
      ],
      ...['expect: holders B, waiters C', 'A: acquire mutex', 'expect: holders B, waiters C then A', 'expire B'],
      'expect: holders C, waiters A',
    ]);
  });

  it('of readers and writers', async () => {
    const lock = lockOf([
      { session: 1, queued: 1, held: 1, to: 5, kind: 'read' },
      { session: 2, queued: 2, held: 2, to: 6, kind: 'read' },
      { session: 3, queued: 3, held: 6, to: 7, kind: 'write' },
      { session: 4, queued: 4, held: 7, kind: 'read' },
    ]);
    const lines = await linesOf([lock]);
    expect(lines).toContain('expect: holders A and B, waiters C then D');
    expect(lines.at(-1)).toBe('expect: holders D, no waiters');
  });

  it('of a semaphore, with as many leases as were seen at once', async () => {
    const pasts = [[1, 1, 5], [2, 2, undefined], [3, 5, undefined]] as const; // prettier-ignore
    const lock = lockOf(pasts.map(([queued, held, to]) => ({ session: queued, queued, held, kind: 'lease', ...(to === undefined ? {} : { to }) }))); // prettier-ignore
    const lines = await linesOf([{ ...lock, dialect: 'curator-semaphore' }]);
    expect(lines).toContain('C: acquire semaphore 2');
    expect(lines.at(-1)).toBe('expect: holders B and C, no waiters');
  });

  it('of a lock of one node, whose waiters are not in the tree', async () => {
    const past = [{ session: 1, queued: 1, held: 1, to: 2, ended: 'session closed' }, { session: 2, queued: 3, held: 3 }] as const; // prettier-ignore
    const lines = await linesOf([lockOf(past, { path: '/app/leader', dialect: 'exclusive-node' })]);
    expect(lines).toEqual([
      ...['A: acquire exclusive', 'expect: holders A, no waiters', 'expire A', 'B: acquire exclusive'],
      'expect: holders B, no waiters',
    ]);
  });

  it('of the library that was seen', async () => {
    const lines = await linesOf([lockOf([{ session: 1, queued: 1, held: 1 }], { dialect: 'kazoo' })]);
    expect(lines[0]).toBe('A: acquire mutex as kazoo');
  });

  it('of a queue below a name that others give to a lock of one node', async () => {
    const lock = lockOf([{ session: 1, queued: 1, held: 1 }], { path: '/app/mutex' });
    expect((await linesOf([lock]))[0]).toBe('A: acquire mutex as curator');
  });

  it('of several locks, where the end of a session ends all its places', async () => {
    const ended = 'session ended' as const;
    const lines = await linesOf([
      lockOf([{ session: 1, queued: 1, held: 1, to: 5, ended }, { session: 2, queued: 4, held: 5 }]), // prettier-ignore
      lockOf([{ session: 2, queued: 2, held: 2 }, { session: 1, queued: 3, to: 5, ended }], { path: '/locks/b' }), // prettier-ignore
    ]);
    expect(lines.filter(line => line.startsWith('expire'))).toEqual(['expire A']);
    expect(lines.slice(0, 2)).toEqual(['A: acquire mutex /locks/a', 'B: acquire mutex /locks/b']);
    expect(lines.at(-1)).toMatch(/^expect: holders B \/locks\/a, no waiters \/locks\/a/u);
  });

  it('names a session twice that stands in one queue twice, as two threads of a program do', async () => {
    const lines = await linesOf([lockOf([{ session: 1, queued: 1, held: 1, to: 3 }, { session: 1, queued: 2, held: 3 }])]); // prettier-ignore
    expect(lines.slice(0, 2)).toEqual(['A: acquire mutex', 'B: acquire mutex']);
  });

  it('has nodes that no session keeps, and what others have deleted', async () => {
    const ended = 'deleted by another session' as const;
    const lines = await linesOf([
      lockOf([
        { session: 0, queued: 1, held: 1, to: 3, ended },
        { session: 5, queued: 2, held: 3, to: 4, ended },
      ]),
    ]);
    expect(lines).toEqual([
      ...['Left1: leave', 'A: acquire mutex', 'expect: holders Left1, waiters A', 'delete Left1'],
      ...['expect: holders A, no waiters', 'delete A', 'expect: empty'],
    ]);
  });

  it('begins with those that were there before its span, and ends with it', async () => {
    const lock = lockOf([
      { session: 1, queued: 1, held: 1, to: 2 },
      { session: 2, queued: 3, held: 3, to: 20 },
      { session: 3, queued: 4, held: 20, to: 40 },
      { session: 4, queued: 50, held: 50 },
    ]);
    expect(await linesOf([lock], { from: at(10), to: at(30) })).toEqual([
      ...[
        'A: acquire mutex',
        'B: acquire mutex',
        'expect: holders A, waiters B',
        'A: release',
        'expect: holders B, no waiters',
      ],
    ]);
  });

  it('goes by the times of what was only seen', async () => {
    const lock = lockOf([{ session: 1, queued: 1, held: 1, to: 3 }, { session: 2, queued: 2, held: 3 }]); // prettier-ignore
    const seen = lock.holds.map(hold => ({ ...hold, from: { ...hold.from, zxid: 0n }, ...(hold.to === undefined ? {} : { to: { ...hold.to, zxid: 0n } }) })); // prettier-ignore
    expect((await linesOf([{ ...lock, holds: seen }])).at(-1)).toBe('expect: holders B, no waiters');
  });

  it('is none of nothing, of too much, and of paths that cannot be written', () => {
    const play = (lock: PlayedLock): unknown => playedScenario([lock], { from: at(0), to: at(1_000) }, at(1_000), '');
    expect(play(lockOf([]))).toEqual({ contenders: 0 });
    const many = Array.from({ length: mostPlayed + 1 }, (_, queued) => ({ session: queued + 1, queued }));
    expect(play(lockOf(many))).toEqual({ contenders: mostPlayed + 1 });
    expect(play(lockOf([{ session: 1, queued: 1, held: 1 }], { path: '/zookeeper/a' }))).toEqual({ contenders: 1 });
  });
});
