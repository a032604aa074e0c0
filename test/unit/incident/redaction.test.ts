import { describe, expect, it, vi } from 'vitest';
import { momentEntries } from '../../../src/app/incidents/incidentEntries.ts';
import { atOnce } from '../../../src/base/interruptible.ts';
import { Redactor } from '../../../src/incident/redactor.ts';
import { textsIn } from '../../../src/incident/redactedData.ts';
import { Tokens } from '../../../src/incident/tokens.ts';
import type { ChildNode, LockDirectory } from '../../../src/locks/lockDirectory.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type * as recognition from '../../../src/locks/recognition/recognise.ts';
import { directory } from '../locks/directory.ts';
import { testEveryLayout } from '../locks/everyLayout.ts';
import { formatEntry } from '../../../src/journal/entryText.ts';
import { moment, readingOf } from './incidentUnderTest.ts';

/** Every directory that the tests of recognition recognise: all layouts that are known. */
const recognised = vi.hoisted((): LockDirectory[] => []);

vi.mock(import('../../../src/locks/recognition/recognise.ts'), async load => {
  const original = await load();
  const recogniseQueues: typeof recognition.recogniseQueues = (of, unread) => {
    recognised.push(of);
    return original.recogniseQueues(of, unread);
  };
  return { ...original, recogniseQueues };
});

