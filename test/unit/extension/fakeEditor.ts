/** What providers of language features take from VS Code at run time: positions, edits and the items that they return. */
export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
  isBefore(other: Position): boolean {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: [Position, Position] | [number, number, number, number]) {
    [this.start, this.end] = at.length === 2 ? at : [new Position(at[0], at[1]), new Position(at[2], at[3])];
  }
  get isEmpty(): boolean {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
  contains(position: Position): boolean {
    return !position.isBefore(this.start) && !this.end.isBefore(position);
  }
  isEqual({ start, end }: Range): boolean {
    return JSON.stringify([start, end]) === JSON.stringify([this.start, this.end]);
  }
  intersection(other: Range): Range | undefined {
    const start = this.start.isBefore(other.start) ? other.start : this.start;
    const end = this.end.isBefore(other.end) ? this.end : other.end;
    return end.isBefore(start) ? undefined : new Range(start, end);
  }
  union(other: Range): Range {
    const start = this.start.isBefore(other.start) ? this.start : other.start;
    return new Range(start, this.end.isBefore(other.end) ? other.end : this.end);
  }
}

export class TextEdit {
  readonly range: Range;
  readonly newText: string;
  constructor(range: Range, newText: string) {
    this.range = range;
    this.newText = newText;
  }
}

export class WorkspaceEdit {
  readonly edits: TextEdit[] = [];
  replace(_uri: unknown, range: Range, text: string): void {
    this.edits.push(new TextEdit(range, text));
  }
}

export class Location {
  readonly uri: unknown;
  readonly range: Range;
  constructor(uri: unknown, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

/** Keeps apart what VS Code reads as Markdown and what it shows as it is. */
export class MarkdownString {
  readonly markdown: string[] = [];
  readonly texts: string[] = [];
  readonly code: string[] = [];
  appendText(text: string): this {
    this.texts.push(text);
    return this;
  }
  appendMarkdown(text: string): this {
    this.markdown.push(text);
    return this;
  }
  appendCodeblock(text: string): this {
    this.code.push(text);
    return this;
  }
}

export class Hover {
  readonly contents: MarkdownString;
  readonly range: Range;
  constructor(contents: MarkdownString, range: Range) {
    this.contents = contents;
    this.range = range;
  }
}

export class SnippetString {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class CompletionItem {
  readonly label: string;
  readonly kind: number;
  constructor(label: string, kind: number) {
    this.label = label;
    this.kind = kind;
  }
}

export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  constructor(range: Range, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class CodeAction {
  readonly title: string;
  readonly kind: string;
  constructor(title: string, kind: string) {
    this.title = title;
    this.kind = kind;
  }
}

export class DocumentSymbol {
  readonly name: string;
  readonly kind: number;
  range: Range;
  children: DocumentSymbol[] = [];
  constructor(name: string, _detail: string, kind: number, range: Range) {
    if (name === '') throw new Error('A symbol needs a name.');
    this.name = name;
    this.kind = kind;
    this.range = range;
  }
}

export class FoldingRange {
  readonly start: number;
  readonly end: number;
  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

export class DocumentHighlight {
  readonly range: Range;
  readonly kind: number;
  constructor(range: Range, kind: number) {
    this.range = range;
    this.kind = kind;
  }
}

const kinds = { Variable: 5, Unit: 10, Keyword: 13, Reference: 17, Folder: 18, Constant: 20, Module: 8, Property: 9 };
export const CompletionItemKind = kinds;
export const CodeActionKind = { QuickFix: 'quickfix' } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1 } as const;
export const DocumentHighlightKind = { Text: 0, Read: 1, Write: 2 } as const;
export const FoldingRangeKind = { Comment: 1 } as const;
export const SymbolKind = { Boolean: 16, Array: 17, Event: 23 } as const;

/** What is shown as wrong, by the path of the file. */
export const diagnostics = new Map<string, readonly Diagnostic[]>();

/** What was registered for a language: its kind, and the language. */
export const registered: [kind: string, language: string][] = [];

function register(kind: string): (language: string) => { dispose(): void } {
  return language => {
    const entry: [string, string] = [kind, language];
    registered.push(entry);
    return { dispose: () => void registered.splice(registered.indexOf(entry), 1) };
  };
}

export const languages = {
  createDiagnosticCollection: () => ({
    set: ({ path }: { path: string }, all: readonly Diagnostic[]) => void diagnostics.set(path, all),
    delete: ({ path }: { path: string }) => void diagnostics.delete(path),
    dispose: () => {
      diagnostics.clear();
    },
  }),
  registerCompletionItemProvider: register('completion'),
  registerHoverProvider: register('hover'),
  registerCodeActionsProvider: register('fixes'),
  registerDocumentSymbolProvider: register('outline'),
  registerFoldingRangeProvider: register('folding'),
  registerDocumentFormattingEditProvider: register('formatting'),
  registerDocumentRangeFormattingEditProvider: register('range formatting'),
  registerDefinitionProvider: register('definition'),
  registerReferenceProvider: register('references'),
  registerDocumentHighlightProvider: register('highlights'),
  registerRenameProvider: register('rename'),
};
