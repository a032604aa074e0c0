import { describe, expect, it } from 'vitest';
import type { QueueRecipe } from '../../../src/locks/dialect.ts';
import { canJoin, contenderNaming, writableDialects, writtenDialect } from '../../../src/locks/libraries/registry.ts';
import type { DialectId } from '../../../src/locks/lockQueue.ts';
import { queueOfNames, recogniseNames } from '../../../src/locks/recognition/recognise.ts';

const recipes: readonly QueueRecipe[] = ['mutex', 'read', 'write', 'semaphore'];
const written = recipes.flatMap(recipe => writableDialects(recipe).map(dialect => ({ recipe, dialect })));
const parts = { attemptId: '01234567-89ab-cdef-0123-456789abcdef', sessionId: 0x123n };

function nameOf({ recipe, dialect }: (typeof written)[number], sequence = 7, sessionId = parts.sessionId): string {
  const prefix = contenderNaming(dialect, recipe)!.prefix({ ...parts, sessionId });
  return prefix + String(sequence).padStart(10, '0');
}

describe('the names that recipes write', () => {
  it('are those of the libraries', () => {
    expect(written.map(one => `${one.recipe} ${one.dialect} ${nameOf(one)}`)).toEqual([
      'mutex curator _c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000007',
      'mutex kazoo 0123456789abcdef0123456789abcdef__lock__0000000007',
      'mutex go-zookeeper _c_0123456789abcdef0123456789abcdef-lock-0000000007',
      'mutex zookeeper-writelock x-291-0000000007',
      'mutex zookeeper-writelock-c x-0000000000000123-0000000007',
      'mutex named-lock lock_lock_0000000007',
      'mutex session-named lock-291-0000000007',
      'mutex distributedlock-net lock-0000000007',
      'mutex zk-ruby ex0000000007',
      'read curator _c_01234567-89ab-cdef-0123-456789abcdef-__READ__0000000007',
      'read kazoo 0123456789abcdef0123456789abcdef__rlock__0000000007',
      'read rw-letters R-0000000007',
      'read distributedlock-net read-0000000007',
      'read zk-ruby sh0000000007',
      'write curator _c_01234567-89ab-cdef-0123-456789abcdef-__WRIT__0000000007',
      'write kazoo 0123456789abcdef0123456789abcdef__lock__0000000007',
      'write rw-letters W-0000000007',
      'write distributedlock-net write-0000000007',
      'write zk-ruby ex0000000007',
      'semaphore curator _c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000007',
      'semaphore kazoo 0123456789abcdef0123456789abcdef__lock__0000000007',
      'semaphore distributedlock-net semaphore-0000000007',
      'semaphore zk-ruby sem0000000007',
    ]);
  });

  it.each(written)('are read as that dialect by the tree: $recipe in $dialect', one => {
    const [queue] = recogniseNames('/locks/orders', [nameOf(one)]);
    expect(writtenDialect(queue!.dialect)).toBe(one.dialect);
  });

  it.each(written)('hold the attempt id where they say so: $recipe in $dialect', one => {
    const { hasIdInName } = contenderNaming(one.dialect, one.recipe)!;
    expect(nameOf(one).replaceAll('-', '').includes(parts.attemptId.replaceAll('-', ''))).toBe(hasIdInName);
  });

  it('write a negative session id as its library does', () => {
    const write = (dialect: 'zookeeper-writelock' | 'zookeeper-writelock-c' | 'session-named') =>
      nameOf({ recipe: 'mutex', dialect }, 7, -2n);
    expect(write('zookeeper-writelock')).toBe('x--2-0000000007');
    expect(write('zookeeper-writelock-c')).toBe('x-fffffffffffffffe-0000000007');
    expect(write('session-named')).toBe('lock--2-0000000007');
  });

  it('hold the lock name and the host name', () => {
    expect(contenderNaming('named-lock', 'mutex')!.prefix({ ...parts, lockName: 'a' })).toBe('a_lock_');
    expect(contenderNaming('rw-letters', 'read')!.prefix({ ...parts, hostName: 'web-1' })).toBe('web-1-R-');
  });

  it('know families and what a library lacks', () => {
    expect(writtenDialect('kazoo-semaphore')).toBe('kazoo');
    expect(contenderNaming('curator-semaphore', 'semaphore')).toBe(contenderNaming('curator', 'semaphore'));
    expect(contenderNaming('curator-semaphore', 'mutex')).toBeUndefined();
    expect(contenderNaming('go-zookeeper', 'read')).toBeUndefined();
    expect(contenderNaming('solr', 'mutex')).toBeUndefined();
    expect(writableDialects('mutex')[0]).toBe('curator');
  });
});