/** All but texts that say who. */
function shape(queues: readonly LockQueue[]): object[] {
  return queues
    .map(({ dialect, maxLeases, contenders, hazards, strangers }) => {
      const places = new Map(contenders.map(({ name }, at) => [name, at]));
      return {
        dialect,
        maxLeases,
        strangers: strangers.length,
        hazards: hazards.map(({ kind, names }) => [kind, names.length]),
        contenders: contenders.map(({ kind, role, sequence, czxid, ownerSession, waitsFor, leaseEndsAt, ...rest }) => ({
          kind,
          role,
          sequence,
          czxid,
          ownerSession,
          waitsFor: waitsFor === undefined ? undefined : (places.get(waitsFor) ?? 'other'),
          leaseEndsAt,
          mayHold: rest.mayHold,
          isUnread: rest.isUnread,
        })),
      };
    })
    .map(each => JSON.stringify(each, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
    .sort()
    .map(text => JSON.parse(text) as object);
}

function redacted(of: LockDirectory, names: boolean): LockDirectory {
  const redactor = new Redactor(names);
  atOnce(redactor.learning(of));
  atOnce(redactor.keepingPaths([of]));
  return atOnce(redactor.redacting(of));
}

describe('every layout', async () => {
  await testEveryLayout();
  const { recogniseQueues } = await vi.importActual<typeof recognition>('../../../src/locks/recognition/recognise.ts');

  it.each([
    ['without who', false],
    ['without who and the names in paths', true],
  ])('is recognised %s as from the nodes themselves', (_, names) => {
    const all = recognised.slice();
    expect(all.length).toBeGreaterThan(150);
    for (const of of all) {
      const after = redacted(of, names);
      const label = `${of.path} ${of.children.map(({ name }) => name).join(' ')}`.slice(0, 300);
      expect(shape(recogniseQueues(after)), label).toEqual(shape(recogniseQueues(of)));
    }
  });

  it('has nothing of the data left', () => {
    for (const of of recognised.slice()) {
      const { self, children, further } = redacted(of, false);
      const nodes = (all: LockDirectory): ChildNode[] => [
        all.self,
        ...all.children,
        ...[...all.further.values()].flat(),
      ];
      const left = nodes({ ...of, self, children, further }).map(node => Buffer.from(node.data).toString());
      const text = [...new Set(left)].join('\n');
      const secrets = new Set(nodes(of).flatMap(node => textsIn(node.data)));
      // Short ones and numbers may stand in tokens.
      const telling = [...secrets].filter(each => each.length > 3 && !/^(?:READ:|WRITE:)?[\d{}]*$/.test(each));
      expect(telling.filter(each => text.includes(each))).toEqual([]);
    }
  });
});

describe('names', () => {
  const rows: [string, string, string, RegExp][] = [
    ['a host in front of the letter', '/locks/a', 'host-1-R-0000000001', /^id-[0-9a-f]{12}-R-0000000001$/],
    ['an address', '/locks/a', '10.0.0.7-lock-0000000001', /^id-[0-9a-f]{12}-lock-0000000001$/],
    ['an id of a latch', '/e', 'latch-worker.example-0000000001', /^latch-id-[0-9a-f]{12}-0000000001$/],
    [
      'a node of a search engine',
      '/overseer_elect/election',
      '7-10.1.1.1:8983_solr-n_0000000001',
      /^7-id-[0-9a-f]{12}-n_0000000001$/,
    ],
  ];
  it.each(rows)('with %s have a token there', (_, path, name, expected) => {
    const [child] = redacted(directory(path, [name]), false).children;
    expect(child?.name).toMatch(expected);
    expect(child?.path).toBe(`${path}/${child?.name ?? ''}`);
  });

  it('keep what a library needs', () => {
    const name = '_c_1a2b3c4d-0001-4000-8000-00000000000a-lock-0000000001';
    const [child] = redacted(directory('/locks/a', [{ name, data: 'lock' }]), false).children;
    expect(child?.name).toBe(name);
  });
});

describe('tokens', () => {
  it('are the same in one file and others in the next', () => {
    const [one, other] = [new Tokens(), new Tokens()];
    expect(one.of('host-1')).toBe(one.of('host-1'));
    expect(one.of('host-1')).not.toBe(one.of('host-2'));
    expect(one.of('host-1')).not.toBe(other.of('host-1'));
    expect(one.ofAddress('10.0.0.7:4711')).toBe(`${one.of('10.0.0.7')}:4711`);
    expect(one.ofAddress('[::1]:4711')).toBe(`${one.of('::1')}:4711`);
  });

  it('have the form that libraries read', () => {
    const tokens = new Tokens();
    expect(tokens.of('1a2b3c4d-0001-4000-8000-00000000000a')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(tokens.of('f'.repeat(32))).toMatch(/^[0-9a-f]{32}$/);
    expect(tokens.of('4711')).toMatch(/^\d{6}$/);
    expect(tokens.of('')).toBe('');
    // Not that of a sequence number.
    for (let at = 0; at < 100; at++) expect(tokens.of(`host-${String(at)}`)).toMatch(/^id-[0-9a-f]{11}[a-f]$/);
  });
});

it('the entries of a past have nothing left of who and where', () => {
  const of = directory('/locks/a', [
    { name: 'app7.example-W-0000000001', data: 'app7.example', owner: 7n },
    { name: 'R-0000000002', data: '{"host":"app8.example","ip":"10.9.8.7"}', owner: 8n },
  ]);
  const session = { id: 7n, address: '10.9.8.6:4711', host: 'app7.example', process: 'java 123 payments' };
  const entries = [...momentEntries([readingOf(of)], moment, [{ type: 'session', session }])];
  const [first] = of.children;
  entries.push({ type: 'gone', at: moment, path: first?.path ?? '', czxid: first?.czxid ?? 0n });
  const redactor = new Redactor(false);
  for (const entry of entries) redactor.learnEntry(entry);
  const text = entries.map(entry => formatEntry(redactor.entry(entry))).join('\n');
  const data = [...text.matchAll(/"data":"([^"]*)"/g)].map(([, each = '']) => Buffer.from(each, 'base64').toString());
  for (const secret of ['app7', 'app8', '10.9.8', 'payments']) expect(text + data.join('\n')).not.toContain(secret);
  expect(text.match(/id-[0-9a-f]{12}-W-0000000001/g)?.length).toBe(2);
  expect(redactor.text('Cluster of app7.example, 10.9.8.6')).toMatch(/^Cluster of id-\w+, id-\w+$/);
});
