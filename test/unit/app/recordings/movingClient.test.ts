import { describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { MovingClient } from '../../../../src/app/recordings/movingClient.ts';
import { MovingTime } from '../../../../src/app/recordings/movingTime.ts';
import { watchQueues } from '../../../../src/inspector/watchQueues.ts';
import type { TreeEvent } from '../../../../src/zookeeper/client.ts';
import type { FakeClient } from '../../../support/fakeClient.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeRecording } from './fakeRecording.ts';

const name = (digit: string): string => `_c_${digit.repeat(8)}-1111-1111-1111-111111111111-lock-000000000${digit}`;
const [first, second, third] = [name('1'), name('2'), name('3')];

/** At 5: first and second. At 7: second and third. */
const changes = [
  { at: 0 },
  { at: 1, put: first },
  { at: 2, put: second },
  { at: 3, put: third },
  { at: 4, drop: first },
];

/** A recording that calls back before each answer. */
class HookedRecording extends FakeRecording {
  beforeReply: () => void = () => undefined;

  override at(instant: Parameters<FakeRecording['at']>[0]): FakeClient {
    const client = super.at(instant);
    client.beforeReply = () => this.beforeReply();
    return client;
  }
}

function opened() {
  const recording = new HookedRecording(changes);
  const parts = { every: () => toDisposable(() => undefined), now: () => 0, logger: nullLogger };
  const time = new MovingTime(recording, '/logs', parts);
  return { recording, time, client: new MovingClient(time, nullLogger) };
}

describe('a session with the past', () => {
  it('reads at the moment', async () => {
    const { time, client } = opened();
    const children = async () => (await client.getChildren('/locks/a')).children.sort();
    expect(await children()).toEqual([second, third]);
    time.moveTo({ zxid: 4n });
    expect(await children()).toEqual([first]);
    expect(client.lastContactAt).toBe(1_000);
  });

  it('asks for another reading when the moment is behind another transaction, and only then', async () => {
    const { time, client } = opened();
    const events: TreeEvent[] = [];
    const watch = await client.watchTree('/locks/a', event => events.push(event));
    time.moveTo({ time: 2_000 });
    expect(events).toEqual([{ type: 'reread', path: '/locks/a' }]);
    time.moveTo({ time: 2_500 });
    expect(events).toHaveLength(1);
    watch.dispose();
    time.moveTo({ zxid: 4n });
    expect(events).toHaveLength(1);
  });

  it('makes what was read count as out of date until it is read again', async () => {
    const { time, client } = opened();
    const calls: string[] = [];
    const watch = await watchQueues(client, '/locks/a', () => calls.push('queues'), {
      onGap: () => calls.push('out of date'),
    });
    time.moveTo({ zxid: 5n });
    expect(calls).toEqual(['queues', 'out of date']);
    await eventually(() => expect(calls).toEqual(['queues', 'out of date', 'queues']));
    watch.dispose();
  });

  it('never shows two moments in one, when the moment moves while a queue is read', async () => {
    const { recording, time, client } = opened();
    const shown: string[] = [];
    for (let moves = 1; moves <= 12; moves++) {
      time.moveTo({ zxid: 5n });
      let left = moves;
      recording.beforeReply = () => {
        if (left-- > 0) time.moveTo({ zxid: time.moment.zxid === 5n ? 7n : 5n });
      };
      const watch = await watchQueues(client, '/locks/a', queues => {
        shown.push(queues.flatMap(({ contenders }) => contenders.map(contender => contender.name)).join());
      });
      left = 0;
      time.moveTo({ zxid: 7n });
      await eventually(() => expect(shown.at(-1)).toBe([second, third].join()));
      watch.dispose();
    }
    expect([...new Set(shown)].sort()).toEqual([[first, second].join(), [second, third].join()]);
  });

  it('ends for good, and then follows no moment', async () => {
    const { time, client } = opened();
    const states: string[] = [];
    client.onState(({ state }) => states.push(state));
    await client.close();
    await client.close();
    expect([client.state, states]).toEqual(['closed', ['closed']]);
    time.moveTo({ zxid: 4n });
    expect(client.state).toBe('closed');
  });
});
