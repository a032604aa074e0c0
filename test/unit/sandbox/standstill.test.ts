import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { encodeHandshake } from '../../../src/zookeeper/library.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { toFrame } from '../../support/frames.ts';

const timeoutMs = 200;

/** As a process that has other work, or an extension host with an extension that computes. */
function standStill(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('a session whose sign of life waited while the process stood still lives on', async () => {
  const sandbox = await startSandbox({ tickTimeMs: 10, maxSessionTimeoutMs: timeoutMs });
  const socket = connect(sandbox.port, '127.0.0.1');
  socket.write(encodeHandshake(Buffer.alloc(8), timeoutMs, Buffer.alloc(8), Buffer.alloc(16)));
  await once(socket, 'data');
  const ping = Buffer.alloc(8);
  ping.writeInt32BE(-2, 0);
  ping.writeInt32BE(Op.ping, 4);
  const answered = once(socket, 'data');
  socket.write(toFrame(ping));
  standStill(2 * timeoutMs);
  await answered;
  expect(sandbox.sessions()).toHaveLength(1);
  // Silent from now on.
  await eventually(() => expect(sandbox.sessions()).toEqual([]));
  socket.destroy();
  await sandbox.close();
});
