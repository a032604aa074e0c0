/** A command was called for a row whose cluster is no longer the one in the list. No other row stands in for it. */
export class RowGone extends Error {
  constructor() {
    super('The cluster of this row was removed from the list.');
    this.name = 'RowGone';
  }
}
