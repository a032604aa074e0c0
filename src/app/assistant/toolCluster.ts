import type { ClusterBrowser } from '../clusters/clusterBrowser.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';

/** A cluster as far as tools look at it. */
export type ToolCluster = Pick<ClusterBrowser, 'node' | 'connection'>;

/**
 * Which cluster a tool reads. `none`: nothing is connected, but for `production` clusters that may not be read. `several`: one of them must
 * be named. `open`: those that may be read. Names are foreign text.
 */
export type ClusterChoice<T extends ToolCluster> =
  | { kind: 'chosen'; cluster: T }
  | { kind: 'none'; production: number }
  | { kind: 'several'; open: readonly ClusterProfile[] }
  | { kind: 'unknown'; wanted: string; open: readonly ClusterProfile[] }
  | { kind: 'same-name'; wanted: string; open: readonly ClusterProfile[] }
  | { kind: 'not-connected'; name: string }
  | { kind: 'production'; name: string };

function isOpen({ connection }: ToolCluster): boolean {
  return connection.client !== undefined;
}

/** Whether a cluster is marked as production, or is a record of one that is, and its name is not in the list of those allowed. */
function isForbidden({ name, environment, recorded }: ClusterProfile, allowed: readonly string[]): boolean {
  const isProduction = environment === 'production' || recorded?.environment === 'production';
  return isProduction && !allowed.includes(name) && (recorded === undefined || !allowed.includes(recorded.name));
}

/**
 * Chooses a cluster among those that the person has connected, and recordings that are open. Nothing is connected.
 *
 * @param wanted its id, or its exact name; `undefined`: the only one that may be read
 * @param production names of production clusters that may be read
 */
export function chooseCluster<T extends ToolCluster>(
  all: readonly T[],
  wanted: string | undefined,
  production: readonly string[],
): ClusterChoice<T> {
  const readable = all.filter(each => isOpen(each) && !isForbidden(each.node.profile, production));
  const open = readable.map(({ node }) => node.profile);
  if (wanted === undefined) {
    const [only] = readable;
    if (only !== undefined)
      return readable.length === 1 ? { kind: 'chosen', cluster: only } : { kind: 'several', open };
    return { kind: 'none', production: all.filter(isOpen).length };
  }
  const fitting = fittingOf(all, wanted);
  const [found] = fitting;
  if (found === undefined) return { kind: 'unknown', wanted, open };
  const { profile } = found.node;
  const named = fitting.map(({ node }) => node.profile).filter(each => !isForbidden(each, production));
  if (named.length === 0) return { kind: 'production', name: profile.name };
  if (fitting.length > 1) return { kind: 'same-name', wanted, open: named };
  return isOpen(found) ? { kind: 'chosen', cluster: found } : { kind: 'not-connected', name: profile.name };
}

/** By id, which is of one cluster; else by name: a connected cluster counts before others that are called so. */
function fittingOf<T extends ToolCluster>(all: readonly T[], wanted: string): T[] {
  const byId = all.filter(({ node }) => node.id === wanted);
  if (byId.length > 0) return byId;
  const byName = all.filter(({ node }) => node.profile.name === wanted);
  const connected = byName.filter(isOpen);
  return connected.length > 0 ? connected : byName.slice(0, 1);
}
