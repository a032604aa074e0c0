import { beforeEach, describe, expect, it } from 'vitest';
import { ContactClock } from '../../../src/zookeeper/contactClock.ts';
import { OutcomeUnknownError, ReplyLostError } from '../../../src/zookeeper/errors.ts';
import { RequestChannel } from '../../../src/zookeeper/requestChannel.ts';
import { MalformedReplyError } from '../../../src/zookeeper/wire/jute.ts';
import { reply } from '../../support/fakeServer.ts';
import { FrameSplitter } from '../../support/frames.ts';

let now = 0;
let sent: Buffer[] = [];

function open(lastXid?: number): RequestChannel {
  const channel = new RequestChannel(new ContactClock(() => now, 900), lastXid);
  channel.open(bytes => sent.push(Buffer.from(bytes)));
  return channel;
}

const request = (path: string, isWrite = false) => ({
  opcode: 3,
  operation: 'exists',
  path,
  isWrite,
  write: () => undefined,
});
const xids = () => new FrameSplitter().push(Buffer.concat(sent)).map(({ bytes }) => bytes.readInt32BE(4));

beforeEach(() => {
  now = 0;
  sent = [];
});

it('numbers requests past 2^31 - 1 without a break (D31)', async () => {
  const channel = open(0x7fff_fffd);
  const answers = ['/a', '/b', '/c', '/d'].map(path => channel.send(request(path)));
  await Promise.resolve();
  expect(xids()).toEqual([0x7fff_fffe, 0x7fff_ffff, 1, 2]);
  for (const xid of xids()) channel.accept({ body: reply({ xid }) });
  expect(await Promise.all(answers)).toHaveLength(4);
});

it('sends what one tick asks for in one write, pings included', async () => {
  const channel = open();
  void channel.send(request('/a')).catch(() => undefined);
  channel.ping();
  void channel.send(request('/b')).catch(() => undefined);
  expect(sent).toEqual([]);
  await Promise.resolve();
  expect(sent).toHaveLength(1);
  expect(xids()).toEqual([1, -2, 2]);
});

it('settles thousands of requests in the order in which they were sent', async () => {
  const channel = open();
  const order: string[] = [];
  for (let round = 0; round < 40; round++) {
    for (let sent = 0; sent < 100; sent++) {
      const path = `/${round * 100 + sent}`;
      void channel.send(request(path)).then(() => order.push(path));
    }
    for (let answered = 0; answered < 97; answered++)
      channel.accept({ body: reply({ xid: round * 97 + answered + 1 }) });
  }
  await Promise.resolve();
  expect(order).toEqual(Array.from({ length: 40 * 97 }, (_, index) => `/${index}`));
});

it('takes the refusal of an unknown request ahead of the answers before it', async () => {
  const channel = open();
  const paths = ['/a', '/b', '/c', '/d'];
  const answers = paths.map(path => channel.send(request(path)).then(() => path));
  for (const xid of [3, 2]) channel.accept({ body: reply({ xid, error: -6 }) });
  for (const xid of [1, 4]) channel.accept({ body: reply({ xid }) });
  const settled = await Promise.allSettled(answers);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  // Other errors come in their turn.
  void channel.send(request('/e')).catch(() => undefined);
  void channel.send(request('/f')).catch(() => undefined);
  expect(() => channel.accept({ body: reply({ xid: 6, error: -101 }) })).toThrow(MalformedReplyError);
});

describe('deadlines', () => {
  it('settle what is overdue, and its late reply only keeps the order', async () => {
    const channel = open();
    const slow = channel.send(request('/slow'));
    const write = channel.send(request('/write', true));
    now = 500;
    const next = channel.send(request('/next'));
    now = 901;
    channel.expire(900);
    await expect(slow).rejects.toBeInstanceOf(ReplyLostError);
    await expect(write).rejects.toBeInstanceOf(OutcomeUnknownError);
    for (const xid of [1, 2, 3]) channel.accept({ body: reply({ xid }) });
    expect(await next).toBeDefined();
  });
});

describe('the end of a connection', () => {
  it('settles everything by what it was, and sends nothing of it later (D2)', async () => {
    const channel = open();
    const read = channel.send(request('/a'));
    const write = channel.send(request('/b', true));
    channel.fail('cut');
    await expect(read).rejects.toBeInstanceOf(ReplyLostError);
    await expect(write).rejects.toBeInstanceOf(OutcomeUnknownError);
    channel.open(bytes => sent.push(Buffer.from(bytes)));
    await Promise.resolve();
    expect(sent).toEqual([]);
  });
});

describe('replies that answer nothing', () => {
  it('end the connection and settle the request whose place they took', async () => {
    const channel = open();
    const asked = channel.send(request('/a', true));
    expect(() => channel.accept({ body: reply({ xid: 7 }) })).toThrow(MalformedReplyError);
    await expect(asked).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(() => channel.accept({ body: reply({ xid: 1 }) })).toThrow(MalformedReplyError);
    expect(() => channel.accept({ body: reply({ xid: -2 }) })).toThrow(MalformedReplyError);
  });
});

it('confirms contact from the moment a request was sent, not from its reply', async () => {
  const contact = new ContactClock(() => now, 900);
  const channel = new RequestChannel(contact);
  channel.open(() => undefined);
  now = 100;
  const asked = channel.send(request('/a'));
  now = 400;
  channel.accept({ body: reply({ xid: 1 }) });
  await asked;
  expect(contact.untilLostMs).toBe(100 + 900 - 400);
});
