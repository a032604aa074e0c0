import { describe, expect, it } from 'vitest';
import { fileNamePart } from '../../../../src/base/fileNamePart.ts';
import { indentedJson } from '../../../../src/base/indentedJson.ts';
import { nodeText } from '../../../../src/extension/panel/nodeDocument.ts';
import { contentPolicy, pageShell } from '../../../../src/extension/panel/pageShell.ts';
import { panelStatus } from '../../../../src/extension/panel/panelStatus.ts';
import type { Stat } from '../../../../src/zookeeper/client.ts';

const stat: Stat = {
  czxid: 7n,
  mzxid: 8n,
  pzxid: 9n,
  ctime: 0,
  mtime: 1_000,
  version: 1,
  cversion: 2,
  aversion: 3,
  ephemeralOwner: 0x10n,
  dataLength: 0,
  numChildren: 4,
};

function textOf(data: string | Uint8Array, expected = 7n): string {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const acl = [{ scheme: 'world', id: 'anyone\u202E', permissions: 'r' }];
  return nodeText({ path: '/locks/a', stat, data: bytes, acl }, 'orders', expected);
}

describe('the page before its script', () => {
  const parts = { script: 'S', style: 'C', source: 'https://here', nonce: 'abc', language: 'en' };

  it('may load its script and its style sheet, and nothing else', () => {
    expect(contentPolicy(parts)).toBe(
      "default-src 'none'; script-src 'nonce-abc'; style-src https://here; font-src https://here",
    );
  });

  it('has no inline script, style or handler', () => {
    const html = pageShell(parts);
    expect(html).toContain(`content="${contentPolicy(parts)}"`);
    expect(html).not.toMatch(/ style=| on\w+=|<style|unsafe|https?:\/\/(?!here)/);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain('<script nonce="abc" src="S"></script>');
    expect(html.split('\n').length).toBeLessThan(40);
  });
});

describe('a node as a document', () => {
  it('has path, cluster, stat and ACL above its data', () => {
    const lines = textOf('plain\r\ntwo').split('\n');
    expect(lines[0]).toBe('/locks/a');
    for (const line of ['Cluster: orders', 'Owner session: 0x10', '  world:anyone\\u202E r', 'plain', 'two']) {
      expect(lines).toContain(line);
    }
    expect(lines.indexOf('plain')).toBeGreaterThan(lines.indexOf('ACL:'));
  });

  it('shows unseen characters as their codes, tabs as tabs', () => {
    expect(textOf('a\u202Eb\u0007\tcdefghijklm')).toContain('a\\u202Eb\\u0007\tcdefghijklm');
  });

  it('lays out JSON without touching its numbers and members', () => {
    const text = textOf('{"id":12345678901234567890,"n":1.0,"id":[],"list":[1,{"x":"a,{\\"b"}],"o":{}}');
    expect(text).toContain(
      [
        '{',
        '  "id": 12345678901234567890,',
        '  "n": 1.0,',
        '  "id": [],',
        '  "list": [',
        '    1,',
        '    {',
        '      "x": "a,{\\"b"',
        '    }',
        '  ],',
        '  "o": {}',
        '}',
      ].join('\n'),
    );
  });

  it('does not let deep nesting make a huge text of a small one', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(indentedJson(deep, 1_000_000)).toBeUndefined();
    expect(textOf(deep).length).toBeLessThan(300_000);
  });

  it('dumps what is no text, and cuts what is large', () => {
    expect(textOf(Uint8Array.of(0, 0xff, 0x41, 0x7f))).toContain('00000000  00 ff 41 7f');
    const binary = textOf(new Uint8Array(1_000_000).fill(0xfe));
    expect(binary).toContain('The first 65,536 of 1,000,000 bytes');
    expect(binary.length).toBeLessThan(400_000);
    const large = textOf('é'.repeat(500_000));
    expect(large).toContain('The first 524,288 of 1,000,000 bytes');
    expect(large.length).toBeLessThan(300_000);
    expect(textOf(Uint8Array.of(0x61, 0xc3))).toContain('61 c3');
  });

  it('says when it is another node than the one that was asked for, or when it holds nothing', () => {
    expect(textOf('x')).not.toContain('Attention');
    expect(textOf('x', 6n)).toContain('Attention');
    expect(textOf('')).toContain('No data.');
  });
});

it('names a saved file after the lock, never a path', () => {
  expect(fileNamePart('../../etc/passwd')).toBe('etc_passwd');
  expect(fileNamePart('C:\\x|y?\u202E')).toBe('C_x_y');
  expect(fileNamePart('…')).toBe('lock');
  expect(fileNamePart('x'.repeat(500))).toHaveLength(60);
});

it.each([
  [0, false, 'empty'],
  [0, true, 'denied'],
  [2, true, 'live'],
])('%i contenders, a holder that may not be read: %s, is %s', (contenders, isHolderUnknown, state) => {
  const rest = {
    isPaused: false,
    isLive: true,
    isSeveral: false,
    isOverCap: false,
    readError: undefined,
    isGone: false,
  };
  const facts = { ...rest, connection: { kind: 'connected' as const }, lastSeenAt: undefined };
  expect(panelStatus({ ...facts, contenders, isHolderUnknown }).state).toBe(state);
});
