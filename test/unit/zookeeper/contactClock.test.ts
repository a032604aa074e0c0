import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContactClock, Watchdog } from '../../../src/zookeeper/contactClock.ts';

let now = 0;
let clock: ContactClock;
beforeEach(() => {
  now = 1_000;
  clock = new ContactClock(() => now, 900);
});

/** A ping that is answered `latency` ms after it was sent; it ends when the answer arrives. */
function ping(latency = 0): void {
  const sentAt = now;
  now += latency;
  clock.pingAcknowledged(sentAt);
}

/** A request through the leader. */
function confirm(latency = 0): void {
  const sentAt = now;
  now += latency;
  clock.acknowledged(sentAt);
  clock.proved(sentAt);
}

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
  clock.attached(now, true);
  expect(clock.contact).toBe('confirmed');
});

it('becomes late at the timeout after the last acknowledged send, however recent its answer', () => {
  now = 1_500;
  clock.attached(1_000, true);
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

// 0.3 T is 270 ms here.
describe("the leader's knowledge of the session", () => {
  it('is proven by a request that was sent 0.3 T after the answer to a ping', () => {
    now = 1_300;
    ping(40);
    now = 1_609;
    confirm(20);
    expect(clock.untilWorseMs).toBe(1_900 - now);
    now = 1_610 + 20;
    clock.acknowledged(1_610);
    clock.proved(1_610);
    expect(clock.untilWorseMs).toBe(1_300 + 900 - now);
    now = 2_199;
    expect(clock.contact).toBe('confirmed');
    now = 2_200;
    clock.acknowledged(now);
    expect([clock.contact, clock.doubt]).toEqual(['late', { kind: 'unconfirmed' }]);
  });

  it('is in doubt after T while a follower that is cut off from its leader answers all pings (L34)', () => {
    for (now = 1_300; now < 1_900; now += 50) {
      ping();
      expect(clock.contact).toBe('confirmed');
    }
    expect([clock.contact, clock.doubt]).toEqual(['late', { kind: 'unconfirmed' }]);
    expect(clock.untilLostMs).toBeGreaterThan(0);
  });

  it('is no better after a pause of this program and one answer (L34)', () => {
    now = 1_000 + 450;
    ping();
    confirm();
    expect(clock.untilWorseMs).toBe(450);
    now = 1_900;
    expect(clock.contact).toBe('late');
  });

  it('is not proven by requests that prove nothing', () => {
    now = 1_300;
    ping();
    now = 1_899;
    clock.acknowledged(now);
    now = 1_900;
    expect([clock.contact, clock.doubt]).toEqual(['late', { kind: 'unconfirmed' }]);
  });

  it('is proven by a handshake at once, and of no earlier ping: that one went to another server', () => {
    now = 1_300;
    ping();
    now = 1_700;
    clock.attached(1_650, true);
    expect([clock.untilWorseMs, clock.untilConfirmationMs]).toEqual([600, Infinity]);
    confirm();
    now = 2_249;
    clock.acknowledged(now);
    expect(clock.untilWorseMs).toBe(1_650 + 900 - now);
  });

  it('is proven by a handshake when the next proof arrives, where not any leader will do', () => {
    now = 1_900;
    clock.attached(1_850, false);
    expect([clock.contact, clock.untilConfirmationMs]).toEqual(['late', 0]);
    clock.confirmationSent();
    confirm(10);
    expect(clock.contact).toBe('confirmed');
    now = 1_850 + 899;
    clock.acknowledged(now);
    expect(clock.untilWorseMs).toBe(1);
  });

  it('never goes back when an older proof comes later', () => {
    now = 1_300;
    ping();
    now = 1_600;
    ping();
    clock.proved(1_900);
    clock.proved(1_600);
    now = 2_199;
    clock.acknowledged(now);
    expect(clock.untilWorseMs).toBe(2_500 - now);
  });

  it('is asked for once per ping, and not for what another request has proven', () => {
    expect(clock.untilConfirmationMs).toBe(Infinity);
    now = 1_300;
    ping(10);
    expect(clock.untilConfirmationMs).toBe(270);
    now = 1_600;
    expect(clock.untilConfirmationMs).toBe(0);
    clock.confirmationSent();
    expect(clock.untilConfirmationMs).toBe(Infinity);
    ping();
    expect(clock.untilConfirmationMs).toBe(270);
    now = 1_880;
    confirm();
    expect(clock.untilConfirmationMs).toBe(Infinity);
  });
});

describe('the reason of a doubt', () => {
  it('is the server, which answers late', () => {
    now += 600;
    expect(clock.doubt).toEqual({ kind: 'late' });
  });

  it('is this program when it stood still since the last answer (L19)', () => {
    now += 100;
    clock.acknowledged(now);
    now += 700;
    clock.ranLate(500);
    expect([clock.contact, clock.doubt]).toEqual(['silent', { kind: 'stopped', forMs: 500 }]);
  });

  it('is this program when it stood still since the last proof', () => {
    now += 500;
    clock.ranLate(450);
    ping();
    now += 400;
    expect([clock.contact, clock.doubt]).toEqual(['late', { kind: 'stopped', forMs: 450 }]);
  });

  it('is not a short pause, which alone costs no trust', () => {
    now += 500;
    clock.ranLate(200);
    now += 100;
    expect(clock.doubt).toEqual({ kind: 'late' });
  });

  it('is not a pause before the last answer', () => {
    now += 500;
    clock.ranLate(500);
    now += 1;
    clock.attached(now, true);
    now += 600;
    expect(clock.doubt).toEqual({ kind: 'late' });
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
  protected asked: (what: string) => void = () => undefined;
  readonly watchdog: Watchdog;
  readonly contact: ContactClock;
  private sleptMs = 0;

  constructor() {
    const contact = (this.contact = new ContactClock(() => performance.now() + this.sleptMs, timeoutMs));
    const note = (what: string) => (): void => {
      this.reported.push(what);
      this.asked(what);
    };
    this.watchdog = new Watchdog(contact, {
      ping: note('ping'),
      confirm: note('confirm'),
      tick: () => undefined,
      trusted: note('trusted'),
      doubted: ({ kind }) => this.reported.push(`doubted: ${kind}`),
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

/** A watchdog and a server, which answers in order after `roundTripMs`. */
class Link extends Scene {
  /** The server is cut off from its leader: it answers what came before the first request through the leader. */
  isCutOff = false;
  isFrozen = false;
  private isWaiting = false;

  constructor(roundTripMs: () => number) {
    super();
    const { contact } = this;
    let freeAt = 0;
    const exchange = (answered: (sentAt: number) => void): void => {
      const sentAt = contact.now;
      freeAt = Math.max(freeAt, sentAt + roundTripMs());
      setTimeout(() => {
        if (this.isFrozen || this.isWaiting) return;
        answered(sentAt);
        this.watchdog.confirmed();
      }, freeAt - sentAt);
    };
    this.asked = what => {
      if (what === 'silent') this.watchdog.disconnected();
      if (what === 'ping') exchange(sentAt => contact.pingAcknowledged(sentAt));
      if (what !== 'confirm') return;
      if (this.isCutOff) this.isWaiting = true;
      exchange(sentAt => {
        contact.acknowledged(sentAt);
        contact.proved(sentAt);
      });
    };
    this.watchdog.connected(timeoutMs / 3);
  }

  /** What was reported, without what was sent. */
  get verdicts(): string[] {
    return this.reported.filter(what => what !== 'ping' && what !== 'confirm');
  }
}

describe('trust', () => {
  const seconds = 1_000;

  it.each([
    ['none', () => 0],
    ['T/10', () => timeoutMs / 10],
    ['T/6', () => timeoutMs / 6],
    ['that jumps between none and T/10', () => (Math.floor(performance.now() / 7_000) % 2) * (timeoutMs / 10)],
  ])('stays in 20 T with a round trip of %s', (_, roundTripMs) => {
    const link = new Link(roundTripMs);
    vi.advanceTimersByTime(20 * timeoutMs);
    expect(link.verdicts).toEqual([]);
    expect(link.reported.filter(what => what === 'confirm').length).toBeLessThanOrEqual(60);
    link.watchdog.stop();
  });

  it('ends within T after the last ping that reached the leader, and the connection ends before that', () => {
    for (let cutAt = 0; cutAt < 11; cutAt += 1) {
      const link = new Link(() => 100);
      vi.advanceTimersByTime(60 * seconds + cutAt * seconds);
      link.isCutOff = true;
      // Until now pings were answered, and their notes may have reached the leader.
      vi.advanceTimersByTime(timeoutMs);
      expect([cutAt, link.contact.contact === 'confirmed']).toEqual([cutAt, false]);
      expect(link.verdicts).toContain('silent');
      link.watchdog.stop();
    }
  });

  it.each([0.4, 0.5, 0.6])('is not regained by one answer after a pause of %s T', part => {
    const link = new Link(() => 0);
    vi.advanceTimersByTime(60.5 * seconds);
    link.sleep(part * timeoutMs);
    vi.advanceTimersByTime(1 * seconds);
    link.isFrozen = true;
    vi.advanceTimersByTime((1 - part) * timeoutMs);
    expect(link.contact.contact).not.toBe('confirmed');
    expect(link.verdicts[0]).toBe('doubted: stopped');
    link.watchdog.stop();
  });

  it('comes back with the next proof', () => {
    const link = new Link(() => 0);
    vi.advanceTimersByTime(59.5 * seconds);
    link.sleep(0.6 * timeoutMs);
    vi.advanceTimersByTime(timeoutMs);
    expect(link.verdicts).toEqual(['doubted: stopped', 'trusted']);
    link.watchdog.stop();
  });
});
