/** The cluster is marked read-only: nothing is written there, by whatever way the request came. */
export class ReadOnlyCluster extends Error {
  readonly cluster: string;
  readonly refused: 'acquire' | 'delete';

  constructor(cluster: string, refused: 'acquire' | 'delete' = 'acquire') {
    super(`${cluster} is marked read-only: ${refused} is refused there.`);
    this.name = 'ReadOnlyCluster';
    this.cluster = cluster;
    this.refused = refused;
  }
}
