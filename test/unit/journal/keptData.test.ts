import { describe, expect, it, vi } from 'vitest';
import { keptData } from '../../../src/journal/keptData.ts';
import { parentPath } from '../../../src/base/paths.ts';
import type { ChildNode, LockDirectory } from '../../../src/locks/lockDirectory.ts';
import { nodeOfName } from '../../../src/locks/lockDirectory.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { testEveryLayout } from '../locks/everyLayout.ts';
import type * as recognition from '../../../src/locks/recognition/recognise.ts';

/** Every directory that the tests of recognition recognise: all layouts that are known. */
const recognised = vi.hoisted((): LockDirectory[] => []);

vi.mock(import('../../../src/locks/recognition/recognise.ts'), async load => {
  const original = await load();
  const recogniseQueues: typeof recognition.recogniseQueues = (directory, unread) => {
    recognised.push(directory);
    return original.recogniseQueues(directory, unread);
  };
  return { ...original, recogniseQueues };
});

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function nodeWith(path: string, data: string, owner = 1n): ChildNode {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { ...nodeOfName(parentPath(path), name), data: encoder.encode(data), czxid: 7n, ephemeralOwner: owner };
}

function kept(path: string, data: string, owner?: bigint): string {
  return decoder.decode(keptData(parentPath(path), nodeWith(path, data, owner), false));
}

describe('what is kept', () => {
  const curator = '/locks/orders/_c_1a2b3c4d-0001-4000-8000-00000000000a-lock-0000000001';

  it.each([
    ['of a contender, who', curator, ' worker-1 ', 'worker-1'],
    ['of a long text, what is shown', curator, 'x'.repeat(5_000), 'x'.repeat(200)],
    ['of a contender whose object does not say who, nothing', curator, '{"password":"secret"}', ''],
    ['of a lease, who', `/pool/${'ab'.repeat(16)}`, 'worker-1', 'worker-1'],
    ['of a lease whose object does not say who, nothing', `/pool/${'ab'.repeat(16)}`, '{"password":"secret"}', ''],
    ['of a contender without a text, nothing', curator, '\u0000\u0001secret', ''],
    ['of a JSON object of an unknown lock, who', '/locks/a', '{"host":"h1","password":"secret"}', 'h1'],
    ['of an entry of a registry, that it is none', '/services/member_0000000001', '{"password":"secret"}', '{'],
    ['of a mark, the mark', '/s/semaphore-0000000001', 'ACQUIRED', 'ACQUIRED'],
    ['of a reader, that it reads', '/a/zlocks/zlock#1#0000000001', 'secret', 'secret'],
  ])('is %s', (_, path, data, expected) => {
    expect(kept(path, data)).toBe(expected);
  });

  it.each([
    ['of a directory, nothing', '/locks/orders', 'secret', ''],
    ['of a node that is no lock, nothing', '/config/database', '{"password":"secret"}', ''],
    ['of a semaphore, its limit', '/semaphores/pool', '12', '12'],
    ['of a lock in its data, these', '/app/shedlock/job', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ])('is %s', (_, path, data, expected) => {
    expect(kept(path, data, 0n)).toBe(expected);
  });

  it('is the start of all data where the person asked for them', () => {
    const data = keptData('/locks', nodeWith('/locks/a', 'x'.repeat(100_000)), true);
    expect(data.length).toBe(65_536);
  });
});

describe('of long JSON objects what makes the lock is kept', () => {
  const filler = { filler: 'x'.repeat(3_000) };

  it('of a member of a group', () => {
    const text = kept('/group/00000000001', JSON.stringify({ ...filler, id: 'e1', container: 'c1', services: ['s'] }));
    expect(JSON.parse(text)).toEqual({ id: 'e1', container: 'c1' });
  });

  it('of a lock of a cluster controller', () => {
    const record = { id: 'r', ...filler, simpleFields: { OWNER: 'o1', TIMEOUT: '1700000000000', REASON: 'secret' } };
    const text = kept('/c/LOCK/RESOURCE/r', JSON.stringify(record), 0n);
    expect(JSON.parse(text)).toEqual({ id: 'r', simpleFields: { OWNER: 'o1', TIMEOUT: '1700000000000' } });
  });
});

function keep(directory: string, node: ChildNode): ChildNode {
  return { ...node, data: keptData(directory, node, false), member: undefined };
}

function keepAll(directory: LockDirectory): LockDirectory {
  const { path, self, children, further } = directory;
  return {
    ...directory,
    self: keep(parentPath(path), self),
    children: children.map(child => keep(path, child)),
    further: new Map(Array.from(further, ([at, nodes]) => [at, nodes.map(node => keep(at, node))])),
  };
}

/** All but what only the details of a contender show. */
function shown(queues: LockQueue[]): object[] {
  return queues.map(queue => ({
    ...queue,
    contenders: queue.contenders.map(contender => ({ ...contender, details: undefined })),
  }));
}

describe('every layout', async () => {
  await testEveryLayout();

  it('is recognised from what is kept as from the nodes themselves', async () => {
    const { recogniseQueues } = await vi.importActual<typeof recognition>(
      '../../../src/locks/recognition/recognise.ts',
    );
    expect(recognised.length).toBeGreaterThan(150);
    for (const directory of recognised) {
      expect(shown(recogniseQueues(keepAll(directory))), directory.path).toEqual(shown(recogniseQueues(directory)));
    }
  });
});
