import { parseConnectString } from '../../zookeeper/connectString.ts';
import type { ClusterProfile, ClusterTls } from '../clusters/clusterProfile.ts';
import type { ClusterExchange } from '../clusters/clusterStore.ts';
import { type ClusterFileContent, type RefusedEntry, sharedFields, type SharedCluster } from './clusterFile.ts';

/** A row of the list that the user chooses from. */
export type ImportRow =
  /** `name`: the file's, with a number where that is taken; `neighbours`: saved clusters with servers in common. */
  | { kind: 'add'; shared: SharedCluster; name: string; neighbours: readonly ClusterProfile[] }
  | { kind: 'replace'; shared: SharedCluster; former: ClusterProfile; differing: readonly (keyof SharedCluster)[] }
  /** Saved already, or refused: shown, but cannot be chosen. */
  | { kind: 'same'; shared: SharedCluster }
  | { kind: 'refused'; entry: RefusedEntry };

export type ChosenRow = Extract<ImportRow, { kind: 'add' | 'replace' }>;

/** A guard of a saved cluster that a chosen row lacks, for the same servers. */
export interface Weakening {
  row: ChosenRow;
  saved: ClusterProfile;
  guard: 'production' | 'readOnly' | 'tls';
}

const compared = ['connectString', 'environment', 'lockRoots', 'readOnly', 'auth', 'tls'] as const;

function serversOf({ connectString }: { connectString: string }): Set<string> {
  try {
    const { servers } = parseConnectString(connectString);
    return new Set(servers.map(({ host, port }) => `${host.toLowerCase()}:${String(port)}`));
  } catch {
    // Written into the settings by hand, and invalid.
    return new Set();
  }
}

/** Two connect strings that differ only in the path at their end reach the same ensemble. */
function sharesServers(one: { connectString: string }, other: { connectString: string }): boolean {
  const servers = serversOf(other);
  return [...serversOf(one)].some(server => servers.has(server));
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const candidate = `${name} (${String(number)})`;
    if (!taken.has(candidate)) return candidate;
  }
}

function differingFields(shared: SharedCluster, profile: ClusterProfile): (keyof SharedCluster)[] {
  const saved = sharedFields(profile);
  return compared.filter(field => JSON.stringify(shared[field]) !== JSON.stringify(saved[field]));
}

function rowsOf(shared: SharedCluster, saved: readonly ClusterProfile[], taken: Set<string>): ImportRow[] {
  const former = saved.find(({ name }) => name.trim() === shared.name);
  const neighbours = saved.filter(profile => sharesServers(profile, shared));
  if (former === undefined) return [{ kind: 'add', shared, name: shared.name, neighbours }];
  const differing = differingFields(shared, former);
  if (differing.length === 0) return [{ kind: 'same', shared }];
  const name = freeName(shared.name, taken);
  taken.add(name);
  return [
    { kind: 'add', shared, name, neighbours },
    { kind: 'replace', shared, former, differing },
  ];
}

/** Compares a file with the saved clusters: new names first, then taken names, then what is saved already, then refused entries. */
export function importRows({ clusters, refused }: ClusterFileContent, saved: readonly ClusterProfile[]): ImportRow[] {
  const taken = new Set([...saved, ...clusters].map(({ name }) => name.trim()));
  const groups = clusters.map(shared => rowsOf(shared, saved, taken));
  const rank = ([first, second]: ImportRow[]): number => (first?.kind === 'same' ? 2 : second === undefined ? 0 : 1);
  const rows = [0, 1, 2].flatMap(wanted => groups.filter(group => rank(group) === wanted).flat());
  return [...rows, ...refused.map((entry): ImportRow => ({ kind: 'refused', entry }))];
}

/** The rows that are ticked at first: clusters with new names and new servers. */
export function firstChosen(rows: readonly ImportRow[]): ChosenRow[] {
  return rows.filter(
    (row): row is ChosenRow => row.kind === 'add' && row.name === row.shared.name && row.neighbours.length === 0,
  );
}

