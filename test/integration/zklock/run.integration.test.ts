import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startTestServer } from '../../support/testServer.ts';
import { readXml, useZklock } from '../../support/zklockProgram.ts';

const samples = fileURLToPath(new URL('../../../samples', import.meta.url));
const zklock = useZklock();
const realm = useTestRealm();

async function scenario(name: string, lines: readonly string[]): Promise<string> {
  const file = join(zklock.folder, name);
  await writeFile(file, lines.join('\n'));
  return file;
}

/** Everything a terminal might obey, but for line breaks. */
const controls = /[^\P{Cc}\n]|\p{Cf}/u;

describe('a run that passes', () => {
  it('plays the samples on a sandbox', async () => {
    const { code, out, err } = await zklock.run(['run', samples]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^11 files: 11 passed, 0 failed, 0 not played, \d/m);
    expect(out).toContain('expect: A holds, B waits for A');
    expect(out).toMatch(/predecessor {2}19 /);
    expect(out).not.toContain('\u001B');
  });

  it('plays on a cluster, says before what it takes, and leaves nothing', async () => {
    const files = ['01-mutex', '02-two-libraries', '05-deadlock', '06-herd', '08-lost-reply', '10-downgrade'];
    const paths = files.map(name => join(samples, `${name}.zklock`));
    const { code, out, err } = await zklock.run(['run', ...paths, '--cluster', realm.connectString]);
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toMatch(/^6 files: 6 passed/m);
    expect(err).toContain(`Writes to ${realm.connectString}, and removes it at the end: /scenario/orders\n`);
    expect(err).toContain('/scenario/herd/naive, /scenario/herd/predecessor');
    expect(await realm.observer.ls('/')).toEqual([]);
  });

  it('has colours where they are asked for', async () => {
    const file = join(samples, '01-mutex.zklock');
    const { out } = await zklock.run(['run', file], { env: { FORCE_COLOR: '1' } });
    expect(out).toContain('\u001B[32mok');
    const plain = await zklock.run(['run', file], { env: { NO_COLOR: '1' } });
    expect(plain.out).not.toContain('\u001B');
  });
});

