import { FactError } from '../../base/factError.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { readSharedCluster, sharedFields, type EntryFault, type SharedCluster } from './sharedCluster.ts';

/** Marks a file as a file of clusters, whatever its name. */
export const clusterFileKind = 'zookeeper-lock-inspector/clusters';

/** Goes up when an older version of this extension could misread a new file. */
export const clusterFileVersion = 1;

/** A larger file was chosen by mistake. Bytes. */
export const largestClusterFile = 1024 * 1024;

const mostClusters = 500;

/** An entry of a file that cannot be used. `name` and `field` are foreign text. */
export interface RefusedEntry {
  index: number;
  name: string | undefined;
  fault: EntryFault | 'duplicate';
  /** The field that is unknown. */
  field?: string;
}

export interface ClusterFileContent {
  clusters: SharedCluster[];
  refused: RefusedEntry[];
}

/** Why a file of clusters cannot be used as a whole. */
export type ClusterFileFault =
  'too-large' | 'not-json' | 'kind' | 'version' | 'newer' | 'unknown-field' | 'clusters' | 'too-many' | 'unreadable';

/** A file of clusters cannot be used. Of its content, only the name of a field that should not be there is shown. */
export class ClusterFileError extends FactError {
  readonly fault: ClusterFileFault;
  /** Foreign text. */
  readonly field: string;

  constructor(fault: ClusterFileFault, field = '') {
    super('ClusterFileError', `${fault} ${JSON.stringify(field)}`);
    this.fault = fault;
    this.field = field;
  }
}

const topFields: ReadonlySet<string> = new Set(['$schema', 'kind', 'version', 'clusters']);

function parse(bytes: Uint8Array): unknown {
  if (bytes.byteLength > largestClusterFile) throw new ClusterFileError('too-large');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    // The parser's own text would repeat a piece of the file.
    throw new ClusterFileError('not-json');
  }
}

function checkVersion(version: unknown): void {
  if (version === clusterFileVersion) return;
  throw new ClusterFileError(typeof version === 'number' && version > clusterFileVersion ? 'newer' : 'version');
}

function entriesOf(content: unknown): readonly unknown[] {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw new ClusterFileError('kind');
  const { kind, version, clusters } = content as Record<string, unknown>;
  if (kind !== clusterFileKind) throw new ClusterFileError('kind');
  checkVersion(version);
  const unknown = Object.keys(content).find(name => !topFields.has(name));
  if (unknown !== undefined) throw new ClusterFileError('unknown-field', unknown);
  if (!Array.isArray(clusters)) throw new ClusterFileError('clusters');
  if (clusters.length > mostClusters) throw new ClusterFileError('too-many');
  return clusters;
}

function nameOf(entry: unknown): string | undefined {
  const name = typeof entry === 'object' && entry !== null ? (entry as { name?: unknown }).name : undefined;
  return typeof name === 'string' ? name : undefined;
}

/**
 * Reads a file of clusters from another machine. Every field is checked; an entry with a field that is unknown or wrong
 * is refused and reported, the others can be used. Two entries of one name: the second is refused.
 *
 * @throws ClusterFileError when the file as a whole cannot be used
 */
export function readClusterFile(bytes: Uint8Array): ClusterFileContent {
  const content: ClusterFileContent = { clusters: [], refused: [] };
  const names = new Set<string>();
  for (const [index, entry] of entriesOf(parse(bytes)).entries()) {
    const read = readSharedCluster(entry);
    if ('fault' in read) content.refused.push({ index, name: nameOf(entry), ...read });
    else if (names.has(read.name)) content.refused.push({ index, name: read.name, fault: 'duplicate' });
    else {
      names.add(read.name);
      content.clusters.push(read);
    }
  }
  return content;
}

/**
 * Writes clusters for others: never a password, passphrase, id or path of a certificate file (see `sharedFields`). A cluster
 * that `readClusterFile` would refuse, because it was written into the settings by hand, is left out and returned.
 *
 * @returns the text of the file, and what it does not contain
 */
export function clusterFileText(profiles: readonly ClusterProfile[]): { text: string; leftOut: ClusterProfile[] } {
  const names = new Set<string>();
  const clusters: object[] = [];
  const leftOut: ClusterProfile[] = [];
  for (const profile of profiles) {
    const fields = sharedFields(profile);
    if ('fault' in readSharedCluster(fields) || names.has(profile.name.trim())) leftOut.push(profile);
    else clusters.push(fields);
    names.add(profile.name.trim());
  }
  const content = { kind: clusterFileKind, version: clusterFileVersion, clusters };
  return { text: `${JSON.stringify(content, undefined, 2)}\n`, leftOut };
}