/**
 * The rows that stay ticked after a click: an entry either adds or replaces, and rows that cannot be chosen are not ticked.
 *
 * @param chosen the rows that stayed ticked before
 * @param now what is ticked on screen
 * @param before what was ticked on screen before the click; default `chosen`. The window may still show more ticks than that
 */
export function settleChosen(
  chosen: readonly ImportRow[],
  now: readonly ImportRow[],
  before: readonly ImportRow[] = chosen,
): ChosenRow[] {
  const isFresh = (row: ImportRow): boolean => !before.includes(row);
  const ticked = now.filter(row => isFresh(row) || chosen.includes(row));
  const choosable = ticked.filter((row): row is ChosenRow => row.kind === 'add' || row.kind === 'replace');
  return choosable.filter(row =>
    choosable
      .filter(rival => rival !== row && rival.shared === row.shared)
      .every(rival => (isFresh(row) === isFresh(rival) ? row.kind === 'add' : isFresh(row))),
  );
}

/** The guards that the chosen rows would remove: by replacing a cluster, or by a second profile for the same servers without them. */
export function weakenings(chosen: readonly ChosenRow[], saved: readonly ClusterProfile[]): Weakening[] {
  return chosen.flatMap(row => {
    const { shared } = row;
    const former = row.kind === 'replace' ? [row.former] : [];
    const met = new Set([...former, ...saved.filter(profile => sharesServers(profile, shared))]);
    return [...met].flatMap(profile => {
      const lost: Weakening['guard'][] = [];
      if (profile.environment === 'production' && shared.environment !== 'production') lost.push('production');
      if (profile.readOnly === true && shared.readOnly !== true) lost.push('readOnly');
      if (profile.tls !== undefined && shared.tls === undefined && former.includes(profile)) lost.push('tls');
      return lost.map(guard => ({ row, saved: profile, guard }));
    });
  });
}

/** The chosen rows with the guards of `lost` added. */
export function withGuards(chosen: readonly ChosenRow[], lost: readonly Weakening[]): ChosenRow[] {
  return chosen.map(row => {
    const own = lost.filter(weakening => weakening.row === row);
    const keeps = (guard: Weakening['guard']): boolean => own.some(weakening => weakening.guard === guard);
    const shared: SharedCluster = {
      ...row.shared,
      ...(keeps('production') ? { environment: 'production' } : {}),
      ...(keeps('readOnly') ? { readOnly: true } : {}),
      ...(keeps('tls') && row.kind === 'replace' ? { tls: sharedFields(row.former).tls ?? {} } : {}),
    };
    return { ...row, shared };
  });
}

/**
 * A profile with other servers or other TLS fields gets a new id: saved passwords belong to the former servers and are not sent
 * to the new ones. Certificate files, which a file of clusters never contains, are kept for the same servers.
 */
function replacement({ shared, former }: Extract<ChosenRow, { kind: 'replace' }>, newId: () => string): ClusterProfile {
  const { tls, ...fields } = shared;
  if (former.connectString.trim() !== shared.connectString) return { ...shared, id: newId() };
  if (tls === undefined) return { ...fields, id: former.tls === undefined ? former.id : newId() };
  const { caFile, certFile, keyFile, serverName } = former.tls ?? {};
  const files: ClusterTls = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined || keyFile === undefined ? {} : { certFile, keyFile }),
  };
  const isSameServer = former.tls !== undefined && serverName === tls.serverName;
  return { ...fields, id: isSameServer ? former.id : newId(), tls: { ...files, ...tls } };
}

/** @param newId makes an id that no cluster has had */
export function exchangeOf(chosen: readonly ChosenRow[], newId: () => string): ClusterExchange {
  const add: ClusterProfile[] = [];
  const replace = new Map<string, ClusterProfile>();
  for (const row of chosen) {
    if (row.kind === 'add') add.push({ ...row.shared, name: row.name, id: newId() });
    else replace.set(row.former.id, replacement(row, newId));
  }
  return { add, replace };
}
