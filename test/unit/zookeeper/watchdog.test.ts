import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContactClock } from '../../../src/zookeeper/contactClock.ts';
import { Watchdog } from '../../../src/zookeeper/watchdog.ts';

const timeoutMs = 30_000;

/** A watchdog whose clock counts a machine's sleep, during which its timers stand still. */
class Scene {
  told: string[] = [];
  readonly watchdog: Watchdog;
  private sleptMs = 0;

  constructor() {
    const contact = new ContactClock(() => performance.now() + this.sleptMs, timeoutMs);
    const note = (what: string) => (): void => void this.told.push(what);
    this.watchdog = new Watchdog(contact, {
      ping: note('ping'),
      tick: () => undefined,
      trusted: isTrusted => this.told.push(isTrusted ? 'trusted' : 'not trusted'),
      silent: note('silent'),
      lost: note('lost'),
    });
  }

  sleep(ms: number): void {
    this.sleptMs += ms;
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the watchdog of a session', () => {
  it('pings when a third of the timeout is over, and not before', () => {
    const { watchdog, told } = new Scene();
    watchdog.connected(10_000);
    vi.advanceTimersByTime(9_999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(told).toEqual(['ping']);
    watchdog.stop();
  });

  it('F27 gives the connection up within a second after a sleep', () => {
    const scene = new Scene();
    scene.watchdog.connected(10_000);
    scene.sleep(25_000);
    vi.advanceTimersByTime(1_001);
    expect(scene.told).toEqual(['ping', 'silent']);
    scene.watchdog.stop();
  });

  it('F27 presumes the session lost within a second after a sleep in an outage', () => {
    const scene = new Scene();
    scene.watchdog.disconnected();
    scene.sleep(timeoutMs);
    vi.advanceTimersByTime(1_001);
    expect(scene.told).toEqual(['lost']);
    scene.watchdog.stop();
  });
});
