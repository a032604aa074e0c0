import { expect, it, describe } from 'vitest';
import { recordedScenario } from '../../../../src/app/scenarios/recordedScenario.ts';
import type { TestLock, TestLockRequest } from '../../../../src/app/testLocks/testLock.ts';
import type { TestLockEvent } from '../../../../src/app/testLocks/testLockLog.ts';
import { hold, requestFor } from '../testLocks/testLockFixtures.ts';
import { playOnSandbox } from './play.ts';

const comments = { head: 'By hand', standIn: (name: string) => `${name} is another program` };
const waiting = { kind: 'waiting', standing: undefined, uncertain: false } as const;
const held = { kind: 'held', hold } as const;
const releasing = { kind: 'releasing', hold } as const;
const gone = { kind: 'gone' } as const;

type To = TestLockEvent['to'];

/** Test locks by their names, and what happened to them in which order. */
class Hand {
  readonly events: TestLockEvent[] = [];
  private readonly locks = new Map<string, TestLock>();

  lock(name: string, fields: Partial<TestLockRequest> = {}): this {
    const request = requestFor({ dialect: undefined, paths: ['/locks/a'], ...fields });
    this.locks.set(name, { type: 'testLock', id: name, request, state: waiting });
    return this;
  }

  do(name: string, ...states: To[]): this {
    const lock = this.locks.get(name) ?? expect.fail(name);
    this.events.push(...states.map(to => ({ lock, to })));
    return this;
  }

  get text(): string {
    return recordedScenario(this.events, comments) ?? expect.fail('nothing was recorded');
  }

  /** The text without its head; it passes on a sandbox. */
  async lines(): Promise<string[]> {
    await playOnSandbox(this.text);
    return this.text
      .trim()
      .split('\n')
      .slice(this.text.includes('path:') ? 3 : 2);
  }
}

