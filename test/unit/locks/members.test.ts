import { describe, expect, it } from 'vitest';
import type { ChildNode, LockDirectory } from '../../../src/locks/lockDirectory.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';
import { child, directory } from './directory.ts';

const hex = (random: SeededRandom, digits: number): string => random.bytes(digits / 2).toString('hex');
const guid = (random: SeededRandom): string => [8, 4, 4, 4, 12].map(digits => hex(random, digits)).join('-');

/** Everything in front of the number, for each dialect; where it lies if the place matters. */
const dialects: readonly { place?: string; prefixes: readonly ((random: SeededRandom) => string)[] }[] = [
  { prefixes: [random => `_c_${guid(random)}-lock-`, random => `_c_${hex(random, 32)}-lock-`] },
  { prefixes: [random => `_c_${guid(random)}-__READ__`, random => `_c_${guid(random)}-__WRIT__`] },
  { prefixes: [random => `_c_${guid(random)}-latch-`] },
  { prefixes: [random => `_c_${guid(random)}-lease-`], place: '/s/leases' },
  { prefixes: [random => `_c_${guid(random)}-own-`, random => `_c_${guid(random)}-other-`] },
  { prefixes: [random => `${hex(random, 32)}__lock__`, random => `${hex(random, 32)}__rlock__`] },
  { prefixes: [random => `zlock#${random.pick(['a', 'b'])}${guid(random).slice(1)}#`] },
  { prefixes: [random => `flock#${random.pick(['READ', 'WRITE'])}~${random.below(3)}#`, () => 'flock#'] },
  { prefixes: [random => `${random.below(9_999)}-core${random.below(3)}-n_`] },
  { prefixes: [random => `x-${random.below(9_999)}-`, random => `x-${hex(random, 16)}-`] },
  { prefixes: [random => `${random.pick(['lock', 'read', 'write'])}-${hex(random, 32)}-`] },
  { prefixes: [random => `lease-${hex(random, 32)}-`] },
  { prefixes: [random => `latch-${random.below(9)}-`] },
  { prefixes: [() => 'json.info_', () => 'info_'] },
  { prefixes: [() => 'V_'] },
  { prefixes: [random => random.pick(['LOCK-SHARED-', 'LOCK-SEMI_SHARED-', 'LOCK-EXCLUSIVE-'])] },
  { prefixes: [() => 'n_'] },
  { prefixes: [random => random.pick(['ex', 'sh'])] },
  { prefixes: [() => 'sem'] },
  { prefixes: [() => 'ballot'] },
  { prefixes: [random => random.pick(['read-', 'write-', 'lock-'])] },
  { prefixes: [() => 'semaphore-'] },
  { prefixes: [random => `lock-${random.below(9_999)}-`] },
  { prefixes: [random => `host${random.below(3)}-${random.pick(['R', 'W'])}-`] },
  { prefixes: [random => `${random.pick(['a', 'b'])}_lock_`] },
  { prefixes: [random => `${guid(random)}-${random.pick(['lock-', 'read-', 'write-', 'n_'])}`] },
  { prefixes: [() => 'leader_election-', () => 'singleton_candidate_'] },
  { prefixes: [() => ''], place: '/vitess/locks' },
  { prefixes: [() => 'p', () => 'p-'] },
];
const strangers = ['leader_ack', 'leader', 'initialize', 'lease_holder', 'x-', 'lock', 'abcdefghij', '7', 'ex-none'];
const texts = ['', 'host', '{"host":"h"}', 'ACQUIRED', 'READ:1', "b'x'", '__REVOKE__', '\u0000'];

function sequence(random: SeededRandom): string {
  const number = random.pick([random.below(30), 2_147_483_600 + random.below(48), -random.below(2_147_483_648)]);
  return number < 0 ? `-${String(-number).padStart(9, '0')}` : String(number).padStart(10, '0');
}

let created = 0;
function newChild(path: string, name: string, random: SeededRandom): ChildNode {
  created += 1;
  const spec = { name, owner: BigInt(random.below(6)), data: random.pick(texts), czxid: BigInt(random.below(200)) };
  return child(path, spec, created);
}

/** Adds, changes, or takes away one child; sometimes several at once. */
function edit(children: Map<string, ChildNode>, path: string, names: () => string, random: SeededRandom): void {
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const present = [...children.keys()];
    const name = random.below(3) > 0 || present.length === 0 ? names() : random.pick(present);
    if (random.below(5) < 2 && present.length > 0) children.delete(random.pick(present));
    else children.set(name, newChild(path, name, random));
  }
}

