import { describe, expect, it } from 'vitest';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { Completion } from '../../../../src/extension/scenarios/completion.ts';
import { knownPlaces } from '../../../../src/extension/scenarios/knownPlaces.ts';
import { readingOnce } from '../../../../src/extension/scenarios/readDocument.ts';
import { readScenario } from '../../../../src/scenario/readScenario.ts';
import { CompletionItemKind as kinds } from '../fakeEditor.ts';
import { withCursor } from './scenarioDocument.ts';

function clusterOf(name: string, paths: readonly string[], isSandbox?: true): ClusterNode {
  const locks = new Map(paths.map(path => [path, { path }]));
  return { profile: { name, ...(isSandbox && { isSandbox }) }, locks } as unknown as ClusterNode;
}

const nodes = [
  clusterOf('Orders (production)', ['/orders/a', '/orders/b\n']),
  clusterOf('Team "x" #2', ['/team/a b']),
  clusterOf('Sandbox', ['/try'], true),
];

interface Item {
  label: string;
  kind: number;
  detail?: string;
  documentation?: { code: string[] };
  insertText: string | { value: string };
  range: unknown;
}

function itemsAt(text: string, clusters: readonly ClusterNode[] = nodes): Item[] {
  const provider = new Completion(readingOnce(), () => knownPlaces(clusters));
  return provider.provideCompletionItems(...withCursor(text)) as unknown as Item[];
}

function textOf({ insertText }: Item): string {
  return typeof insertText === 'string' ? insertText : insertText.value;
}

const textsAt = (text: string): string[] => itemsAt(text).map(textOf);

describe('completion', () => {
  it('begins a file with headers, steps and a first session', () => {
    expect(textsAt('|')).toEqual(
      expect.arrayContaining([
        'cluster: ',
        'path: ',
        'expect: $0',
        'parallel {\n  $0\n}',
        'repeat ${1:2} {\n  $0\n}',
        'lose reply of $0',
        'A: ',
      ]),
    );
  });

  it('writes the word alone where something follows on the line', () => {
    expect(textsAt('rep| 3 {\n}')).toContain('repeat');
    expect(textsAt('A|: release')).toContain('A');
  });

  it('offers the sessions of the file and the next letter', () => {
    const file = 'A: acquire mutex /a\nW: acquire mutex /a\n';
    const sessions = (text: string): string[] => textsAt(text).filter(one => /^[A-Z](?:: )?$/u.test(one));
    expect(sessions(`${file}|`)).toEqual(['A: ', 'W: ', 'B: ']);
    expect(sessions(`${file}expect: |`)).toEqual(['A', 'W']);
    expect(sessions(`${file}expect: A waits for |`)).toEqual(['A', 'W']);
    expect(sessions(`${file}attach |`)).toEqual(['B']);
  });

  it('offers libraries that have the recipe at hand', () => {
    expect(textsAt('A: acquire semaphore 2 /a as |')).toEqual(expect.arrayContaining(['curator', 'kazoo']));
    expect(textsAt('A: acquire semaphore 2 /a as |')).not.toContain('go-zookeeper');
    expect(textsAt('A: acquire mutex /a as ka|')).toContain('go-zookeeper');
    expect(textsAt('A: acquire mutex /a as |')).not.toContain('solr');
    expect(textsAt('attach S to dialect |')).toContain('solr');
    for (const recipe of ['mutex', 'read', 'write', 'semaphore 2', 'multi /b, /c', 'exclusive']) {
      for (const dialect of textsAt(`A: acquire ${recipe} as |`)) {
        expect(readScenario(`path: /a\nA: acquire ${recipe} as ${dialect}`).problems, dialect).toEqual([]);
      }
    }
  });

  it('offers clusters of the settings and the sandbox, as a header must have them', () => {
    const texts = textsAt('cluster: |');
    expect(texts).toEqual(['sandbox', 'Orders (production)', '"Team \\"x\\" #2"']);
    const read = texts.map(text => readScenario(`cluster: ${text}`).scenario.cluster?.text);
    expect(read).toEqual(['sandbox', 'Orders (production)', 'Team "x" #2']);
  });

  it('offers the paths of the file, and those of locks that are shown, each as one word', () => {
    const file = 'path: /mine\nexpect: /other empty\n';
    expect(textsAt(`${file}A: acquire mutex |`)).toEqual(
      expect.arrayContaining(['/mine', '/other', '/orders/a', '"/team/a b"', '/try', 'as', 'within']),
    );
    expect(textsAt(`${file}A: acquire mutex |`).filter(text => text.includes('\n'))).toEqual([]);
    const ofCluster = textsAt(`cluster: Orders (production)\nA: acquire mutex |`);
    expect(ofCluster.filter(text => text.includes('/'))).toEqual(['/orders/a']);
  });

  it('replaces the whole word, also where it is quoted or has slashes', () => {
    const [item] = itemsAt('A: acquire mutex /scen|ario/orders as kazoo');
    expect(item?.range).toMatchObject({
      inserting: { start: { character: 17 }, end: { character: 22 } },
      replacing: { start: { character: 17 }, end: { character: 33 } },
    });
  });

  it('explains each word with a line that has it', () => {
    for (const text of [
      '|',
      'A: |',
      'A: acquire |',
      'expect: |',
      'expect: A |',
      'expect: woken at |',
      'attach S to |',
    ]) {
      const words = itemsAt(text).filter(({ kind }) => kind === kinds.Keyword || kind === kinds.Property);
      expect(words).not.toHaveLength(0);
      for (const { detail, documentation, label } of words) {
        expect(detail, label).toBeTruthy();
        const [example] = documentation?.code ?? [];
        const kinds = readScenario(example ?? '').problems.map(({ facts }) => facts.kind);
        expect(kinds, label).not.toContain('expected');
      }
    }
  });

  it('is silent in comments and where only a mark can stand', () => {
    expect(textsAt('# A: |')).toEqual([]);
    expect(textsAt('A: acquire multi /a |')).toEqual([]);
  });

  it('keeps hostile names away from what VS Code interprets', () => {
    const items = itemsAt('A: acquire mutex |', [clusterOf('x', ['/a](command:x)', '/${1:b}'])]);
    const paths = items.filter(({ kind }) => kind === kinds.Folder);
    // Plain strings: no snippets.
    expect(paths.map(({ insertText }) => insertText)).toEqual(['"/a](command:x)"', '"/${1:b}"'].map(unquotedIfPlain));
  });
});

/** A path without blanks and marks of the language needs no quotes. */
function unquotedIfPlain(text: string): string {
  return /[\s{},#:]/u.test(text) ? text : text.slice(1, -1);
}
