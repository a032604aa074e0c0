import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { WireClient } from '../../support/wireClient.ts';

const timeoutMs = 400;

/** As a process that has other work, or an extension host with an extension that computes. */
function standStill(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('a session whose sign of life waited while the process stood still lives on', { timeout: 30_000 }, async () => {
  const sandbox = await startSandbox({ tickTimeMs: 10, maxSessionTimeoutMs: timeoutMs });
  const client = await WireClient.withSession(sandbox.port, { timeoutMs });
  const answered = client.request(Op.ping);
  standStill(2 * timeoutMs);
  await answered;
  expect(sandbox.sessions()).toHaveLength(1);
  // Silent from now on.
  await eventually(() => expect(sandbox.sessions()).toEqual([]));
  client.close();
  await sandbox.close();
});
