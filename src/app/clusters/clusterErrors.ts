import { FactError } from '../../base/factError.ts';
import type { ClusterProfile } from './clusterProfile.ts';

/** A command needs a cluster and the list is empty. The message offers to add one. */
export class NoClusterError extends FactError {
  constructor() {
    super('NoClusterError', '');
  }
}

/** A command was called for a row whose cluster was removed from the list. No other row is used in its place. */
export class RowGone extends FactError {
  constructor() {
    super('RowGone', '');
  }
}

/** `changed`: the profile has other servers, another environment or other rights. */
export type ClusterChange = 'removed' | 'changed' | 'disconnected';

/** The cluster is no longer what the user confirmed. Nothing was done. */
export class ClusterChanged extends FactError {
  readonly cluster: string;
  readonly change: ClusterChange;

  constructor(cluster: string, change: ClusterChange) {
    super('ClusterChanged', `${cluster} ${change}`);
    this.cluster = cluster;
    this.change = change;
  }
}

/**
 * The cluster is marked read-only, or is a record of the past: every write there is refused, from commands, panels and other
 * extensions alike.
 */
export class ReadOnlyCluster extends FactError {
  readonly cluster: string;
  readonly refused: 'acquire' | 'delete';
  readonly isRecording: boolean;

  constructor(
    { name, isRecording }: Pick<ClusterProfile, 'name' | 'isRecording'>,
    refused: 'acquire' | 'delete' = 'acquire',
  ) {
    super('ReadOnlyCluster', `${name} ${refused}`);
    this.cluster = name;
    this.refused = refused;
    this.isRecording = isRecording === true;
  }
}
