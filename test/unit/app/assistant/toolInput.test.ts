import { describe, expect, it } from 'vitest';
import { longestInputs, readInput, shortInput } from '../../../../src/app/assistant/toolInput.ts';

const megabyte = 'x'.repeat(1_000_000);

describe('the input of a tool', () => {
  it('is taken with its defaults', () => {
    expect(readInput('listLocks', {})).toEqual({ kind: 'listLocks', filter: '', limit: 50 });
    expect(readInput('listLocks', { cluster: 'c', filter: 'a', limit: 7 })).toEqual({
      kind: 'listLocks',
      cluster: 'c',
      filter: 'a',
      limit: 7,
    });
    expect(readInput('findBlockers', { limit: 10_000 })).toEqual({ kind: 'findBlockers', limit: 50 });
    expect(readInput('explainLock', { path: '/a/b' })).toEqual({ kind: 'explainLock', path: '/a/b' });
    expect(readInput('showSession', { session: ' 0X1F ' })).toEqual({ kind: 'showSession', session: 0x1fn });
  });

  it('may name what it leaves out null or nothing, and has fields that are not asked for', () => {
    const input = { cluster: null, path: '/a', lockName: '', kind: 'listLocks', __proto__: null, more: megabyte };
    expect(readInput('explainLock', input)).toEqual({ kind: 'explainLock', path: '/a' });
  });

  it.each([
    ['listLocks', undefined, ['not-an-object']],
    ['listLocks', null, ['not-an-object']],
    ['listLocks', megabyte, ['not-an-object']],
    ['listLocks', [], ['not-an-object']],
    ['listLocks', { cluster: megabyte }, ['too-long cluster']],
    ['listLocks', { filter: megabyte, limit: 'many' }, ['too-long filter', 'not-usable limit']],
    ['listLocks', { limit: 0 }, ['not-usable limit']],
    ['listLocks', { limit: 1.5 }, ['not-usable limit']],
    ['listLocks', { limit: NaN }, ['not-usable limit']],
    ['listLocks', { cluster: {} }, ['not-usable cluster']],
    ['explainLock', {}, ['missing path']],
    ['explainLock', { path: megabyte }, ['too-long path']],
    ['explainLock', { path: 'a' }, ['not-usable path']],
    ['explainLock', { path: '/a/../b' }, ['not-usable path']],
    ['explainLock', { path: 7 }, ['not-usable path']],
    ['showSession', {}, ['missing session']],
    ['showSession', { session: '0x0' }, ['not-usable session']],
    ['showSession', { session: 'mine' }, ['not-usable session']],
    ['showSession', { session: 17 }, ['not-usable session']],
    ['showSession', { session: megabyte }, ['too-long session']],
  ] as const)('is refused: %s %#', (kind, input, expected) => {
    const faults = readInput(kind, input);
    expect(Array.isArray(faults)).toBe(true);
    const texts = (faults as { kind: string; field?: string }[]).map(fault =>
      `${fault.kind} ${fault.field ?? ''}`.trim(),
    );
    expect(texts).toEqual(expected);
  });

  it('is shortened for the log, and never walked into', () => {
    const deep: Record<string, unknown> = {};
    deep['path'] = deep;
    expect(shortInput('explainLock', { ...deep, cluster: megabyte, more: 1 })).toEqual([
      ['cluster', `${'x'.repeat(79)}…`],
      ['path', 'object'],
    ]);
    expect(shortInput('listLocks', undefined)).toEqual([]);
    expect(longestInputs.session).toBeGreaterThan('-9223372036854775808'.length);
  });
});
