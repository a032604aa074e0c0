import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { unlessAborted } from '../../base/unlessAborted.ts';
import type { ResolvedAddress } from '../../zookeeper/openSocket.ts';
import { withinLimits, type Failure, type Limits } from './withinLimits.ts';

/** How the host names that an ensemble reports are resolved. */
export interface ResolveOptions extends Limits {
  /** All addresses of a host; default: the system's resolver. */
  resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
}

/** Where a reported host may be dialled, or why it may not. */
export type CheckedHost = { addresses: readonly ResolvedAddress[] } | { refusal: Failure };

/** The machine that dials, whatever else it is. An IPv4 address that is written as IPv6 (`::ffff:127.0.0.1`) counts as IPv4. */
const ownMachine = new BlockList();
ownMachine.addSubnet('127.0.0.0', 8, 'ipv4');
ownMachine.addSubnet('0.0.0.0', 8, 'ipv4');
// `::`, `::1`, and the old form of IPv4 addresses (`::127.0.0.1`).
ownMachine.addSubnet('::', 96, 'ipv6');

/**
 * Link-local addresses mean another machine for everyone who dials them (169.254.169.254 gives away secrets of a cloud's
 * machine), multicast and broadcast mean many at once.
 */
const localNetwork = new BlockList();
localNetwork.addSubnet('169.254.0.0', 16, 'ipv4');
localNetwork.addSubnet('224.0.0.0', 4, 'ipv4');
localNetwork.addAddress('255.255.255.255', 'ipv4');
localNetwork.addSubnet('fe80::', 10, 'ipv6');
localNetwork.addSubnet('ff00::', 8, 'ipv6');

function refusalOf(address: string): 'own-machine' | 'local-network' | undefined {
  // The zone behind `%` names an interface, and is no part of the address.
  const [bare = ''] = address.split('%', 1);
  const family = isIPv6(bare) ? 'ipv6' : 'ipv4';
  if (ownMachine.check(bare, family)) return 'own-machine';
  return localNetwork.check(bare, family) ? 'local-network' : undefined;
}

/**
 * Resolves a host that an ensemble reports, before anything is sent there. One bad address among several is enough to refuse the
 * host: a client cannot know which of them the ensemble means. Dial the addresses of the result and nothing else, since the next
 * question to a name server may have another answer.
 */
export async function checkReportedHost(host: string, options: ResolveOptions): Promise<CheckedHost> {
  const { resolve = (name: string) => lookup(name, { all: true }) } = options;
  const found = await withinLimits(options, signal =>
    // The system's resolver cannot be stopped: what it finds too late is dropped.
    unlessAborted(resolve(host), signal, () => new Error('The name was not resolved in time.')),
  );
  if ('outcome' in found) return { refusal: found };
  for (const { address } of found) {
    const outcome = refusalOf(address);
    if (outcome !== undefined) return { refusal: { outcome, detail: address === host ? '' : address } };
  }
  return found.length === 0 ? { refusal: { outcome: 'unreachable' } } : { addresses: found };
}