/** The same nodes as if they had just been read. */
function readAnew(nodes: readonly ChildNode[]): ChildNode[] {
  return nodes.map(node => ({ ...node, member: undefined }));
}

/** Edits a directory again and again, and compares what is known of its nodes with what a fresh look gives. */
function compare(read: () => LockDirectory, change: () => void, rounds: number): number {
  let recognised = 0;
  for (let round = 0; round < rounds; round += 1) {
    change();
    const now = read();
    const fresh = recogniseQueues({
      ...now,
      children: readAnew(now.children),
      further: new Map([...now.further].map(([at, nodes]) => [at, readAnew(nodes)])),
    });
    expect(recogniseQueues(now)).toEqual(fresh);
    recognised += fresh.length;
  }
  return recognised;
}

describe('known nodes are recognised as those that were just read, over random edits', () => {
  it.each(dialects.map(({ place, prefixes }, at) => ({ at, name: prefixes[0]!(seededRandom(1)), place, prefixes })))(
    '$name',
    ({ at, place = '/l', prefixes }) => {
      const random = seededRandom(100 + at);
      const children = new Map<string, ChildNode>();
      const names = (): string =>
        random.below(9) === 0 ? random.pick(strangers) : random.pick(prefixes)(random) + sequence(random);
      const read = (): LockDirectory => ({ ...directory(place, []), children: [...children.values()] });
      expect(compare(read, () => edit(children, place, names, random), 300)).toBeGreaterThan(100);
    },
  );

  it('all dialects in one directory', () => {
    const random = seededRandom(3);
    const children = new Map<string, ChildNode>();
    const names = (): string => random.pick(random.pick(dialects).prefixes)(random) + sequence(random);
    const read = (): LockDirectory => ({ ...directory('/l', []), children: [...children.values()] });
    expect(compare(read, () => edit(children, '/l', names, random), 600)).toBeGreaterThan(1000);
  });

  it.each(['/s', '/s/locks', '/s/leases', '/s-__lock__'])('semaphores of two directories, from %s', path => {
    const random = seededRandom(4);
    const lists = new Map(['/s', '/s/locks', '/s/leases', '/s-__lock__'].map(at => [at, new Map<string, ChildNode>()]));
    const name = (): string =>
      random.pick([
        () => `_c_${guid(random)}-lock-${sequence(random)}`,
        () => `_c_${guid(random)}-lease-${sequence(random)}`,
        () => `${hex(random, 32)}__lock__${sequence(random)}`,
        () => hex(random, 32),
      ])();
    const read = (): LockDirectory => ({
      ...directory(path, []),
      children: [...lists.get(path)!.values()],
      further: new Map([...lists].filter(([at]) => at !== path).map(([at, nodes]) => [at, [...nodes.values()]])),
    });
    const change = (): void => {
      const [at, nodes] = random.pick([...lists]);
      edit(nodes, at, name, random);
    };
    expect(compare(read, change, 300)).toBeGreaterThan(200);
  });
});

describe('what is known of a node', () => {
  const at = (number: number): string =>
    `${String(number).padStart(32, '0')}__lock__${String(number).padStart(10, '0')}`;
  const look = (children: readonly ChildNode[]): LockQueue => {
    const [queue] = recogniseQueues({ ...directory('/l', []), children });
    return queue!;
  };

  it('contenders that did not change are the same objects, and those that did are not touched', () => {
    const nodes = [1, 2, 3, 4].map(number => child('/l', at(number), number));
    const before = look(nodes);
    const copy = structuredClone(before);
    const after = look(nodes.slice(1));
    expect(before).toEqual(copy);
    expect(after.contenders.map(({ role }) => role)).toEqual(['holder', 'waiter', 'waiter']);
    expect(after.contenders.slice(1).every((contender, index) => contender === before.contenders[index + 2])).toBe(
      true,
    );
  });

  it('is not believed of a copy that was changed', () => {
    const node = child('/l', { name: at(1), data: 'before' }, 1);
    look([node]);
    const copy = { ...node, data: new TextEncoder().encode('after') };
    expect(look([copy]).contenders[0]?.identifier).toBe('after');
  });

  it('a node that was read anew is seen anew', () => {
    const first = look([child('/l', { name: at(1), data: 'before' }, 1)]);
    const second = look([child('/l', { name: at(1), data: 'after' }, 1)]);
    expect([first, second].map(({ contenders }) => contenders[0]?.identifier)).toEqual(['before', 'after']);
  });
});
