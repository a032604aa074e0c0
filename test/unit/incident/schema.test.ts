import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { formatEntry } from '../../../src/journal/entryText.ts';
import { linesOf } from '../../../src/incident/writeIncident.ts';
import { draft, header, moment } from './incidentUnderTest.ts';

const schema = JSON.parse(readFileSync('docs/incident-file.schema.json', 'utf8')) as object;
const validate = new Ajv().compile(schema);

function faultsOf(line: string): unknown {
  return validate(JSON.parse(line)) === true ? [] : validate.errors;
}

it('every line of a saved file is of the schema', async () => {
  const types = new Set<unknown>();
  const full = {
    ...header,
    redaction: 'names',
    changing: ['/locks/a'],
    notSearched: ['/x'],
    notRead: ['/locks/u'],
    isSearchCut: true,
  } as const;
  for await (const line of linesOf('x', { ...draft(), header: full })) {
    expect(faultsOf(line), line).toEqual([]);
    types.add((JSON.parse(line) as { type?: unknown }).type);
  }
  expect(types.size).toBe(12);
});

it('every entry of a past is of the schema', () => {
  const at = moment;
  const path = '/locks/a/b';
  const node = { path, czxid: 1n, mzxid: 2n, ctime: 1, mtime: 2, version: 3, owner: -1n, data: Uint8Array.of(1, 250) };
  const entries: JournalEntry[] = [
    { type: 'begin', at, continues: true },
    { type: 'node', at, node },
    { type: 'node', at, node: { ...node, isUnread: true } },
    { type: 'complete', at },
    { type: 'gone', at, path, czxid: 1n },
    { type: 'cause', path, czxid: 1n, ended: 'deleted by another session', endedBy: 7n },
    { type: 'session', session: { id: 7n, host: 'h', process: 'p', timeoutMs: 1, ended: at, how: 'expired' } },
    { type: 'alive', at },
    { type: 'gap', at },
  ];
  for (const entry of entries) expect(faultsOf(formatEntry(entry)), formatEntry(entry)).toEqual([]);
});

it.each([
  '{"type":"weather"}',
  '{"type":"owner","session":"12","alive":"yes"}',
  '{"type":"end"}',
  '{"format":"zkincident","version":"2.0"}',
  '{"type":"contender","name":"a","path":"a","kind":"read","role":"holder"}',
])('%s is not', line => {
  expect(faultsOf(line)).not.toEqual([]);
});
