import { expect, it } from 'vitest';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { runCampaign, type CampaignResult } from '../../differential/campaign.ts';
import { ComparedServer } from '../../differential/play.ts';
import { startNewestServer } from '../../differential/realServer.ts';
import { operations } from '../../differential/replies.ts';
import { sharedServerOptions, startSandboxed } from '../../support/testServer.ts';
import { startTcpProxy, type FrameFate, type ReplyFrame } from '../../support/tcpProxy.ts';

// `npm run test:differential` plays more programs, with other seeds.
const seed = 1;

/** Plays programs on two servers. */
async function campaign(
  ports: { expected: number; actual: number },
  version: string,
  programs: number,
): Promise<CampaignResult> {
  const expected = await ComparedServer.open(ports.expected);
  const actual = await ComparedServer.open(ports.actual);
  try {
    return await runCampaign({ expected, actual, version }, { programs, seed, shrinkPlays: 20 });
  } finally {
    await Promise.all([expected.close(), actual.close()]);
  }
}

/** Every request with an answer that is no error, every event, a refusal, and whatever may happen to a session. */
const wanted = [
  ...operations
    // On its own a check never succeeds.
    .filter(op => op !== 'check')
    .map(op => `${op}:0`),
  `multi, part ${Op.check}:0`,
  ...['event:1', 'event:2', 'event:3', 'event:4'],
  'getData:-102',
  ...['session:opened', 'session:reopened', 'session:moved', 'session:refused', 'session:expired', 'closed'],
];

it('300 random programs are answered as by a real ZooKeeper', { timeout: 180_000 }, async () => {
  const real = await startNewestServer();
  try {
    const sandbox = await startSandboxed(sharedServerOptions);
    const ports = { expected: real.port, actual: sandbox.port };
    const { differences, unrepeated, played, exercised } = await campaign(ports, real.version, 300).finally(() =>
      sandbox.stop(),
    );
    expect(differences.join('\n'), `ZooKeeper ${real.version}, seed ${seed}`).toBe('');
    expect(unrepeated.length, unrepeated.join('\n')).toBeLessThan(2);
    expect(played).toBe(300);
    // What is never played is never compared.
    expect([...exercised.keys()]).toEqual(expect.arrayContaining(wanted));
  } finally {
    await real.stop();
  }
});

/** The frame with a 32-bit number replaced. */
function withWord(frame: Buffer, offset: number, value: number): Buffer {
  const changed = Buffer.from(frame);
  changed.writeInt32BE(value, offset);
  return changed;
}

/** Length of the frame that answers `exists`, its header included. */
const existsBytes = 20 + 68;

const faults: [what: string, tamper: (reply: ReplyFrame) => FrameFate][] = [
  ['another error', ({ error, frame }) => (error === -101 ? withWord(frame, 16, -102) : 'forward')],
  [
    'a zxid that is too large',
    ({ xid = 0, frame }) => (xid > 0 ? withWord(frame, 12, frame.readInt32BE(12) + 1) : 'forward'),
  ],
  ['events that get lost', ({ xid }) => (xid === -1 ? 'drop' : 'forward')],
  ['an event of another type', ({ xid, frame }) => (xid === -1 ? withWord(frame, 20, 3) : 'forward')],
  [
    'another version in a stat',
    // Behind two zxids and two times.
    ({ frame }) => (frame.length === existsBytes ? withWord(frame, 52, frame.readInt32BE(52) + 1) : 'forward'),
  ],
  [
    'a node that is older than its transaction',
    ({ frame }) => (frame.length === existsBytes ? withWord(frame, 40, frame.readInt32BE(40) - 1) : 'forward'),
  ],
];

it.each(faults)('the comparison finds %s', { timeout: 120_000 }, async (_, tamper) => {
  const [sandbox, other] = await Promise.all([
    startSandboxed(sharedServerOptions),
    startSandboxed(sharedServerOptions),
  ]);
  const proxy = await startTcpProxy(other.port);
  try {
    proxy.onReply(tamper);
    const { differences } = await campaign({ expected: sandbox.port, actual: proxy.port }, '3.9.5', 20);
    expect(differences).toHaveLength(1);
    expect(differences[0]).toMatch(/^seed \d+, step \d+/);
  } finally {
    await proxy.close();
    await Promise.all([sandbox.stop(), other.stop()]);
  }
});
