import { afterEach, beforeEach, expect, it } from 'vitest';
import { ErrorCode } from '../../../src/zookeeper/wire/errorCodes.ts';
import { limits } from '../../../src/sandbox/limits.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { Turns } from '../../../src/sandbox/turns.ts';
import type { JuteWriter } from '../../../src/zookeeper/wire/jute.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { WireClient } from '../../support/wireClient.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

function authenticate(client: WireClient, credential: string): Promise<{ error: number }> {
  return client.request(Op.auth, writer => writer.int(0).string('digest').bytes(Buffer.from(credential)));
}

it('a client may prove so many identities, and no more', async () => {
  const client = await WireClient.withSession(sandbox.port);
  // Its address is one.
  for (let count = 1; count < limits.identities; count++) {
    expect((await authenticate(client, `user${count}:secret`)).error).toBe(0);
  }
  expect((await authenticate(client, 'last:secret')).error).toBe(ErrorCode.AUTH_FAILED);
  await client.ended();
});

it('a credential may be so long, and no longer', async () => {
  const client = await WireClient.withSession(sandbox.port);
  expect((await authenticate(client, `u:${'x'.repeat(limits.credential - 2)}`)).error).toBe(0);
  expect((await authenticate(client, `u:${'x'.repeat(limits.credential - 1)}`)).error).toBe(ErrorCode.AUTH_FAILED);
  await client.ended();
});

it.each([
  [256, ErrorCode.OK],
  [257, ErrorCode.INVALID_ACL],
])('an ACL of %i entries is answered %i', async (entries, error) => {
  const client = await WireClient.withSession(sandbox.port);
  const write = (writer: JuteWriter): unknown => {
    writer.string('/n').bytes(Buffer.alloc(0)).int(entries);
    for (let at = 0; at < entries; at++) writer.int(31).string('digest').string(`user${at}:hash`);
    return writer.int(0);
  };
  expect((await client.request(Op.create, write)).error).toBe(error);
  client.close();
});

it.each([
  ['the usual limit', undefined, 1_048_575],
  ['a limit of its own', 5_000, 5_000],
])('jute.maxbuffer: with %s a request may be so long, and no longer', async (_, maxFrameBytes, most) => {
  const own = await startSandbox({ ...(maxFrameBytes === undefined ? {} : { maxFrameBytes }) });
  const client = await WireClient.withSession(own.port);
  // Xid, type and what stands around the path.
  const ask = (length: number) =>
    client.request(Op.exists, writer => writer.string(`/${'x'.repeat(length - 14)}`).bool(false));
  expect((await ask(most)).error).toBe(ErrorCode.NO_NODE);
  await expect(ask(most + 1)).rejects.toThrow('The connection has ended.');
  client.close();
  await own.close();
});

it('watches that come cut short are not set, and send nothing', async () => {
  const client = await WireClient.withSession(sandbox.port);
  const cut = (writer: JuteWriter): unknown => writer.long(0n).strings(['/gone']).int(5);
  expect((await client.request(Op.setWatches2, cut)).error).toBe(ErrorCode.MARSHALLING_ERROR);
  expect(client.events).toEqual([]);
  client.close();
});

it('a frozen server sends nothing, not even that a session has ended', async () => {
  const [owner, watcher] = [await WireClient.withSession(sandbox.port), await WireClient.withSession(sandbox.port)];
  await owner.create('/e', Buffer.alloc(0), 1);
  expect((await watcher.request(Op.exists, writer => writer.string('/e').bool(true))).error).toBe(0);
  sandbox.pause();
  sandbox.expire(owner.session.sessionId);
  // The end of the owner's connection comes after what the same turn would have sent to the watcher.
  await owner.ended();
  expect(watcher.frames).toEqual([]);
  sandbox.resume();
  await watcher.request(Op.ping);
  expect(watcher.events).toEqual([{ type: 'deleted', path: '/e' }]);
  watcher.close();
});

it('closing twice waits for the end both times', async () => {
  const first = sandbox.close();
  const again = sandbox.close();
  expect(again).toBe(first);
  await again;
  await expect(WireClient.open(sandbox.port)).rejects.toThrow('ECONNREFUSED');
});

it('clients that are always busy take turns, and leave turns for others', async () => {
  const turns = new Turns();
  const worked = [0, 0, 0];
  let others = 0;
  const work = (who: number): void => {
    while (!turns.isOver) worked[who]!++;
    if (others < 20) turns.wait(() => work(who));
  };
  const count = (): void => {
    if (++others < 20) setImmediate(count);
  };
  setImmediate(count);
  for (const who of worked.keys()) turns.wait(() => work(who));
  await eventually(() => expect(others).toBe(20));
  expect(worked.every(times => times > 0)).toBe(true);
});
