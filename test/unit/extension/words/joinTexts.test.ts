import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listed, sentences } from '../../../../src/extension/words/language.ts';
import { l10n } from '../fakeVscode.ts';

const english = l10n.t.bind(l10n);
const bundle = readFileSync(new URL('../../../../l10n/bundle.l10n.zh-cn.json', import.meta.url), 'utf8');

function speakChinese(): void {
  const texts = new Map(Object.entries(JSON.parse(bundle) as Record<string, string>));
  vi.spyOn(l10n, 't').mockImplementation((message, ...values) => english(texts.get(message) ?? message, ...values));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('texts are joined as the language does it', () => {
  it('in English', () => {
    expect(sentences('It failed.', '', 'Try again.')).toBe('It failed. Try again.');
    expect(listed(['name', 'servers', 'log-in'])).toBe('name, servers, log-in');
  });

  it('in Chinese', () => {
    speakChinese();
    expect(sentences('已取消。', '', '请重试。', '')).toBe('已取消。请重试。');
    expect(listed(['名称', '服务器'])).toBe('名称，服务器');
  });

  it('and nothing is nothing', () => {
    expect(sentences('', '')).toBe('');
    expect(listed([])).toBe('');
  });

  it('what is put in is not looked at again', () => {
    expect(sentences('{1} $& {0}.', 'b.')).toBe('{1} $& {0}. b.');
  });
});
