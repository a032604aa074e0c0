import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../../../scripts/build/bundle.ts';
import { scenarioLanguage } from '../../../../src/extension/platform/contributions.ts';
import { wordExplanation } from '../../../../src/extension/words/scenarioWordText.ts';
import { headerWords } from '../../../../src/scenario/parseScenario.ts';
import { actionWords, claimWords, recipeWords, reservedWords, stepWords } from '../../../../src/scenario/statements.ts';

interface Rule {
  name?: string;
  match: string;
  captures?: Record<string, { name?: string }>;
}

interface Manifest {
  contributes: {
    languages: { id: string; extensions: string[]; configuration: string; icon: Record<string, string> }[];
    grammars: { language: string; scopeName: string; path: string }[];
    configurationDefaults: Record<string, unknown>;
  };
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8'));
const { contributes } = read('package.json') as Manifest;
const grammar = read('syntaxes/zklock.tmLanguage.json') as { scopeName: string; patterns: Rule[] };
const rules = grammar.patterns.map(rule => ({ ...rule, regex: new RegExp(rule.match, 'duy') }));

/** The scopes of a line, text by text, as VS Code's tokenizer finds them: the first rule that fits at a place. */
function scopesOf(line: string): [string, string][] {
  const scopes: [string, string][] = [];
  for (let at = 0; at < line.length; at++) {
    for (const { regex, name, captures } of rules) {
      regex.lastIndex = at;
      const found = regex.exec(line);
      if (found === null || found[0] === '') continue;
      if (name !== undefined) scopes.push([found[0], name]);
      for (const [group, { name: scope }] of Object.entries(captures ?? {})) {
        if (scope !== undefined) scopes.push([found[Number(group)]!.trim(), scope]);
      }
      at += found[0].length - 1;
      break;
    }
  }
  return scopes.map(([text, scope]) => [text, scope.replace('.zklock', '')]);
}

const scopeOf = (line: string, text: string): string | undefined =>
  scopesOf(line).find(([found]) => found === text)?.[1];

describe('the colours of a scenario', () => {
  it('are those of every word of the language', () => {
    for (const word of headerWords) expect(scopeOf(`${word}: x`, word)).toBe('entity.name.tag');
    for (const word of stepWords)
      expect(scopeOf(`${word}: x`, word) ?? scopeOf(`${word} x`, word)).toBe('keyword.control');
    for (const word of actionWords) expect(scopeOf(`A: ${word}`, word)).toBe('support.function');
    for (const word of recipeWords) expect(scopeOf(`A: acquire ${word}`, word)).toBe('entity.name.type');
    const others = ['holds', 'waits', 'stale', 'times out', 'lost', 'uncertain', 'at most', 'at least', 'and', 'then'];
    for (const word of [...claimWords, ...others].flatMap(words => words.split(' '))) {
      expect(scopeOf(`expect: ${word}`, word), word).toBe('keyword.other');
    }
    const inSteps = [...reservedWords].filter(word => !headerWords.some(header => header === word));
    for (const word of inSteps) expect(scopeOf(`x ${word}`, word), word).not.toBe('variable.other');
  });

  it('follow the tokens of the language', () => {
    expect(scopesOf('A: acquire semaphore 2 /a:b#c as curator within 1.5s  # why')).toEqual([
      ['A', 'variable.other'],
      [':', 'punctuation.separator'],
      ['acquire', 'support.function'],
      ['semaphore', 'entity.name.type'],
      ['2', 'constant.numeric'],
      ['/a:b#c', 'string.unquoted.path'],
      ['as', 'keyword.other'],
      ['curator', 'support.class'],
      ['within', 'keyword.other'],
      ['1.5s', 'constant.numeric'],
      ['# why', 'comment.line.number-sign'],
    ]);
    expect(scopesOf('expect: "/a # \\" b" empty, Bob-2 waits for Zoë')).toEqual([
      ['expect', 'keyword.control'],
      [':', 'punctuation.separator'],
      ['"/a # \\" b"', 'string.quoted.double'],
      ['empty', 'keyword.other'],
      [',', 'punctuation.separator'],
      ['Bob-2', 'variable.other'],
      ['waits', 'keyword.other'],
      ['for', 'keyword.other'],
      ['Zoë', 'variable.other'],
    ]);
    expect(scopesOf('cluster: My (old) one # x')).toEqual([
      ['cluster', 'entity.name.tag'],
      [':', 'punctuation.separator'],
      ['My (old) one', 'string.unquoted'],
      ['# x', 'comment.line.number-sign'],
    ]);
    expect(scopesOf('attach S to identifier host:1')).toContainEqual(['host:1', 'string.unquoted']);
    expect(scopesOf('repeat 2 {').at(-1)).toEqual(['{', 'punctuation.section.block']);
  });

  it('take no time on lines that are made to take long', () => {
    const started = performance.now();
    for (const text of ['"\\'.repeat(5_000), 'a:'.repeat(5_000), '/#'.repeat(5_000), ' '.repeat(10_000)])
      scopesOf(text);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('the manifest', () => {
  it('contributes the language that the code asks for, and its grammar', () => {
    expect(contributes.languages.map(({ id, extensions }) => [id, extensions])).toEqual([
      [scenarioLanguage, ['.zklock']],
    ]);
    expect(contributes.grammars).toMatchObject([{ language: scenarioLanguage, scopeName: grammar.scopeName }]);
    expect(Object.keys(contributes.configurationDefaults)).toEqual([`[${scenarioLanguage}]`]);
    const files = [contributes.languages[0]!.configuration, ...Object.values(contributes.languages[0]!.icon)];
    for (const file of files) expect(readFileSync(join(repositoryRoot, file), 'utf8')).not.toBe('');
  });

  it('knows blocks by their braces', () => {
    const { indentationRules, wordPattern } = read('language-configuration.json') as {
      indentationRules: Record<string, string>;
      wordPattern: { pattern: string; flags: string };
    };
    const opens = new RegExp(indentationRules['increaseIndentPattern']!);
    expect(['repeat 2 {', 'parallel {  # both'].every(line => opens.test(line))).toBe(true);
    expect(['# repeat {', 'repeat 2 { A: release }', 'A: acquire mutex "/{'].some(line => opens.test(line))).toBe(
      false,
    );
    expect('A: x/curator-latch'.match(new RegExp(wordPattern.pattern, `g${wordPattern.flags}`))).toEqual([
      'A',
      'x',
      'curator-latch',
    ]);
  });
});

it('every word of the language has an explanation', () => {
  const words = [
    ...headerWords,
    ...stepWords,
    ...actionWords,
    ...recipeWords,
    ...claimWords,
    'reply of',
    'as',
    'within',
  ];
  for (const word of words) expect(wordExplanation(word)?.text, word).toBeTruthy();
});
