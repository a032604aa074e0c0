import * as vscode from 'vscode';
import { displayText } from '../../base/displayText.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import { hasRecipe } from '../../scenario/checkScenario.ts';
import { expectedAt, type ExpectedAt } from '../../scenario/expectedAt.ts';
import { headerWords } from '../../scenario/parseScenario.ts';
import type { Expected } from '../../scenario/problem.ts';
import { dialectWords } from '../../scenario/readScenario.ts';
import { sandboxWord, type Scenario } from '../../scenario/scenario.ts';
import { recipeWords } from '../../scenario/statements.ts';
import { linesOf, written } from '../../scenario/tokens.ts';
import { dialectText } from '../words/contenderText.ts';
import { l10n } from '../words/language.ts';
import { wordExplanation } from '../words/scenarioWordText.ts';
import type { KnownPlaces } from './knownPlaces.ts';
import { pathsIn } from './pathsIn.ts';
import { rangeOf, type ReadDocument } from './readDocument.ts';
import { placesOfSessions } from './sessionPlaces.ts';

/** Paths that are offered at a time. */
const mostPaths = 1_000;

const snippets: Readonly<Record<string, string>> = {
  expect: 'expect: $0',
  parallel: 'parallel {\n  $0\n}',
  repeat: 'repeat ${1:2} {\n  $0\n}',
  lose: 'lose reply of $0',
};

/** A position and the file around it. */
interface Place extends ExpectedAt {
  readonly scenario: Scenario;
  /** Nothing follows on the line. */
  readonly isLast: boolean;
}

/** What can be written at the cursor. */
export class Completion implements vscode.CompletionItemProvider {
  static readonly triggers = [' ', ':', ',', '/'];
  private readonly read: ReadDocument;
  private readonly known: () => KnownPlaces;

  constructor(read: ReadDocument, known: () => KnownPlaces) {
    this.read = read;
    this.known = known;
  }

  provideCompletionItems(document: vscode.TextDocument, { line, character }: vscode.Position): vscode.CompletionItem[] {
    const lines = linesOf(document.getText());
    const at = expectedAt(lines, line, character, dialectWords);
    const isLast = (lines[line] ?? '').slice(at.span.to).trim() === '';
    const place = { ...at, scenario: this.read(document).scenario, isLast };
    const items = at.expected.flatMap(one => ('word' in one ? wordItems(one, place) : this.items(one.what, place)));
    const range = rangeOf(at.span);
    const inserting = new vscode.Range(range.start, new vscode.Position(line, character));
    const unique = new Map(items.map(item => [item.insertText ?? item.label, item]));
    return [...unique.values()].map((item, order) => {
      item.range = { inserting, replacing: range };
      // As the grammar has them.
      item.sortText = String(order).padStart(5, '0');
      return item;
    });
  }

  private items(what: Extract<Expected, { what: unknown }>['what'], place: Place): vscode.CompletionItem[] {
    switch (what) {
      case 'session':
        return sessionNames(place.scenario).map(name => itemOf(name, vscode.CompletionItemKind.Variable));
      case 'new session':
        return newSessionItems(place);
      case 'path':
        return this.paths(place.scenario).map(path => itemOf(written(path), vscode.CompletionItemKind.Folder));
      case 'dialect':
        return dialectItems(place);
      case 'cluster':
        return this.clusterItems();
      case 'duration':
        return ['500ms', '2s', '10s', '1min'].map(time => itemOf(time, vscode.CompletionItemKind.Unit));
      default:
        return [];
    }
  }

  private paths(scenario: Scenario): string[] {
    const shown = this.known().lockPaths(scenario.cluster?.text);
    // A name with control characters cannot be written in a line.
    const all = [...pathsIn(scenario), ...shown].filter(path => !/\p{Cc}/u.test(path));
    return [...new Set(all)].slice(0, mostPaths);
  }

  private clusterItems(): vscode.CompletionItem[] {
    const sandbox = itemOf(
      sandboxWord,
      vscode.CompletionItemKind.Constant,
      l10n.t('A ZooKeeper of its own, in this window'),
    );
    const names = this.known().clusters.map(name => (/[#"]/u.test(name) ? written(name) : name));
    return [sandbox, ...names.map(name => itemOf(name, vscode.CompletionItemKind.Reference))];
  }
}

function itemOf(text: string, kind: vscode.CompletionItemKind, detail?: string): vscode.CompletionItem {
  const item = new vscode.CompletionItem(displayText(text), kind);
  item.insertText = text;
  item.filterText = text;
  if (detail !== undefined) item.detail = detail;
  return item;
}

function wordItems({ word, endOf }: Extract<Expected, { word: string }>, place: Place): vscode.CompletionItem[] {
  // Of a dialect only those are offered that have the recipe; marks are quicker to type.
  if (dialectWords.has(word) || !/^\p{L}/u.test(word)) return [];
  const isHeader = headerWords.some(header => header === word);
  const explanation = wordExplanation(endOf ?? word);
  const item = itemOf(word, isHeader ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.Keyword);
  if (explanation !== undefined) {
    item.detail = explanation.text;
    item.documentation = new vscode.MarkdownString().appendCodeblock(explanation.example, 'zklock');
  }
  if (place.isLast) item.insertText = isHeader ? `${word}: ` : begun(word);
  return [item];
}

/** A word with what always follows it. */
function begun(word: string): vscode.SnippetString | string {
  const snippet = snippets[word];
  return snippet === undefined ? word : new vscode.SnippetString(snippet);
}

function sessionNames(scenario: Scenario): string[] {
  return [...new Set(placesOfSessions(scenario).map(({ name }) => name))];
}

/** The sessions of the file, and the next letter: at the beginning of a step with the colon that follows. */
function newSessionItems({ scenario, expected, before, isLast }: Place): vscode.CompletionItem[] {
  const isStep = expected.some(one => 'word' in one && one.word === 'expect');
  const known = sessionNames(scenario);
  const next = 'A B C D E F G H I J K L M N O P Q R S T U V W X Y Z'
    .split(' ')
    .filter(letter => !known.includes(letter))
    .slice(0, 1);
  const names = isStep ? [...known, ...next] : next;
  return names.map(name => {
    const detail = known.includes(name) ? undefined : l10n.t('A new session');
    const item = itemOf(name, vscode.CompletionItemKind.Variable, detail);
    if (isStep && isLast && before.length === 0) item.insertText = `${name}: `;
    return item;
  });
}

/** Those that have the recipe that the line speaks of. */
function dialectItems({ before }: Place): vscode.CompletionItem[] {
  const texts = before.map(({ text }) => text);
  const isAttach = texts[0] === 'attach';
  const recipe = recipeWords.find(word => texts.includes(word)) ?? 'mutex';
  return [...dialectWords]
    .filter(dialect => isAttach || hasRecipe(dialect as DialectId, recipe))
    .map(dialect => itemOf(dialect, vscode.CompletionItemKind.Module, dialectText(dialect as DialectId)));
}
