import { afterEach, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { Lease } from '../../../src/recipes/lock.ts';
import type { SessionState, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { ZooKeeperSession } from '../../../src/zookeeper/zooKeeperSession.ts';
import { eventually } from '../../support/eventually.ts';
import { connectAt, useEnsemble } from '../../support/useEnsemble.ts';

const reconfigOp = 16;

const sessions: ZooKeeperSession[] = [];

const ensemble = useEnsemble({ config: { reconfigEnabled: 'true', skipACL: 'yes' } });
afterEach(async () => {
  await Promise.all(sessions.splice(0).map(session => session.close()));
});

const options = { sessionTimeoutMs: 20_000 };

function endedLater(session: ZooKeeperClient): ZooKeeperSession {
  if (!(session instanceof ZooKeeperSession)) throw new Error('Not a session of ours.');
  sessions.push(session);
  return session;
}

/** @param ports in the order of the connect string */
async function open(ports: readonly number[]): Promise<ZooKeeperSession> {
  return endedLater(await connect(ports.map(port => `127.0.0.1:${port}`).join(','), options));
}

/** A session that knows every member and is attached to one of them. */
async function openAt(index: number): Promise<ZooKeeperSession> {
  return endedLater(await connectAt(ensemble(), index, options));
}

/** A session with a lease, and every state that it reported. */
async function holdAt(index: number): Promise<{ session: ZooKeeperSession; lease: Lease; states: SessionState[] }> {
  const session = await openAt(index);
  const states: SessionState[] = [];
  session.onState(({ state }) => states.push(state));
  const lease = await createLock(session, `/locks/reconfig-${index}`, { recipe: 'mutex' }).acquire({
    timeoutMs: 10_000,
  });
  return { session, lease, states };
}

/** The members as the ensemble knows them, by id: `127.0.0.1:2888:3888:participant;127.0.0.1:2181`. */
async function members(admin: ZooKeeperSession): Promise<Map<string, string>> {
  const { data } = await admin.getData('/zookeeper/config');
  const lines = Buffer.from(data)
    .toString()
    .matchAll(/^server\.(\d+)=([^;\n]*)/gm);
  return new Map([...lines].map(([, id, peer]) => [id!, `${peer!};127.0.0.1:${ensemble().ports[Number(id) - 1]!}`]));
}

/** Changes the members (3.5+): some join, some leave, or all are given in an order. */
async function reconfig(
  admin: ZooKeeperSession,
  change: { joining?: string; leaving?: string; all?: string },
): Promise<void> {
  const ask = () =>
    admin.send({
      opcode: reconfigOp,
      operation: 'reconfig',
      path: '/zookeeper/config',
      isWrite: true,
      write: writer => {
        for (const text of [change.joining, change.leaving, change.all]) {
          if (text === undefined) writer.int(-1);
          else writer.string(text);
        }
        writer.long(-1n);
      },
    });
  // Refused until a quorum of the new members follows the leader.
  await eventually(ask, 30_000);
}

const id = (index: number) => String(index + 1);

async function goesOn(session: ZooKeeperSession, lease: Lease): Promise<void> {
  await eventually(async () => {
    expect([session.state, lease.state]).toEqual(['connected', 'held']);
    expect((await session.exists(lease.path))?.ephemeralOwner).toBe(session.sessionId);
  }, 25_000);
}

it('F37 a member leaves, is stopped, and joins again: sessions and leases go on', { timeout: 120_000 }, async () => {
  const leader = await ensemble().complete();
  const index = (leader + 1) % 3;
  const admin = await openAt(leader);
  const former = await members(admin);
  const { session, lease, states } = await holdAt(index);

  await reconfig(admin, { leaving: id(index) });
  expect([...(await members(admin)).keys()]).not.toContain(id(index));
  // It serves its clients until it is stopped.
  await goesOn(session, lease);
  await ensemble().servers[index]!.stop();
  await goesOn(session, lease);
  expect(session.server).not.toBe(`127.0.0.1:${ensemble().ports[index]!}`);

  // A connect string that still names it, in any order.
  const [gone, ...others] = [0, 1, 2].map(step => ensemble().ports[(index + step) % 3]!);
  for (const ports of [
    [gone!, ...others],
    [...others, gone!],
  ]) {
    expect(await (await open(ports)).exists(lease.path)).toBeDefined();
  }

  await ensemble().servers[index]!.launch();
  await reconfig(admin, { joining: `server.${id(index)}=${former.get(id(index))!}` });
  await ensemble().servers[index]!.serving();
  await eventually(async () => expect(await (await open([gone!])).exists(lease.path)).toBeDefined());
  await goesOn(session, lease);
  expect(states).not.toContain('lost');
});

it('F37 the members are listed in another order, and the leader leaves: the same', { timeout: 120_000 }, async () => {
  const leader = await ensemble().complete();
  const { session, lease, states } = await holdAt(leader);
  const admin = await openAt((leader + 1) % 3);
  const all = [...(await members(admin))].map(([number, member]) => `server.${number}=${member}`);
  await reconfig(admin, { all: all.reverse().join(',') });
  await goesOn(session, lease);

  await reconfig(admin, { leaving: id(leader) });
  await eventually(async () => expect(await ensemble().leader([(leader + 1) % 3, (leader + 2) % 3])).not.toBe(leader));
  await ensemble().servers[leader]!.stop();
  await goesOn(session, lease);
  expect(states).not.toContain('lost');
});
