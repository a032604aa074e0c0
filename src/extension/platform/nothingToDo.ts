/** A command finds nothing that it could be about. Its message is shown as it is: made by l10n. */
export class NothingToDo extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'NothingToDo';
  }
}
