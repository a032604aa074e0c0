import type { ChildNode, LockDirectory } from '../../../src/locks/lockDirectory.ts';
import type { Entry } from '../../../src/locks/order.ts';

/** A child as a test writes it: the name, and what matters for the case. */
export interface ChildSpec {
  name: string;
  owner?: bigint;
  data?: string | Uint8Array;
  czxid?: bigint;
  /** It may not be read: only its name is known. */
  isUnread?: true;
}

/** Makes a node; by default ephemeral, each with a session of its own, created in the order given. */
export function child(directory: string, spec: ChildSpec | string, at: number): ChildNode {
  const { name, owner, data, czxid, isUnread } = typeof spec === 'string' ? { name: spec } : spec;
  if (isUnread === true) return { ...child(directory, { name, owner: 0n, czxid: 0n }, at), createdAt: 0, isUnread };
  return {
    name,
    path: directory === '/' ? `/${name}` : `${directory}/${name}`,
    data: typeof data === 'string' ? new TextEncoder().encode(data) : (data ?? new Uint8Array()),
    czxid: czxid ?? BigInt(100 + at),
    createdAt: 1_700_000_000_000 + at,
    ephemeralOwner: owner ?? 0x1000_0000_0000_0000n + BigInt(at),
    version: 0,
    numChildren: 0,
  };
}

/** Makes a directory that was read: persistent itself, with the children given. */
export function directory(
  path: string,
  children: readonly (ChildSpec | string)[],
  more: { further?: Record<string, readonly (ChildSpec | string)[]>; self?: Partial<ChildNode> } = {},
): LockDirectory {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    path,
    self: { ...child('/', { name, owner: 0n, czxid: 1n }, 0), path, ...more.self },
    children: children.map((spec, at) => child(path, spec, at)),
    further: new Map(
      Object.entries(more.further ?? {}).map(([further, specs]) => [
        further,
        specs.map((spec, at) => child(further, spec, at)),
      ]),
    ),
  };
}

/** `holder` as `name!`, waiters as `name>watched` or `name>` where no node is watched: one queue in one line of a table. */
export function brief(contenders: readonly { name: string; role: string; waitsFor?: string }[]): string[] {
  return contenders.map(({ name, role, waitsFor }) => (role === 'holder' ? `${name}!` : `${name}>${waitsFor ?? ''}`));
}

/** Makes an entry of a queue from what matters for the case. */
export function entry(facts: Pick<Entry, 'name' | 'kind'> & Partial<Entry>): Entry {
  const { sequence = 0 } = facts;
  return { sequence, suffix: String(sequence).padStart(10, '0'), czxid: 0n, ownerSession: 0n, ...facts };
}
