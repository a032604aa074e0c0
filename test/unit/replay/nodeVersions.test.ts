import { expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import { openAcl } from '../../../src/dataTree/acl.ts';
import { Znode } from '../../../src/dataTree/znode.ts';
import { NodeVersions } from '../../../src/replay/nodeVersions.ts';
import { keptBytes, type StoredData } from '../../../src/replay/storedData.ts';

function nodeOf(zxid: number, data: StoredData): Znode<StoredData> {
  return new Znode<StoredData>(data, openAcl, 0n, BigInt(zxid), zxid);
}

it('checkpoints that are forgotten give their memory to later ones', () => {
  const versions = new NodeVersions();
  const save = (checkpoint: number): void => {
    for (let each = 0; each < 100; each++)
      versions.save(`/n${each}`, checkpoint, nodeOf(checkpoint * 100, Buffer.alloc(40)));
  };
  for (let checkpoint = 0; checkpoint < 10; checkpoint++) save(checkpoint);
  const most = versions.size;
  atOnce(versions.thin(checkpoint => checkpoint + (checkpoint % 2 === 0 && checkpoint > 0 ? 1 : 0)));
  expect(versions.size / most).toBeCloseTo(0.6);
  expect([0, 1, 3, 9].map(checkpoint => versions.find('/n5', checkpoint)?.czxid)).toEqual([0n, 100n, 300n, 900n]);
  for (let checkpoint = 10; checkpoint < 14; checkpoint++) save(checkpoint);
  expect(versions.size).toBe(most);
  expect(versions.find('/n5', 13)?.czxid).toBe(1_300n);
});

it('data keep their bytes, however long they are and whatever stood in their place', () => {
  const versions = new NodeVersions();
  const inFile = { file: 'log.1', offset: 5, length: 70_000 };
  for (let checkpoint = 1; checkpoint < 200; checkpoint++) {
    const length = (checkpoint * 37) % 700;
    versions.save('/a', checkpoint, nodeOf(checkpoint, Buffer.alloc(length, checkpoint)));
    versions.save('/b', checkpoint, nodeOf(checkpoint, inFile));
    expect(keptBytes(versions.find('/a', checkpoint)?.data)).toEqual(new Uint8Array(length).fill(checkpoint));
    expect(versions.find('/b', checkpoint)?.data).toBe(inFile);
    atOnce(versions.thin(each => (each % 3 === 0 || each === checkpoint ? each : each + 1)));
  }
});

it('a node that is at no checkpoint any more is forgotten', () => {
  const versions = new NodeVersions();
  versions.save('/a', 1, nodeOf(1, Buffer.alloc(0)));
  versions.save('/a', 2, undefined);
  expect([...versions.childrenOf('/')]).toEqual(['/a']);
  atOnce(versions.thin(() => 2));
  expect([...versions.paths()]).toEqual([]);
  expect([...versions.childrenOf('/')]).toEqual([]);
});
