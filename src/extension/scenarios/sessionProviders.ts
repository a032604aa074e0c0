import * as vscode from 'vscode';
import { isSessionName } from '../../scenario/lineReader.ts';
import { reservedWords } from '../../scenario/statements.ts';
import { displayText } from '../../base/displayText.ts';
import { l10n } from '../words/language.ts';
import { rangeOf, type ReadDocument } from './readDocument.ts';
import { placesOfSession, placesOfSessions, type SessionPlace } from './sessionPlaces.ts';

/** Go to Definition, References, highlights and Rename of the names of sessions. */
export class SessionProviders
  implements
    vscode.DefinitionProvider,
    vscode.ReferenceProvider,
    vscode.DocumentHighlightProvider,
    vscode.RenameProvider
{
  private readonly read: ReadDocument;

  constructor(read: ReadDocument) {
    this.read = read;
  }

  provideDefinition(document: vscode.TextDocument, position: vscode.Position): vscode.Location | undefined {
    const places = this.places(document, position);
    const first = places.find(({ use }) => use === 'opens') ?? places[0];
    return first && new vscode.Location(document.uri, rangeOf(first.span));
  }

  provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ): vscode.Location[] {
    const places = this.places(document, position);
    const definition = places.find(({ use }) => use === 'opens');
    return places
      .filter(place => includeDeclaration || place !== definition)
      .map(({ span }) => new vscode.Location(document.uri, rangeOf(span)));
  }

  provideDocumentHighlights(document: vscode.TextDocument, position: vscode.Position): vscode.DocumentHighlight[] {
    const { Read, Write } = vscode.DocumentHighlightKind;
    return this.places(document, position).map(
      ({ span, use }) => new vscode.DocumentHighlight(rangeOf(span), use === 'asks' ? Read : Write),
    );
  }

  prepareRename(document: vscode.TextDocument, position: vscode.Position): vscode.Range {
    const here = this.places(document, position).find(({ span }) => rangeOf(span).contains(position));
    if (here === undefined) throw new Error(l10n.t('Only names of sessions can be changed.'));
    return rangeOf(here.span);
  }

  provideRenameEdits(document: vscode.TextDocument, position: vscode.Position, name: string): vscode.WorkspaceEdit {
    const shown = displayText(name, 40);
    if (!isSessionName(name, reservedWords)) throw new Error(l10n.t('{0} cannot be the name of a session.', shown));
    const places = this.places(document, position);
    const isOther = (place: SessionPlace): boolean => place.name === name && place.name !== places[0]?.name;
    if (placesOfSessions(this.read(document).scenario).some(isOther)) {
      throw new Error(l10n.t('{0} is a session already. Choose another name.', shown));
    }
    const edit = new vscode.WorkspaceEdit();
    for (const { span } of places) edit.replace(document.uri, rangeOf(span), name);
    return edit;
  }

  private places(document: vscode.TextDocument, { line, character }: vscode.Position): SessionPlace[] {
    return placesOfSession(this.read(document).scenario, line, character);
  }
}
