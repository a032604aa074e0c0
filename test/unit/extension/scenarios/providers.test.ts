import type * as vscode from 'vscode';
import { describe, expect, it } from 'vitest';
import { Hover } from '../../../../src/extension/scenarios/hover.ts';
import { LayoutProviders } from '../../../../src/extension/scenarios/layoutProviders.ts';
import { readingOnce } from '../../../../src/extension/scenarios/readDocument.ts';
import { SessionProviders } from '../../../../src/extension/scenarios/sessionProviders.ts';
import { readScenario } from '../../../../src/scenario/readScenario.ts';
import type { MarkdownString } from '../fakeEditor.ts';
import { Range, type DocumentSymbol } from '../fakeEditor.ts';
import { afterEdit, documentOf, edited, withCursor } from './scenarioDocument.ts';

const file = `path: /a
A: acquire mutex
B: acquire mutex as kazoo
expect: A holds, B waits for A
repeat 2 {
  parallel {
    expire B
  }
}
A: release
`;

describe('hover', () => {
  const hover = (text: string): { texts: string[]; code: string[] } | undefined => {
    const shown = new Hover(readingOnce()).provideHover(...withCursor(text)) as
      { contents: MarkdownString } | undefined;
    if (shown === undefined) return undefined;
    // Nothing but line breaks is ever read as Markdown.
    expect(shown.contents.markdown.join('').trim()).toBe('');
    return { texts: shown.contents.texts, code: shown.contents.code };
  };

  it('explains words, with an example', () => {
    expect(hover('A: acq|uire mutex')).toEqual({
      texts: ['The session queues for a lock. The scenario goes on as soon as it holds the lock or waits for it.'],
      code: ['A: acquire mutex'],
    });
    expect(hover('lim|it: 2s')?.code).toEqual(['limit: 2min']);
    expect(hover('expect: woken at mo|st 3')?.texts).toEqual(['This number or less.']);
    expect(hover('expect: tok|ens grow')?.code).toEqual(['expect: tokens grow']);
    expect(hover('lose re|ply of A')?.code).toEqual(['lose reply of A']);
  });

  it('says where a session begins and is used', () => {
    expect(hover(file.replace('expire B', 'expire |B'))?.texts).toEqual([
      'Session B',
      'First in line 3: B: acquire mutex as kazoo',
      'Used in lines 4, 7',
    ]);
  });

  it('names a library, and counts the steps of a path', () => {
    expect(hover(file.replace('kazoo', 'ka|zoo'))?.texts).toEqual(['kazoo']);
    expect(hover(file.replace('/a', '/|a'))?.texts).toEqual(['Lock /a: steps of this file about it: 4']);
  });

  it('shows foreign text as it is', () => {
    const path = '"/[a](command:x) <b>"';
    const texts = hover(`A: acquire mutex ${path}\nexpire |A`)?.texts.join('\n');
    expect(texts).toContain('[a]');
    expect(hover(`A: acquire mutex "/|[a](command:x)"`)?.texts[0]).toContain('[a]');
  });

  it('has nothing to say of marks, comments and what cannot be read', () => {
    for (const text of ['A|: release', '# expe|ct', 'nonsense exp|ect', 'wait 2|s', '|']) {
      expect(hover(text === 'A|: release' ? 'A:| release' : text)).toBeUndefined();
    }
  });
});

