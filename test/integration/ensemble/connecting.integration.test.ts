import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/zookeeper/connect.ts';
import { ConnectError } from '../../../src/zookeeper/errors.ts';
import { lateness } from '../../support/lateness.ts';
import { useEnsemble } from '../../support/useEnsemble.ts';
import { startZooKeeper } from '../../support/zookeeperServer.ts';

async function failure(connectString: string, connectTimeoutMs: number): Promise<ConnectError> {
  const outcome: unknown = await connect(connectString, { connectTimeoutMs }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ConnectError);
  return outcome as ConnectError;
}

describe('three servers', () => {
  const ensemble = useEnsemble();

  it('connecting while they elect a leader succeeds when they have one', async () => {
    await ensemble().servers[await ensemble().complete()]!.kill();
    const client = await connect(ensemble().connectString, { connectTimeoutMs: 20_000 });
    expect(client.state).toBe('connected');
    await client.close();
    await ensemble().launch();
  });

  it('connecting while they start succeeds when they serve', async () => {
    await ensemble().kill();
    const connecting = connect(ensemble().connectString, { connectTimeoutMs: 20_000 });
    await ensemble().launch();
    const client = await connecting;
    expect(client.state).toBe('connected');
    await client.close();
  });

  it('without a quorum it goes on until the limit, and reports the latest cause of each', async () => {
    await Promise.all([ensemble().servers[0]!.kill(), ensemble().servers[1]!.kill()]);
    const late = lateness();
    const start = performance.now();
    const error = await failure(ensemble().connectString, 8_000);
    expect(performance.now() - start).toBeLessThan(8_300 + late());
    const causes = new Map(error.causes.map(cause => [cause.port, 'reason' in cause ? cause.reason : cause.failure]));
    expect(ensemble().ports.map(port => causes.get(port))).toEqual(['refused', 'refused', 'not-serving']);
    // Node's timers may be early by less than 1 ms.
    expect(error.message).toMatch(/^after (?:7999|[89]\d\d\d|\d{5}) ms: /);
    await ensemble().launch();
  });
});

it('a full server is reported as such, every time', async () => {
  const full = await startZooKeeper({ config: { maxClientCnxns: 1 } });
  try {
    const only = await connect(full.connectString);
    const errors = await Promise.all(Array.from({ length: 30 }, () => failure(full.connectString, 10_000)));
    const causes = errors.map(({ causes: [cause] }) => cause);
    expect(causes.filter(cause => cause?.failure !== 'closed' || cause.reason !== 'mute')).toEqual([]);
    await only.close();
  } finally {
    await full.stop();
  }
});
