import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestRealm } from '../../support/freshChroot.ts';
import { useZklock } from '../../support/zklockProgram.ts';

const zklock = useZklock();
const realm = useTestRealm();

/** A queue of Curator's mutex: the first of these holds. @returns the nodes */
async function queue(path: string, identifiers: readonly string[]): Promise<string[]> {
  const nodes: string[] = [];
  for (const data of identifiers) {
    const name = `_c_${crypto.randomUUID()}-lock-`;
    nodes.push(await realm.observer.create(`${path}/${name}`, { data, ephemeral: true, sequence: true }));
  }
  return nodes;
}

/** What a terminal might obey, but for line breaks. */
const controls = /[^\P{Cc}\n]|\p{Cf}/u;
const hostile = '\u009B31mred\n\u202E';

describe('zklock ls', () => {
  it('lists the locks with holder and waiters, by path', async () => {
    await queue('/locks/orders', ['alice', 'bob', 'carol']);
    await queue('/locks/invoices', ['dave']);
    const { code, out, err } = await zklock.run(['ls', realm.connectString]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'PATH             LIBRARY  HOLDER  WAITERS',
        '/locks/invoices  Curator  dave    0',
        '/locks/orders    Curator  alice   2',
        '',
      ].join('\n'),
    );
    expect((await zklock.run(['ls', realm.connectString, '/locks/orders'])).out).not.toContain('invoices');
  });

  it('writes JSON', async () => {
    const [node] = await queue('/locks/orders', ['alice', 'bob']);
    const { code, out } = await zklock.run(['ls', realm.connectString, '/', '--json']);
    expect(code).toBe(0);
    const session = `0x${BigInt.asUintN(64, realm.observer.sessionId).toString(16)}`;
    expect(JSON.parse(out)).toEqual({
      cluster: realm.connectString,
      root: '/',
      locks: [
        {
          path: '/locks/orders',
          dialect: 'curator',
          holders: [{ node: node?.split('/').at(-1), identifier: 'alice', session }],
          waiters: 1,
        },
      ],
      denied: [],
      truncated: false,
    });
  });

  it('says that there are none', async () => {
    const { code, out, err } = await zklock.run(['ls', realm.connectString, '/none']);
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: 'There are no locks at or below /none.\n' });
  });

  it.each([['ls'], ['explain', '/a']])('says that the chroot is missing: %s', async (command, ...rest) => {
    const { code, out, err } = await zklock.run([command, `${realm.connectString}/typo`, ...rest]);
    const sentence = `The path ${realm.chroot}/typo behind HOST:PORT does not exist on the cluster.`;
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: `zklock: ${sentence}\n` });
  });

  it('shows hostile names as their codes, and writes them so into JSON', async () => {
    // The servers refuse controls in paths, but not these.
    const path = '/locks/a\u202Eb\u2028';
    await queue(path, [hostile]);
    const [text, json] = await Promise.all([
      zklock.run(['ls', realm.connectString]),
      zklock.run(['ls', realm.connectString, '--json']),
    ]);
    expect(text.out).toContain(String.raw`/locks/a\u202Eb\u2028`);
    expect(text.out + json.out).not.toMatch(controls);
    expect(JSON.parse(json.out)).toMatchObject({
      locks: [{ path, holders: [{ identifier: hostile }] }],
    });
  });
});

describe('zklock explain', () => {
  it('explains one lock in the sentences of the extension', async () => {
    await queue('/locks/orders', ['alice', 'bob']);
    const { code, out, err } = await zklock.run(['explain', realm.connectString, '/locks/orders/']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Held by alice, 1 waiting\n/);
    expect(out).toContain(`Lock /locks/orders on ${realm.connectString}, read at`);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/Head of the queue: alice \[_c_\S+\], exclusive, held \d/);
    expect(out).toMatch(/It goes to: bob/);
  });

  it('writes JSON, harmless and whole', async () => {
    await queue('/locks/orders', [hostile, 'bob']);
    const { code, out } = await zklock.run(['explain', realm.connectString, '/locks/orders', '--json']);
    expect(code).toBe(0);
    expect(out).not.toMatch(controls);
    expect(JSON.parse(out)).toMatchObject([
      {
        path: '/locks/orders',
        dialect: 'curator',
        holders: [{ position: 1, identifier: hostile }],
        waiters: [{ position: 2, identifier: 'bob', kind: 'exclusive' }],
        onRelease: { succession: 'known', next: [expect.stringContaining('-lock-')] },
      },
    ]);
  });

  it('fails where there is no lock', async () => {
    const { code, err } = await zklock.run(['explain', realm.connectString, '/none']);
    expect({ code, err }).toEqual({ code: 1, err: 'There is no lock at /none: no contender stands there.\n' });
  });
});

describe('log-ins', () => {
  const password = 'canary-secret';
  const id = `alice:${createHash('sha1').update(`alice:${password}`).digest('base64')}`;

  /** A lock that only alice may see. */
  async function lockOfAlice(): Promise<void> {
    await queue('/secret/lock', ['bob']);
    await realm.observer.addAuth('digest', `alice:${password}`);
    await realm.observer.setAcl('/secret', [{ scheme: 'digest', id, permissions: 'cdrwa' }]);
  }

  it('come from the environment or a file', async () => {
    await lockOfAlice();
    const refused = await zklock.run(['ls', realm.connectString]);
    expect(refused).toMatchObject({ code: 0, out: '' });
    expect(refused.err).toContain('Not readable, so what lies below is not known: /secret');

    const login = `digest:alice:${password}`;
    const byVariable = await zklock.run(['ls', realm.connectString], { env: { ZKLOCK_AUTH: login } });
    expect(byVariable.out).toContain('/secret/lock');
    const file = join(zklock.folder, 'logins');
    await writeFile(file, `\n${login}\n`);
    const byFile = await zklock.run(['ls', realm.connectString, '--auth-file', file]);
    expect(byFile.out).toContain('/secret/lock');
    for (const { out, err } of [byVariable, byFile]) expect(out + err).not.toContain(password);
  });

  it.each([
    ['a variable of another form', { ZKLOCK_AUTH: password }, [], 'ZKLOCK_AUTH, line 1: write digest:USER:PASSWORD'],
    ['a missing file', {}, ['--auth-file', '/nowhere'], 'The file with the log-ins cannot be read: /nowhere (ENOENT).'],
    ['an argument', {}, [`--auth=digest:alice:${password}`], 'There is no option --auth.'],
    [
      'one argument more',
      {},
      ['/', `digest:alice:${password}`],
      'zklock ls takes HOST:PORT and a path, and nothing more.',
    ],
  ])('are never shown: %s', async (_, env, args, sentence) => {
    const { code, out, err } = await zklock.run(['ls', realm.connectString, ...args], { env });
    expect(code).toBe(2);
    expect(err).toContain(sentence);
    expect(out + err).not.toContain('canary');
  });

  it('are never shown: in a connect string', async () => {
    const { code, out, err } = await zklock.run(['ls', `alice:${password}@127.0.0.1:1`]);
    expect(code).toBe(2);
    expect(err).toContain('ZKLOCK_AUTH');
    expect(out + err).not.toContain('canary');
  });
});
