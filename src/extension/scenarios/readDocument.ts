import * as vscode from 'vscode';
import { readScenario, type ReadScenario } from '../../scenario/readScenario.ts';
import type { Span } from '../../scenario/scenario.ts';

/** A scenario as it is in an editor. */
export type ReadDocument = (document: vscode.TextDocument) => ReadScenario;

/** Reads each version of a document once, however many features of VS Code ask for it. */
export function readingOnce(): ReadDocument {
  const known = new WeakMap<vscode.TextDocument, { readonly version: number; readonly read: ReadScenario }>();
  return document => {
    const { version } = document;
    const former = known.get(document);
    if (former?.version === version) return former.read;
    const read = readScenario(document.getText());
    known.set(document, { version, read });
    return read;
  };
}

/** Where something stands in a file. */
export function rangeOf({ line, from, to }: Span): vscode.Range {
  return new vscode.Range(line, from, line, to);
}
