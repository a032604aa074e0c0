import { expect, it } from 'vitest';
import { openAcl, readOnlyAcl, type AclEntry } from '../../../src/dataTree/acl.ts';
import { AclReader } from '../../../src/replay/aclReader.ts';
import { JuteReader, JuteWriter, MalformedReplyError } from '../../../src/zookeeper/wire/jute.ts';
import { writeAclBits } from '../../../src/zookeeper/wire/records.ts';

function readerOf(...lists: (readonly AclEntry[])[]): JuteReader {
  const writer = new JuteWriter();
  for (const list of lists) writeAclBits(writer, list);
  return new JuteReader(Buffer.from(writer.toFrame().subarray(4)));
}

const digestAcl: readonly AclEntry[] = [
  { scheme: 'digest', id: 'app:ü\u0000', permissions: 31 },
  { scheme: 'world', id: 'anyone', permissions: 1 },
];

it('equal lists are one, whatever stands between them', () => {
  const acls = new AclReader();
  const order = [openAcl, digestAcl, openAcl, readOnlyAcl, digestAcl, digestAcl, openAcl, []];
  const reader = readerOf(...order);
  const read = order.map(() => acls.read(reader));
  expect(read).toEqual(order);
  expect(reader.isAtEnd).toBe(true);
  expect(new Set(read).size).toBe(4);
});

it('lists of different files are one', () => {
  const acls = new AclReader();
  const [one, other] = [readerOf(digestAcl), readerOf(openAcl, digestAcl)];
  const first = acls.read(one);
  acls.read(other);
  expect(acls.read(other)).toBe(first);
});

it('more different lists than are kept are read as they are', () => {
  const acls = new AclReader();
  const listOf = (id: number): AclEntry[] => [
    { scheme: 'sasl', id: 'x'.repeat(id % 900) + String(id), permissions: 1 },
  ];
  for (let id = 0; id < 5_000; id++) expect(acls.read(readerOf(listOf(id)))).toEqual(listOf(id));
  expect(acls.read(readerOf(listOf(3)))).toEqual(listOf(3));
});

it('what is no list changes nothing', () => {
  const acls = new AclReader();
  const first = acls.read(readerOf(digestAcl));
  const { buffer } = readerOf(digestAcl);
  expect(() => acls.read(new JuteReader(buffer.subarray(0, -1)))).toThrow(MalformedReplyError);
  expect(acls.read(readerOf(digestAcl))).toBe(first);
});
