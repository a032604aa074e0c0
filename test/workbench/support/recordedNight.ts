import { LogWriter } from '../../support/logWriter.ts';

/** A local time of the recorded night. */
export function nightTime(hour: number, minute: number, second = 0): number {
  return new Date(2026, 10, 24, hour, minute, second).getTime();
}

const prefix = (digit: number): string =>
  `_c_${[8, 4, 4, 4, 12].map(length => String(digit).repeat(length)).join('-')}-lock-`;

/**
 * Writes the logs of one night into a folder: what happened to `/orders/payment`, with three transactions missing from 03:50 on, and
 * to `/orders/refund`.
 *
 * pay-1 holds from 03:02 and releases at 03:05; pay-2 holds until its session expires at 03:12; pay-3 holds until an admin deletes its
 * node at 03:20; pay-4 holds until its client closes the session at 03:40; pay-5 waits from 03:30 until its session expires at 03:35;
 * pay-6 holds from 03:40 on.
 */
export async function writeNight(folder: string): Promise<void> {
  const log = new LogWriter({ time: nightTime(3, 1) });
  // Whole minutes are easier to read in pictures.
  log.step = 0;
  const at = (hour: number, minute: number, second = 0): LogWriter => {
    log.time = nightTime(hour, minute, second);
    return log;
  };
  const admin = log.createSession();
  for (const path of ['/orders', '/orders/payment', '/orders/refund']) log.create(admin, path);
  const workers = new Map<number, { session: bigint; path: string }>();
  const queueUp = (worker: number, lock = 'payment'): void => {
    const session = log.createSession();
    const asked = `/orders/${lock}/${prefix(worker)}`;
    const node = { ephemeral: true, sequential: true, data: `${lock === 'payment' ? 'pay' : 'refund'}-${worker}` };
    workers.set(worker, { session, path: log.create(session, asked, node) });
  };
  const worker = (number: number): { session: bigint; path: string } => {
    const found = workers.get(number);
    if (found === undefined) throw new Error(`Worker ${number} has not queued up.`);
    return found;
  };
  at(3, 2);
  queueUp(1);
  at(3, 3);
  queueUp(2);
  at(3, 5).delete(worker(1).session, worker(1).path);
  at(3, 6);
  queueUp(3);
  at(3, 10);
  queueUp(4);
  at(3, 12).closeSession(worker(2).session, 'expired');
  at(3, 15);
  queueUp(7, 'refund');
  at(3, 20).delete(admin, worker(3).path);
  at(3, 25).closeSession(worker(7).session);
  at(3, 30);
  queueUp(5);
  at(3, 35).closeSession(worker(5).session, 'expired');
  at(3, 38);
  queueUp(6);
  at(3, 40).closeSession(worker(4).session);
  at(3, 50).setData(admin, '/orders', 'checked', 1);
  await log.save(folder);
  log.zxid += 3n;
  at(4, 0).setData(admin, '/orders', 'checked again', 2);
  at(4, 20).setData(admin, '/orders', 'closed', 3);
  await log.save(folder);
}