describe('a run that fails', () => {
  const failing = [
    'path: /scenario/a',
    'A: acquire mutex',
    'expect: A holds',
    'repeat 2 {',
    '  B: acquire mutex /scenario/b',
    '  expect: A waits, B holds within 100ms',
    '}',
    'expect: empty',
  ];

  it('shows what was expected and what was seen, at its line', async () => {
    const file = await scenario('failing.zklock', failing);
    const { code, out, err } = await zklock.run(['run', file]);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/ {2}ok {8}3 {2}expect: A holds {2}\d/);
    expect(out).toMatch(/ {2}FAILED {4}6 {2}expect: A waits, B holds within 100ms {2}\d/);
    expect(out).toContain('Line 6: this did not come true in time.');
    expect(out).toMatch(/expected: A waits\n\s+seen:\n\s+\/scenario\/a\n\s+A holds\n/);
    expect(out).toMatch(/failed: 1 of 3 expectations true/);
  });

  it('reports it as JUnit XML, one case for each expectation', async () => {
    const [file, good] = [await scenario('failing.zklock', failing), join(samples, '01-mutex.zklock')];
    const report = join(zklock.folder, 'report.xml');
    await zklock.run(['run', file, good, '--junit', report]);
    const root = readXml(report);
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: { tests: '6', failures: '1', errors: '0', skipped: '1' },
    });
    const [suite, other] = [root.children[0]!, root.children[1]!];
    expect(suite.attributes).toMatchObject({ name: file, tests: '3', failures: '1', skipped: '1' });
    expect(other.attributes).toMatchObject({ name: good, tests: '3', failures: '0', skipped: '0' });
    expect(suite.children.map(({ attributes }) => attributes['name'])).toEqual([
      'line 3: expect: A holds',
      'line 6: expect: A waits, B holds within 100ms',
      'line 8: expect: empty',
    ]);
    const [passed, failed, skipped] = [suite.children[0]!, suite.children[1]!, suite.children[2]!];
    expect(passed.children).toEqual([]);
    const [failure] = failed.children;
    expect(failure).toMatchObject({
      name: 'failure',
      attributes: { message: 'Line 6: this did not come true in time.' },
    });
    expect(failure?.text).toMatch(/expected: A waits\nseen:\n {2}\/scenario\/a\n {4}A holds/);
    expect(Number(failed.attributes['time'])).toBeGreaterThanOrEqual(0.1);
    expect(skipped.children[0]?.name).toBe('skipped');
  });

  it('reports it as JSON, and a step that failed as an error', async () => {
    const file = await scenario('late.zklock', ['A: acquire mutex /a', 'A: release', 'A: release', 'expect: empty /a']);
    const report = join(zklock.folder, 'late.xml');
    const { code, out } = await zklock.run(['run', file, '--json', '--junit', report]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      passed: false,
      files: [
        {
          file,
          outcome: 'failed',
          failure: 'Line 3: A neither holds nor waits for this lock.',
          expectations: [{ line: 4, text: 'expect: empty /a', true: false }],
          steps: [{ line: 1, passed: true }, { line: 2 }, { line: 3, text: 'A: release', passed: false }],
          notRemoved: [],
        },
      ],
    });
    const cases = readXml(report).children[0]!.children;
    expect(cases.map(({ children }) => children[0]?.name)).toEqual(['error', 'skipped']);
  });

  it('shows hostile names of a queue as their codes', async () => {
    const hostile = '\u009B31mred\n\u202E<b>&';
    await realm.observer.create('/locks/lock-', { data: hostile, ephemeral: true, sequence: true });
    const file = await scenario('hos\u001Btile.zklock', [
      'path: /locks',
      'A: acquire mutex',
      'expect: A holds within 50ms',
    ]);
    const report = join(zklock.folder, 'hostile.xml');
    const { code, out, err } = await zklock.run(['run', file, '--cluster', realm.connectString, '--junit', report]);
    expect(code).toBe(1);
    expect(out).toContain(String.raw`\u009B31mred\u000A\u202E<b>&`);
    expect(out + err).not.toMatch(controls);
    const [suite] = readXml(report).children;
    expect(suite?.attributes['name']).toContain(String.raw`hos\u001Btile.zklock`);
    expect(suite?.children[0]?.children[0]?.text).toContain(String.raw`\u009B31mred\u000A\u202E<b>&`);
  });
});

