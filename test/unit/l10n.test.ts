import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { halfWidthFaults, translationFaults } from '../../scripts/l10n/compareTexts.ts';
import { languages, sameEverywhere } from '../../scripts/l10n/languages.ts';
import { columnTexts, pageTexts } from '../../src/panelTexts.ts';
import { l10nCalls } from '../support/l10nCalls.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const texts = (path: string) => JSON.parse(read(path)) as Record<string, string>;

const files = globSync('src/**/*.ts', { cwd: fileURLToPath(root) })
  .map(file => file.replaceAll('\\', '/'))
  .sort();
const calls = files.flatMap(file => l10nCalls(file, read(file)).map(call => ({ ...call, at: `${file}:${call.line}` })));
const english = texts('l10n/bundle.l10n.json');
const manifest = texts('package.nls.json');

describe('texts in the code', () => {
  it('are literals, so that they can be extracted', () => {
    const others = calls.filter(({ text }) => text === undefined).map(({ at }) => at.split(':')[0]);
    // These two translate the texts of src/panelTexts.ts; the last one hands on what it is given.
    const passing = ['panel/lockTable.ts', 'panel/panelTexts.ts', 'words/editorLanguage.ts'];
    expect(others).toEqual(passing.map(file => `src/extension/${file}`));
  });

  it('are all in the English bundle, which has no others: npm run l10n', () => {
    const literals = calls.flatMap(({ text }) => text ?? []);
    const used = new Set([...literals, ...Object.values(columnTexts), ...Object.values(pageTexts)]);
    expect([...used].filter(text => !Object.hasOwn(english, text))).toEqual([]);
    expect(Object.keys(english).filter(text => !used.has(text))).toEqual([]);
  });

  it('are English as they stand, in the order of their code units', () => {
    for (const [key, text] of Object.entries(english)) expect(text).toBe(key);
    expect(Object.keys(english)).toEqual(Object.keys(english).sort());
  });

  it('get as many values as they have places for', () => {
    const places = (text: string) => new Set(text.match(/\{\d+\}/gu)).size;
    const literals = calls.filter(({ text }) => text !== undefined);
    expect(literals.filter(({ text, values }) => places(text ?? '') !== values).map(({ at }) => at)).toEqual([]);
  });
});

describe('the manifest', () => {
  it('has a text for each of its keys, and no others', () => {
    const asked = [...read('package.json').matchAll(/"%([^%"]+)%"/gu)].map(([, key]) => key!);
    expect([...new Set(asked)].sort()).toEqual(Object.keys(manifest).sort());
    expect(JSON.parse(read('package.json'))).toHaveProperty('l10n', './l10n');
  });
});

describe.each(languages)('the translation to %s', language => {
  const bundle = texts(`l10n/bundle.l10n.${language}.json`);
  const nls = texts(`package.nls.${language}.json`);

  it('has every text of the code, with its placeholders, icons and links, and no others', () => {
    expect(translationFaults(english, bundle, sameEverywhere)).toEqual([]);
  });

  it('has every text of the manifest, with its links and icons, and no others', () => {
    expect(translationFaults(manifest, nls, sameEverywhere)).toEqual([]);
  });

  it('is in the order of the English bundle', () => {
    expect(Object.keys(bundle)).toEqual(Object.keys(english));
    expect(Object.keys(nls)).toEqual(Object.keys(manifest));
  });
});

describe('Chinese', () => {
  it.each(['l10n/bundle.l10n.zh-cn.json', 'package.nls.zh-cn.json'])('%s has the punctuation of Chinese', path => {
    expect(halfWidthFaults(texts(path))).toEqual([]);
  });
});

describe('the comparison', () => {
  const faultsOf = (source: string, text: string) => translationFaults({ a: source }, { a: text }, ['TLS']);

  it.each([
    ['a placeholder that was lost', '{0} of {1}', '共 {1} 个'],
    ['a placeholder that was doubled', '{0} locks', '{0} 把锁 {0}'],
    ['another command behind a link', '[Add](command:a.add)', '[添加](command:a.remove)'],
    ['an icon that was lost', '$(warning) careful', '注意'],
    ['code that was translated', 'set `digest`', '设置 `摘要`'],
    ['emphasis that was lost', 'by **Force Delete**', '通过强制删除'],
    ['a paragraph that was lost', 'one\ntwo', '一二'],
    ['a text left in English', 'Show Log', 'Show Log'],
    ['an empty text', 'Show Log', ' '],
  ])('finds %s', (_, source, text) => {
    expect(faultsOf(source, text)).toHaveLength(1);
  });

  it('accepts a translation, and abbreviations as they are', () => {
    expect(faultsOf('{0} of {1}, see [log](command:log)', '{1} 中的 {0}，见[日志](command:log)')).toEqual([]);
    expect(faultsOf('TLS', 'TLS')).toEqual([]);
  });

  it('finds keys that are missing or left over', () => {
    expect(translationFaults({ a: 'x' }, { b: '乙' }, [])).toHaveLength(2);
  });

  it.each(['已删除.', '集群: {0}', '连接(TLS)', '要删除吗?'])('finds the half-width punctuation of %s', text => {
    expect(halfWidthFaults({ a: text })).toHaveLength(1);
  });
});

describe('the extraction', () => {
  it('sees what is no literal, and a function that is passed on', () => {
    const source = 'l10n.t(`a ${b}`); l10n.t(name); f(vscode.l10n.t); vscode.l10n.t("a", 1)';
    expect(l10nCalls('a.ts', source).map(({ text }) => text)).toEqual([undefined, undefined, undefined, 'a']);
  });
});