describe('sessions', () => {
  const sessions = new SessionProviders(readingOnce());
  const lines = (found: readonly { range: vscode.Range }[]): number[] => found.map(({ range }) => range.start.line);

  it('are defined where they take a lock first', () => {
    expect(sessions.provideDefinition(...withCursor(file.replace('for A', 'for |A')))).toMatchObject({
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } },
    });
    expect(sessions.provideDefinition(...withCursor(file.replace('holds', 'ho|lds')))).toBeUndefined();
  });

  it('are found wherever they are named', () => {
    const at = withCursor(file.replace('for A', 'for |A'));
    expect(lines(sessions.provideReferences(...at, { includeDeclaration: true }))).toEqual([1, 3, 3, 9]);
    expect(lines(sessions.provideReferences(...at, { includeDeclaration: false }))).toEqual([3, 3, 9]);
    expect(sessions.provideDocumentHighlights(...at).map(({ kind }) => kind)).toEqual([2, 1, 1, 2]);
  });

  it('are renamed everywhere, to names that the language allows and that are free', () => {
    const [document, position] = withCursor(file.replace('expire B', 'expire |B'));
    expect(sessions.prepareRename(document, position)).toEqual(new Range(6, 11, 6, 12));
    const renamed = afterEdit(file, sessions.provideRenameEdits(document, position, 'Reader'));
    expect(renamed).toBe(file.replaceAll(/\bB\b/gu, 'Reader'));
    expect(readScenario(renamed).problems).toEqual([]);
    for (const name of ['read', '7up', 'A', 'a b', '']) {
      expect(() => sessions.provideRenameEdits(document, position, name)).toThrow();
    }
    expect(() => sessions.prepareRename(...withCursor(file.replace('expire', 'exp|ire')))).toThrow(
      /names of sessions/u,
    );
  });
});

describe('layout', () => {
  const layout = new LayoutProviders(readingOnce());
  const outline = (symbols: readonly vscode.DocumentSymbol[]): unknown[] =>
    symbols.map(symbol => {
      const { name, children } = symbol as unknown as DocumentSymbol;
      return children.length === 0 ? name : [name, ...outline(children as unknown as vscode.DocumentSymbol[])];
    });

  it('has an outline of steps, blocks with what is in them, and expectations', () => {
    const symbols = layout.provideDocumentSymbols(documentOf(file));
    expect(outline(symbols)).toEqual([
      'A: acquire mutex',
      'B: acquire mutex as kazoo',
      ['expect: A holds, B waits for A', 'A holds', 'B waits for A'],
      ['repeat 2', ['parallel', 'expire B']],
      'A: release',
    ]);
    expect(symbols[3]?.range).toMatchObject({ start: { line: 4 }, end: { line: 8 } });
    expect(outline(layout.provideDocumentSymbols(documentOf('repeat 2 {')))).toEqual(['repeat 2']);
  });

  it('folds blocks up to their brace, and comments of several lines', () => {
    const text = `# one\n# two\n\n${file}# last\n`;
    expect(layout.provideFoldingRanges(documentOf(text)).map(({ start, end }) => [start, end])).toEqual([
      [7, 10],
      [8, 9],
      [0, 1],
    ]);
  });

  it('formats a file, and nothing of one that is in order', () => {
    const untidy = file.replace('  parallel', 'parallel').replace('B:', '  B :').replace(', B waits', ' ,   B  waits');
    expect(edited(untidy, layout.provideDocumentFormattingEdits(documentOf(untidy)))).toBe(file);
    expect(layout.provideDocumentFormattingEdits(documentOf(file))).toEqual([]);
  });

  it('formats the lines of a range by the blocks before it', () => {
    const untidy = 'repeat 2 {\nwait   1s\nwait   2s\n}';
    const range = new Range(2, 0, 2, 3) as unknown as vscode.Range;
    const edits = layout.provideDocumentRangeFormattingEdits(documentOf(untidy), range);
    expect(edited(untidy, edits)).toBe('repeat 2 {\nwait   1s\n  wait 2s\n}');
  });

  it('leaves the name of a cluster as it is', () => {
    const text = 'cluster:   My  {small} cluster   #  mine\nwait   1s';
    expect(edited(text, layout.provideDocumentFormattingEdits(documentOf(text)))).toBe(
      'cluster: My  {small} cluster  #  mine\nwait 1s',
    );
  });
});

it('reads each version of a document once', () => {
  const read = readingOnce();
  const document = documentOf(file);
  expect(read(document)).toBe(read(document));
  expect(read({ ...document, version: 2 })).not.toBe(read(document));
});