describe('test locks taken by hand become a scenario', () => {
  it('in their order, with what is held now', async () => {
    const hand = new Hand().lock('one').lock('two').do('one', held, releasing, gone).do('two', held);
    expect(hand.text).toBe(
      '# By hand\npath: /locks/a\n\nA: acquire mutex\nA: release\nB: acquire mutex\nexpect: B holds\n',
    );
    await hand.lines();
  });

  it('where each is free in the end', async () => {
    const hand = new Hand().lock('one').lock('two', { paths: ['/locks/b'], recipe: 'exclusive' });
    hand
      .do('one', held)
      .do('two', held, releasing, gone)
      .do('one', { kind: 'auto-released', at: 0, cause: 'time' }, gone);
    expect(await hand.lines()).toEqual([
      ...['A: acquire mutex /locks/a', 'B: acquire exclusive /locks/b', 'B: release', 'A: release'],
      'expect: empty /locks/a, empty /locks/b',
    ]);
  });

  it.each([
    ['mutex', 'Other: acquire mutex'],
    ['read', 'Other: acquire write'],
    ['write', 'Other: acquire write'],
    ['exclusive', 'Other: acquire exclusive'],
  ] as const)('with one that stands for the program that a %s waited for', async (recipe, other) => {
    const hand = new Hand().lock('one', { recipe }).do('one', waiting);
    const taken = ['# Other is another program', other, `A: acquire ${recipe}`];
    expect(await hand.lines()).toEqual([...taken, recipe === 'exclusive' ? 'expect: Other holds' : 'expect: A waits']);
    hand.do('one', held);
    expect(await hand.lines()).toEqual([...taken, 'Other: release', 'expect: A holds', 'expect: A holds']);
  });

  it('with as many as a semaphore has leases', async () => {
    const hand = new Hand()
      .lock('one', { recipe: 'semaphore', maxLeases: 3 })
      .lock('two', { recipe: 'semaphore', maxLeases: 3 });
    hand.do('one', held).do('two', waiting);
    expect(await hand.lines()).toEqual([
      ...['A: acquire semaphore 3', '# Other is another program', 'Other: acquire semaphore 3'],
      ...['Other2: acquire semaphore 3', 'B: acquire semaphore 3', 'expect: A holds, B waits'],
    ]);
    hand.do('two', held, releasing, gone);
    expect((await hand.lines()).slice(5)).toEqual([
      'Other: release',
      'expect: B holds',
      'B: release',
      'expect: A holds',
    ]);
  });

  it('with several locks at once', async () => {
    const hand = new Hand().lock('both', { recipe: 'several', paths: ['/x', '/y'] }).lock('x', { paths: ['/x'] });
    hand.do('x', held).do('both', waiting).do('x', releasing).do('both', held);
    expect(await hand.lines()).toEqual([
      ...['A: acquire mutex /x', 'B: acquire multi /x, /y', 'A: release', 'expect: B holds', 'expect: B holds'],
    ]);
  });

  it('with one that gave up waiting', async () => {
    const hand = new Hand().lock('one').do('one', waiting, gone);
    expect((await hand.lines()).slice(2)).toEqual(['A: acquire mutex', 'A: release']);
  });

  it('with those that were lost, by the end of the session or a delete', async () => {
    const lost = (cause: (To & { kind: 'lost' })['cause']) => ({ kind: 'lost', hold, cause, at: 0 }) as const;
    const hand = new Hand()
      .lock('one')
      .lock('two')
      .do('one', held, lost({ kind: 'session', cause: undefined }), gone);
    hand.do('two', held, lost({ kind: 'node-deleted' }), gone);
    expect(await hand.lines()).toEqual([
      ...['A: acquire mutex', 'expire A', 'expect: A lost'],
      ...['B: acquire mutex', 'delete B', 'expect: B lost', 'expect: empty'],
    ]);
  });

  it('in the dialects that were chosen; two that do not see each other do not wait', async () => {
    const hand = new Hand()
      .lock('one', { dialect: 'curator' })
      .lock('two', { dialect: 'kazoo' })
      .do('one', held)
      .do('two', held);
    expect(await hand.lines()).toEqual(['A: acquire mutex', 'B: acquire mutex as kazoo', 'expect: A holds, B holds']);
  });

  it('where the path has the name of a lock of one node', async () => {
    const hand = new Hand()
      .lock('one', { paths: ['/app/mutex'], dialect: 'curator' })
      .lock('two', { paths: ['/leader'], recipe: 'read' });
    hand.do('one', held).do('two', held);
    expect((await hand.lines()).slice(0, 2)).toEqual([
      ...['A: acquire mutex /app/mutex as curator', 'B: acquire read /leader as curator'],
    ]);
  });

  it('with a path of its own for each lock of a directory that differ by name', async () => {
    const dialect = 'named-lock';
    const hand = new Hand()
      .lock('one', { dialect, lockName: 'x' })
      .lock('two', { dialect, lockName: 'y' })
      .do('one', held)
      .do('two', held);
    expect((await hand.lines()).slice(0, 2).map(line => line.replace(/ as .*/u, ''))).toEqual(['A: acquire mutex /locks/a/x', 'A: acquire mutex /locks/a/y'.replace('A', 'B')]); // prettier-ignore
  });

  it('without what no scenario can name, and not at all without a lock', async () => {
    const hand = new Hand()
      .lock('one')
      .lock('odd', { paths: ['/a\n# "b'] })
      .do('odd', held)
      .do('one', { kind: 'connecting' }, gone);
    expect(recordedScenario(hand.events, comments)).toBeUndefined();
    hand.lock('two', { paths: ['/a "b\\ c'] }).do('two', held);
    expect(await hand.lines()).toEqual(['A: acquire mutex', 'expect: A holds']);
    expect(hand.text).toContain('path: "/a \\"b\\\\ c"\n');
  });

  it('whose events began before the log', async () => {
    const hand = new Hand()
      .lock('one')
      .lock('two')
      .do('one', releasing, gone)
      .do('two', held, { kind: 'uncertain', hold, cause: undefined }, held);
    expect(await hand.lines()).toEqual(['A: acquire mutex', 'expect: A holds']);
  });

  it('with any number of sessions', async () => {
    const hand = new Hand();
    for (let at = 0; at < 30; at++) hand.lock(String(at)).do(String(at), held, releasing, gone);
    const lines = await hand.lines();
    expect(lines.slice(50, 54)).toEqual(['Z: acquire mutex', 'Z: release', 'A1: acquire mutex', 'A1: release']);
  });
});
