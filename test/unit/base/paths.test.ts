import { expect, it } from 'vitest';
import { childPath, isAtOrBelow, lastSegment, parentPath } from '../../../src/base/paths.ts';

it.each([
  ['/', 'x', '/x'],
  ['/a', 'x', '/a/x'],
])('child of %j', (directory, name, path) => {
  expect(childPath(directory, name)).toBe(path);
});

it.each([
  ['/', '/anything', true],
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a', '/ab', false],
  ['/a', '/', false],
])('%j contains %j: %s', (root, path, expected) => {
  expect(isAtOrBelow(root, path)).toBe(expected);
});

it.each([
  ['/', '/'],
  ['/a', '/'],
  ['/a/b', '/a'],
  ['/a/b c/d', '/a/b c'],
])('above %s is %s', (path, expected) => {
  expect(parentPath(path)).toBe(expected);
});

it.each([
  ['/', ''],
  ['/a', 'a'],
  ['/a/b c', 'b c'],
])('last segment of %s is %j', (path, expected) => {
  expect(lastSegment(path)).toBe(expected);
});
