/** Takes a lock in a process of its own, so that the process can be frozen: `leaseProgram.ts <connect string> <timeout ms> <path>`. */
import { createInterface } from 'node:readline';
import { createLock } from '../../src/recipes/createLock.ts';
import { connect } from '../../src/zookeeper/connect.ts';
import type { LeaseLook } from './leaseLook.ts';

const [connectString = '', timeout = '', path = ''] = process.argv.slice(2);
const client = await connect(connectString, { sessionTimeoutMs: Number(timeout) });
const lease = await createLock(client, path, { recipe: 'mutex', dialect: 'curator' }).acquire();
const looks: LeaseLook[] = [];

setInterval(() => {
  // The clock first: should the process be frozen in between, the lease is asked after it.
  const at = Number(process.hrtime.bigint()) / 1e6;
  looks.push({ at, state: lease.state, isAborted: lease.signal.aborted });
}, 2);

createInterface({ input: process.stdin })
  .on('line', line => {
    const { id } = JSON.parse(line) as { id: number };
    process.stdout.write(`${JSON.stringify({ id, ok: looks })}\n`);
  })
  .on('close', () => process.exit());