describe('a run that cannot be', () => {
  it('names every problem of a file, plays nothing of it, and plays the others', async () => {
    const lines = ['path: /a', 'A: aquire mutex', 'B: release', 'cluster: x', 'C: acquire mutex nowhere'];
    const file = await scenario('bad.zklock', lines);
    const { code, out, err } = await zklock.run(['run', file, join(samples, '01-mutex.zklock')]);
    expect(code).toBe(2);
    expect(err).toContain(`${file}:2:4: error: aquire cannot stand here.`);
    expect(err).toContain('Did you mean acquire?');
    expect(err).toContain(`${file}:3:1: error: B has taken no lock before.`);
    expect(err).toContain(`${file}:4:1: error: cluster must stand before the first step.`);
    expect(err).toContain(`${file}:5:`);
    expect(out).not.toContain(`${file} on`);
    expect(out).toMatch(/^2 files: 1 passed, 0 failed, 1 not played/m);
  });

  it('asks for a cluster where the file names one of an editor', async () => {
    const file = await scenario('named.zklock', ['cluster: staging', 'A: acquire mutex /a', 'expect: A holds']);
    const { code, err } = await zklock.run(['run', file]);
    expect({ code, err }).toEqual({
      code: 2,
      err: `${file}:1:10: error: The cluster staging is one of an editor's window. Pass --cluster HOST:PORT, or --cluster sandbox.\n`,
    });
    expect((await zklock.run(['run', file, '--cluster', 'sandbox'])).code).toBe(0);
  });

  it('says why a cluster cannot be reached, and tries it once', async () => {
    const server = createServer(socket => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const report = join(zklock.folder, 'unreachable.xml');
    try {
      const at = `127.0.0.1:${port}`;
      const { code, out, err } = await zklock.run(['run', samples, '--cluster', at, '--junit', report]);
      expect(code).toBe(3);
      expect(err).toContain(`${samples}/01-mutex.zklock: ${at}:`);
      expect(err).not.toContain('02-two-libraries');
      expect(out).toMatch(/^11 files: 0 passed, 0 failed, 11 not played/m);
      expect(readXml(report).attributes).toMatchObject({ errors: '1', failures: '0' });
    } finally {
      server.close();
    }
  });

  it('says that the chroot is missing', async () => {
    const { code, out, err } = await zklock.run(['run', samples, '--cluster', `${realm.connectString}/typo`]);
    expect(code).toBe(2);
    const sentence = `The path ${realm.chroot}/typo behind HOST:PORT does not exist on the cluster.`;
    expect(err).toContain(`${samples}/01-mutex.zklock: ${sentence}\n`);
    expect(out).toMatch(/^11 files: 0 passed, 0 failed, 11 not played/m);
  });

  it.each([
    [['run', '/nowhere/x.zklock'], '/nowhere/x.zklock: there is no such file.'],
    [['run', samples, '--junt', 'x'], 'There is no option --junt. Did you mean --junit?'],
    [['run', samples, '--junit', '/nowhere/x.xml'], 'The report cannot be written: /nowhere/x.xml (ENOENT).'],
  ])('%j: one sentence', async (args, sentence) => {
    const { code, err } = await zklock.run(args);
    expect({ code, err }).toEqual({ code: 2, err: `zklock: ${sentence}\n` });
  });
});

describe('Ctrl-C', () => {
  const lines = ['path: /scenario/long', 'A: acquire mutex', 'B: acquire mutex', 'wait 1min', 'expect: A holds'];

  it('cancels, removes what was made, and writes the report', async () => {
    const file = await scenario('long.zklock', lines);
    const report = join(zklock.folder, 'long.xml');
    const { child, end } = zklock.start(['run', file, '--cluster', realm.connectString, '--junit', report]);
    await eventually(async () => expect(await realm.observer.ls('/scenario/long')).toHaveLength(2));
    child.kill('SIGINT');
    const { code, out, err } = await end;
    expect(code).toBe(130);
    expect(out).toContain('Cancelled.');
    expect(err).toContain('Cancelling');
    expect(await realm.observer.ls('/')).toEqual([]);
    expect(readXml(report).attributes).toMatchObject({ errors: '1', skipped: '1' });
  });

  it('ends at once when it comes again', async () => {
    const server = await startTestServer();
    try {
      const file = await scenario('long.zklock', lines);
      const { child, end } = zklock.start(['run', file, '--cluster', server.connectString]);
      let out = '';
      child.stdout?.on('data', (text: string) => (out += text));
      await eventually(() => expect(out).toContain('B: acquire mutex'));
      // Nothing answers: the clean-up waits.
      server.pause();
      let err = '';
      child.stderr?.on('data', (text: string) => (err += text));
      child.kill('SIGINT');
      await eventually(() => expect(err).toContain('A second signal ends it'));
      const began = performance.now();
      child.kill('SIGINT');
      expect((await end).code).toBe(130);
      expect(performance.now() - began).toBeLessThan(3_000);
    } finally {
      server.resume();
      await server.stop();
    }
  });
});

it('says in a sentence that Node is too old', async () => {
  const older = join(zklock.folder, 'older.cjs');
  await writeFile(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
     Object.defineProperty(process, 'version', { value: 'v20.20.2' });`,
  );
  const { code, out, err } = await zklock.run(['--version'], { nodeArgs: ['--require', older] });
  expect({ code, out, err }).toEqual({
    code: 2,
    out: '',
    err: 'zklock needs Node 22.15 or newer; this is v20.20.2.\n',
  });
});
