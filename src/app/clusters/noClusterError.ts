/** A command needs a cluster, and none is known yet. Whoever tells the person offers to add one. */
export class NoClusterError extends Error {
  constructor() {
    super('There is no cluster yet.');
    this.name = 'NoClusterError';
  }
}
