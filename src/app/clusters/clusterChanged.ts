/** `changed`: it means other servers, another environment or other rights now. */
export type ClusterChange = 'removed' | 'changed' | 'disconnected';

/** What the person agreed to is not what would be done now: nothing was done. */
export class ClusterChanged extends Error {
  readonly cluster: string;
  readonly change: ClusterChange;

  constructor(cluster: string, change: ClusterChange) {
    super(`The cluster ${cluster} was ${change} meanwhile: nothing was done.`);
    this.name = 'ClusterChanged';
    this.cluster = cluster;
    this.change = change;
  }
}
