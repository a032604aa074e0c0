import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContactClock, Watchdog } from '../../../src/zookeeper/contactClock.ts';

let now = 0;
let clock: ContactClock;
beforeEach(() => {
  now = 1_000;
  clock = new ContactClock(() => now, 900);
});

it('is silent after two thirds of the timeout without an acknowledgement', () => {
  now += 599;
  expect(clock.contact).toBe('confirmed');
  expect(clock.untilWorseMs).toBe(1);
  now += 1;
  expect(clock.contact).toBe('silent');
  expect(clock.untilWorseMs).toBe(0);
});

it('is late, not silent, while an incomplete reply grows (F10)', () => {
  now += 590;
  clock.grew();
  now += 10;
  expect(clock.contact).toBe('late');
  expect(clock.untilWorseMs).toBe(590);
  now += 590;
  expect(clock.contact).toBe('silent');
});

it('does not trust bytes that acknowledge nothing', () => {
  for (let grown = 0; grown < 10; grown++) {
    now += 500;
    clock.grew();
  }
  expect(clock.contact).toBe('late');
});

it('does not trust an old answer that is only read after a pause: the session may be over since (L19)', () => {
  // A ping was answered at once, but this process slept before it could read the answer.
  now = 1_000 + 5_000;
  clock.acknowledged(1_001);
  expect(clock.contact).toBe('late');
  expect(clock.untilLostMs).toBe(0);
  clock.acknowledged(now);
  expect(clock.contact).toBe('confirmed');
});

it('becomes late at the timeout after the last acknowledged send, however recent its answer', () => {
  now = 1_500;
  clock.acknowledged(1_000);
  expect([clock.contact, clock.untilWorseMs]).toEqual(['confirmed', 400]);
  now = 1_900;
  expect(clock.contact).toBe('late');
  expect(clock.untilWorseMs).toBe(200);
});

describe('presumed loss', () => {
  it('counts from the moment the acknowledged request was sent, not from its reply', () => {
    now += 500;
    clock.acknowledged(1_100);
    expect(clock.untilLostMs).toBe(1_100 + 900 - now);
    expect(clock.contact).toBe('confirmed');
    now = 1_999;
    expect(clock.untilLostMs).toBe(1);
    now = 2_000;
    expect(clock.untilLostMs).toBe(0);
  });

  it('never goes back when replies to older requests come later', () => {
    clock.acknowledged(1_000);
    clock.acknowledged(900);
    expect(clock.untilLostMs).toBe(900);
  });

  it('follows the negotiated timeout', () => {
    clock.negotiated(3_000);
    expect(clock.untilLostMs).toBe(3_000);
    now += 1_999;
    expect(clock.contact).toBe('confirmed');
  });
});

it('reports how old the last contact is', () => {
  now += 123;
  expect(clock.sinceAcknowledgedMs).toBe(123);
  clock.acknowledged(now);
  expect(clock.sinceAcknowledgedMs).toBe(0);
});

const timeoutMs = 30_000;

/** A watchdog whose clock counts a machine's sleep, during which its timers stand still. */
class Scene {
  reported: string[] = [];
  readonly watchdog: Watchdog;
  private sleptMs = 0;

  constructor() {
    const contact = new ContactClock(() => performance.now() + this.sleptMs, timeoutMs);
    const note = (what: string) => (): void => void this.reported.push(what);
    this.watchdog = new Watchdog(contact, {
      ping: note('ping'),
      tick: () => undefined,
      trusted: isTrusted => this.reported.push(isTrusted ? 'trusted' : 'not trusted'),
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
    const { watchdog, reported } = new Scene();
    watchdog.connected(10_000);
    vi.advanceTimersByTime(9_999);
    expect(reported).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(reported).toEqual(['ping']);
    watchdog.stop();
  });

  it('F27 gives the connection up within a second after a sleep', () => {
    const scene = new Scene();
    scene.watchdog.connected(10_000);
    scene.sleep(25_000);
    vi.advanceTimersByTime(1_001);
    expect(scene.reported).toEqual(['ping', 'silent']);
    scene.watchdog.stop();
  });

  it('F27 presumes the session lost within a second after a sleep in an outage', () => {
    const scene = new Scene();
    scene.watchdog.disconnected();
    scene.sleep(timeoutMs);
    vi.advanceTimersByTime(1_001);
    expect(scene.reported).toEqual(['lost']);
    scene.watchdog.stop();
  });
});
