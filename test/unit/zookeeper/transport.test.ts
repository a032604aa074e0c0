import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Transport } from '../../../src/zookeeper/transport.ts';

let socket: Duplex;
let transport: Transport;
let isAwaiting: boolean;
let frames: number;

beforeEach(() => {
  isAwaiting = false;
  frames = 0;
  socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const options = { openSocket: () => socket, replyLimit: 1_000, clock: () => 0 };
  transport = new Transport({ host: 'h', port: 1 }, options as never, {
    connected: () => undefined,
    frame: () => {
      frames++;
    },
    grew: () => undefined,
    mayLag: () => true,
    isAwaiting: () => isAwaiting,
    failed: () => undefined,
  });
});
afterEach(() => {
  transport.destroy();
});

/** A server sends so many frames of four bytes. */
function receive(count: number): void {
  const frame = Buffer.from([0, 0, 0, 4, 1, 2, 3, 4]);
  socket.emit('data', Buffer.concat(Array.from({ length: count }, () => frame)));
}

it('leaves in the socket what comes fast, until something is sent', () => {
  receive(600);
  expect(socket.isPaused()).toBe(false);
  receive(1);
  expect([socket.isPaused(), frames]).toEqual([true, 601]);
  transport.write(Buffer.of(1));
  expect(socket.isPaused()).toBe(false);
});

it('reads on at once while an answer is awaited', () => {
  isAwaiting = true;
  receive(1_000);
  expect([socket.isPaused(), frames]).toEqual([false, 1_000]);
  // What came meanwhile counts.
  isAwaiting = false;
  receive(1);
  expect(socket.isPaused()).toBe(true);
});