describe('what a recipe can join', () => {
  it.each(['curator', 'kazoo', 'distributedlock-net', 'zk-ruby'] as const)(
    'is, of %s, for a semaphore only a semaphore, and for all else all else',
    dialect => {
      const semaphore = `${dialect}-semaphore` as const;
      const joining = (found: DialectId) => recipes.filter(recipe => canJoin(found, recipe));
      expect(joining(semaphore)).toEqual(['semaphore']);
      expect(joining(dialect)).toEqual(['mutex', 'read', 'write']);
    },
  );

  it('is nothing of a lock that is one node, or of a library that is only read', () => {
    expect(recipes.filter(recipe => canJoin('exclusive-node', recipe) || canJoin('solr', recipe))).toEqual([]);
  });
});

describe('queueOfNames', () => {
  it.each(written)('finds its own contender, in order, without contradiction: $recipe in $dialect', one => {
    const own = nameOf(one, 12);
    const names = [nameOf(one, 30), own, nameOf(one, 4)];
    const queue = queueOfNames('/locks/orders', names, own)!;
    expect(queue.entries.map(({ name }) => name)).toEqual([names[2], own, names[0]]);
    expect(queue.contradictions).toEqual([]);
  });

  it('knows nothing of a name that is not there, or is none', () => {
    const [one] = written;
    expect(queueOfNames('/q', [nameOf(one!)], nameOf(one!, 8))).toBeUndefined();
    expect(queueOfNames('/q', ['config'], 'config')).toBeUndefined();
  });

  it('names the contenders that would not see it, or that it would not see', () => {
    const own = nameOf({ recipe: 'mutex', dialect: 'kazoo' });
    const others = ['ex0000000001', '_c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000002'];
    expect(queueOfNames('/q', [own, ...others, 'config'], own)!.contradictions).toEqual(others);
  });

  it("names the directory of a semaphore's leases, whose holders look past everything else", () => {
    const own = nameOf({ recipe: 'mutex', dialect: 'curator' });
    expect(queueOfNames('/q', [own, 'locks', 'leases'], own)!.contradictions).toEqual(['leases']);
  });

  it('keeps named locks in one directory apart', () => {
    const names = ['a_lock_0000000001', 'b_lock_0000000002', 'a_lock_0000000003'];
    const queue = queueOfNames('/q', names, 'a_lock_0000000003')!;
    expect(queue.entries.map(({ name }) => name)).toEqual([names[0], names[2]]);
    expect(queue.contradictions).toEqual([]);
  });

  it('lets the languages that share an order share a queue', () => {
    const names = [
      '_c_0123456789abcdef0123456789abcdef-lock-0000000001',
      '_c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000002',
    ];
    for (const own of names) {
      const queue = queueOfNames('/q', names, own)!;
      expect(queue.entries.map(({ name }) => name)).toEqual(names);
      expect(queue.contradictions).toEqual([]);
    }
  });

  it('counts what Curator counts: a stranger takes the place that its name gives it', () => {
    const own = nameOf({ recipe: 'mutex', dialect: 'curator' });
    const queue = queueOfNames('/q', ['!first', own, 'zz'], own)!;
    expect(queue.entries.map(({ name }) => name)).toEqual(['!first', own, 'zz']);
  });

  it('says where newcomers may be sorted in front', () => {
    const overtaking = written.filter(one => queueOfNames('/q', [nameOf(one)], nameOf(one))!.allowsOvertaking);
    expect(overtaking.map(({ recipe, dialect }) => `${recipe} ${dialect}`)).toEqual(['read curator', 'write curator']);
  });
});
