/** Why a file of clusters cannot be used as a whole. */
export type ClusterFileFault =
  'too-large' | 'not-json' | 'kind' | 'version' | 'newer' | 'unknown-field' | 'clusters' | 'too-many' | 'unreadable';

/** A file of clusters cannot be used. Nothing of its content is told but the name of a field that should not be there. */
export class ClusterFileError extends Error {
  readonly fault: ClusterFileFault;
  /** Foreign text. */
  readonly field: string;

  constructor(fault: ClusterFileFault, field = '') {
    super(`The file of clusters cannot be used: ${fault}${field === '' ? '' : ` ${JSON.stringify(field)}`}.`);
    this.name = 'ClusterFileError';
    this.fault = fault;
    this.field = field;
  }
}
