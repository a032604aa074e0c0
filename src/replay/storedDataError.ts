import { FactError } from '../base/factError.ts';

/** Data of a node cannot be read any more: their file is gone, or is not what it was. */
export class StoredDataError extends FactError {
  /** Path of the file. Foreign text. */
  readonly file: string;

  constructor(
    { file, offset, length }: { readonly file: string; readonly offset: number; readonly length: number },
    options?: ErrorOptions,
  ) {
    super('StoredDataError', `${file} offset=${offset} length=${length}`, options);
    this.file = file;
  }
}
