import { readSecurity, type ClusterSecurity, type SecurityFault } from './clusterSecurity.ts';

export const environments = ['development', 'staging', 'production'] as const;

export type Environment = (typeof environments)[number];

/** A saved cluster. Never holds a secret: the secret storage keeps those, under `id`. */
export interface ClusterProfile extends ClusterSecurity {
  /** Identity of its rows and secrets; stays when the cluster is renamed. */
  id: string;
  name: string;
  connectString: string;
  environment: Environment;
  /** Where the search for locks starts. */
  lockRoots: readonly string[];
  /** Every write is refused, from commands, panels and other extensions alike. */
  readOnly?: boolean;
}

/** Characters, for names that are typed or imported; a setting written by hand may hold longer ones. */
export const longestClusterName = 200;

/** An entry of the setting that cannot be used. `fault`: the part that is wrong. */
export interface RefusedProfile {
  index: number;
  fault: 'not-an-object' | 'name' | 'connectString' | 'lockRoots' | 'duplicate' | SecurityFault;
}

export interface SavedClusters {
  profiles: ClusterProfile[];
  refused: RefusedProfile[];
}

/** Whether a connect string carries `user:password@`; such a string is never stored. */
export function hasCredentials(connectString: string): boolean {
  return connectString.includes('@');
}

/** Whether `path` is an absolute ZooKeeper path in its normal form. */
export function isLockPath(path: string): boolean {
  if (path === '/') return true;
  if (!path.startsWith('/')) return false;
  return path
    .slice(1)
    .split('/')
    .every(name => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'));
}

type Fields = Partial<Record<keyof ClusterProfile, unknown>>;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function environmentOf(value: unknown): Environment {
  // An unknown word counts as production, the strictest.
  return environments.find(known => known === value) ?? (value === undefined ? 'development' : 'production');
}

function lockRootsOf(value: unknown): string[] | undefined {
  if (value === undefined) return ['/'];
  if (!Array.isArray(value) || !value.every((root): root is string => typeof root === 'string' && isLockPath(root))) {
    return undefined;
  }
  return value.length === 0 ? ['/'] : [...new Set(value)];
}

/** Any value but `false` counts as read-only: it was meant as a protection. */
function readOnlyOf(value: unknown): { readOnly?: boolean } {
  return value === undefined || value === false ? {} : { readOnly: true };
}

function readEntry(entry: unknown): ClusterProfile | RefusedProfile['fault'] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'not-an-object';
  const { id, name, connectString, environment, lockRoots, readOnly, auth, tls } = entry as Fields;
  if (!isText(name)) return 'name';
  if (!isText(connectString)) return 'connectString';
  if (hasCredentials(connectString)) return 'credentials';
  const roots = lockRootsOf(lockRoots);
  if (roots === undefined) return 'lockRoots';
  const security = readSecurity({ auth, tls });
  if (typeof security === 'string') return security;
  return {
    id: isText(id) ? id : connectString,
    name,
    connectString,
    environment: environmentOf(environment),
    lockRoots: roots,
    ...readOnlyOf(readOnly),
    ...security,
  };
}

/**
 * Reads the setting of saved clusters. Never throws: entries that cannot be used are returned in `refused`.
 *
 * @param setting the raw value, of any type
 */
export function readProfiles(setting: unknown): SavedClusters {
  const saved: SavedClusters = { profiles: [], refused: [] };
  if (!Array.isArray(setting)) return saved;
  const ids = new Set<string>();
  for (const [index, entry] of setting.entries()) {
    const profile = readEntry(entry);
    if (typeof profile === 'string') saved.refused.push({ index, fault: profile });
    else if (ids.has(profile.id)) saved.refused.push({ index, fault: 'duplicate' });
    else {
      ids.add(profile.id);
      saved.profiles.push(profile);
    }
  }
  return saved;
}
