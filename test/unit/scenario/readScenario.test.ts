import { describe, expect, it } from 'vitest';
import { isPlayable, readScenario } from '../../../src/scenario/readScenario.ts';
import { formatLine } from '../../../src/scenario/formatScenario.ts';
import { allSteps } from '../../../src/scenario/scenario.ts';
import { samples } from '../../support/scenarioPlays.ts';
import { damaged, problemLines, randomText, withoutSpans } from '../../support/scenarioTexts.ts';
import { seededRandom } from '../../support/seededRandom.ts';

/** Two sessions that have taken something, and the path. */
const before = 'path: /s/orders\nA: acquire mutex\nB: acquire mutex\n';

function lastStep(line: string): unknown {
  const read = readScenario(before + line);
  expect(problemLines(read, before + line)).toEqual([]);
  return withoutSpans(read.scenario.steps.at(-1));
}

const name = (text: string) => ({ text });
const [A, B] = [name('A'), name('B')];

describe('a step', () => {
  it.each<[string, object]>([
    ['C: acquire mutex', { kind: 'acquire', session: name('C'), recipe: { name: 'mutex' }, paths: [] }],
    [
      'A: acquire exclusive /a/b',
      { kind: 'acquire', session: A, recipe: { name: 'exclusive' }, paths: [name('/a/b')] },
    ],
    ['A: acquire read', { kind: 'acquire', session: A, recipe: { name: 'read' }, paths: [] }],
    [
      'A: acquire write as kazoo within 1.5s',
      { kind: 'acquire', session: A, recipe: { name: 'write' }, paths: [], dialect: 'kazoo', timeoutMs: 1_500 },
    ],
    [
      'A: acquire semaphore 3 "/with space"',
      { kind: 'acquire', session: A, recipe: { name: 'semaphore', maxLeases: 3 }, paths: [name('/with space')] },
    ],
    [
      'A: acquire multi /a/b, /a/c within 0ms',
      { kind: 'acquire', session: A, recipe: { name: 'multi' }, paths: [name('/a/b'), name('/a/c')], timeoutMs: 0 },
    ],
    ['A: release', { kind: 'release', session: A }],
    ['A: release read /a/b', { kind: 'release', session: A, recipe: 'read', path: name('/a/b') }],
    ['C: leave as go-zookeeper', { kind: 'leave', session: name('C'), dialect: 'go-zookeeper' }],
    ['A: leave /a/b', { kind: 'leave', session: A, path: name('/a/b') }],
    ['wait 1min', { kind: 'wait', ms: 60_000 }],
    ['expire A', { kind: 'expire', session: A }],
    ['disconnect A', { kind: 'disconnect', session: A }],
    ['reconnect A', { kind: 'reconnect', session: A }],
    ['lose reply of C', { kind: 'lose reply', session: name('C') }],
    ['delete A /s/orders', { kind: 'delete', session: A, path: name('/s/orders') }],
    [
      'attach S to identifier "svc 1"',
      { kind: 'attach', session: name('S'), by: { kind: 'identifier', text: 'svc 1' } },
    ],
    [
      'attach S to address 10.0.0.7:4711 /a/b',
      { kind: 'attach', session: name('S'), by: { kind: 'address', text: '10.0.0.7:4711' }, path: name('/a/b') },
    ],
    ['attach S to dialect kazoo', { kind: 'attach', session: name('S'), by: { kind: 'dialect', dialect: 'kazoo' } }],
    ['herd 20 /a/b', { kind: 'herd', contenders: 20, path: name('/a/b') }],
    ['repeat 3 { wait 1ms }', { kind: 'repeat', times: 3, steps: [{ kind: 'wait', ms: 1 }] }],
    [
      'parallel {\n  A: release\n  B: release }',
      {
        kind: 'parallel',
        times: 1,
        steps: [
          { kind: 'release', session: A },
          { kind: 'release', session: B },
        ],
      },
    ],
  ])('%s', (line, expected) => {
    expect(lastStep(line)).toEqual(expected);
  });
});

describe('a claim', () => {
  it.each<[string, object[]]>([
    ['A holds', [{ kind: 'holds', session: A }]],
    [
      'A waits, B waits for A',
      [
        { kind: 'waits', session: A },
        { kind: 'waits', session: B, blocker: A },
      ],
    ],
    ['/s/orders A holds', [{ kind: 'holds', session: A, path: name('/s/orders') }]],
    ['A holds /s/orders', [{ kind: 'holds', session: A, path: name('/s/orders') }]],
    ['holders A and B', [{ kind: 'holders', sessions: [A, B] }]],
    ['holders A B', [{ kind: 'holders', sessions: [A, B] }]],
    ['waiters B then A', [{ kind: 'waiters', sessions: [B, A] }]],
    [
      'no holders, no waiters',
      [
        { kind: 'holders', sessions: [] },
        { kind: 'waiters', sessions: [] },
      ],
    ],
    ['no deadlock', [{ kind: 'deadlock', sessions: [] }]],
    ['deadlock between A and B', [{ kind: 'deadlock', sessions: [A, B] }]],
    ['/a/b empty, empty', [{ kind: 'empty', path: name('/a/b') }, { kind: 'empty' }]],
    ['A stale, nothing stale', [{ kind: 'stale', session: A }, { kind: 'nothing stale' }]],
    ['tokens grow', [{ kind: 'tokens grow' }]],
    [
      'A times out, A lost',
      [
        { kind: 'times out', session: A },
        { kind: 'lost', session: A },
      ],
    ],
    ['A uncertain', [{ kind: 'uncertain', session: A }]],
    ['woken at most 3', [{ kind: 'woken', compare: 'at most', count: 3 }]],
    ['naive woken at least 9', [{ kind: 'woken', recipe: 'naive', compare: 'at least', count: 9 }]],
    ['predecessor woken at most 1', [{ kind: 'woken', recipe: 'predecessor', compare: 'at most', count: 1 }]],
  ])('%s', (claims, expected) => {
    expect(lastStep(`expect: ${claims}`)).toEqual({ kind: 'expect', claims: expected });
    expect(lastStep(`expect: ${claims} within 5s`)).toEqual({ kind: 'expect', claims: expected, withinMs: 5_000 });
  });
});

describe('the header', () => {
  it('gives cluster, path and limit', () => {
    const { scenario } = readScenario('# first\ncluster: My cluster 2\npath: /a/b\nlimit: 2min\nA: acquire mutex\n');
    expect(withoutSpans({ ...scenario, steps: [] })).toEqual({
      cluster: { text: 'My cluster 2' },
      path: { text: '/a/b' },
      limitMs: 120_000,
      steps: [],
    });
  });

  it('may be missing where each step has its path', () => {
    expect(readScenario('A: acquire mutex /a/b\nexpect: A holds').problems).toEqual([]);
  });
});

describe('a problem', () => {
  it.each<[string, string[]]>([
    ['A: aquire mutex', ['1:4 expected [aquire] (acquire)']],
    ['A: acquire mutx /a/b', ['1:12 expected [mutx] (mutex)']],
    ['A acquire mutex', ['1:3 expected [acquire]']],
    ['A: acquire', ['1:11 expected []']],
    ['A: acquire semaphore /a/b', ['1:22 expected [/a/b]']],
    ['A: acquire semaphore -2 /a/b', ['1:22 number [-2]']],
    ['A: acquire semaphore 0 /a/b', ['1:22 number [0]']],
    ['A: acquire semaphore 1e3 /a/b', ['1:22 expected [1e3]']],
    ['A: acquire semaphore 99999999999 /a/b', ['1:22 number [99999999999]']],
    ['A: acquire multi /a/b', ['1:22 expected []']],
    ['A: acquire multi /a/b, /a/b', ['1:24 twice [/a/b]']],
    ['A: acquire mutex /a/b extra', ['1:23 expected [extra]']],
    ['A: acquire mutex /a/b as curater', ['1:26 expected [curater] (curator)']],
    ['A: acquire mutex /a/b as kazoo-lease', ['1:1 no-recipe [A: acquire mutex /a/b as kazoo-lease]']],
    ['A: acquire exclusive /a/b as curator', ['1:1 no-recipe [A: acquire exclusive /a/b as curator]']],
    ['A: leave /a/b as kazoo-lease', ['1:1 no-recipe [A: leave /a/b as kazoo-lease]']],
    ['A: acquire mutex /a/b within -1s', ['1:30 duration [-1s]']],
    ['A: acquire mutex /a/b within 2', ['1:30 duration [2]']],
    ['A: acquire mutex /a/b within 61min', ['1:30 duration [61min]']],
    ['A: acquire mutex', ['1:1 no-path [A: acquire mutex]']],
    ['A: acquire mutex a/b', ['1:18 expected [a/b]']],
    ['A: acquire mutex /a/../b', ['1:18 path [/a/../b]']],
    ['A: acquire mutex /a//b', ['1:18 path [/a//b]']],
    ['A: acquire mutex /', ['1:18 path [/]']],
    ['A: acquire mutex /a/😀', ['1:18 path [/a/😀]']],
    ['A: acquire mutex /zookeeper/quota', ['1:18 guarded-path [/zookeeper/quota]']],
    ['A: acquire mutex "/a/b', ['1:18 text-not-closed ["/a/b]']],
    ['path: ../x', ['1:7 expected [../x]']],
    ['cluster:', ['1:9 expected []']],
    ['A: acquire mutex /a/b\nexpect: /a/b no deadlock', ['2:9 expected [/a/b]']],
    ['limit: soon', ['1:8 expected [soon]']],
    ['acquire: acquire mutex /a/b', ['1:1 reserved [acquire]']],
    ['B: release', ['1:1 never-opened [B]']],
    ['expire B', ['1:8 never-opened [B]']],
    ['A: leave /a/b\nA: release', ['2:1 nothing-to-release [A]']],
    ['A: acquire mutex /a/b\nexpect: A holds, C waits for A', ['2:18 never-opened [C]']],
    ['A: acquire mutex /a/b\nexpct: A holds', ['2:1 expected [expct] (expect)']],
    ['A: acquire mutex /a/b\nexpect: A hols', ['2:11 expected [hols] (holds)']],
    ['A: acquire mutex /a/b\nexpect: A holds and', ['2:17 expected [and]']],
    ['A: acquire mutex /a/b\nexpect: woken at most -1', ['2:23 number [-1]']],
    ['A: acquire mutex /a/b\nexpect: deadlock between A /a/b', ['2:28 expected [/a/b]']],
    ['A: acquire mutex /a/b\npath: /c/d', ['2:1 header-late [path]']],
    ['path: /a/b\npath: /c/d\nA: acquire mutex', ['2:1 header-twice [path]']],
    ['attach S to identifier x /a/b\nS: release', ['2:1 only-attached [S]']],
    ['attach S to identifier x /a/b\nS: acquire mutex /a/b', ['2:1 only-attached [S]']],
    ['A: acquire mutex /a/b\nattach A to identifier x /a/b', ['2:8 already-open [A]']],
    ['attach S to identifier x /a/b\nexpect: S lost', ['2:9 only-queue [S]']],
    ['parallel {\n  A: acquire mutex /a/b', ['1:1 block-not-closed [parallel {]']],
    ['}', ['1:1 no-block [}]']],
    ['parallel { A: foo }\nA: acquire mutex /a/b', ['1:15 expected [foo]']],
    ['repeat many {\n  A: acquire mutex /a/b\n}', ['1:8 expected [many]']],
    ['herd 1 /a/b', ['1:6 number [1]']],
    ['herd 501 /a/b', ['1:6 number [501]']],
    ['repeat 1000 {\n  repeat 11 {\n    wait 0ms\n  }\n}', ['1:1 too-many-steps [repeat 1000 {]']],
    ['', ['1:1 no-steps []']],
  ])('%s', (text, expected) => {
    expect(
      problemLines(readScenario(text), text).filter(line => !line.includes('no-steps') || expected.includes(line)),
    ).toEqual(expected);
  });

  it('of blocks that are too deep is one, and the braces below still fit', () => {
    const text = `${'parallel {\n'.repeat(9)}A: acquire mutex /a/b\n${'}\n'.repeat(9)}expect: A holds`;
    expect(problemLines(readScenario(text), text)).toEqual(['9:1 too-deep [parallel {]']);
  });

  it('does not hide the rest of the file', () => {
    const text = 'A: acquire mutex /a/b\nnonsense here\nexpect: B holds\nA: release\nexpect: /a/b empty';
    const read = readScenario(text);
    expect(problemLines(read, text)).toEqual(['2:10 expected [here]', '3:9 never-opened [B]']);
    expect(read.scenario.steps).toHaveLength(4);
    expect(isPlayable(read)).toBe(false);
  });

  it('of a file without steps is a warning', () => {
    const read = readScenario('# nothing yet\n');
    expect(read.problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(isPlayable(read)).toBe(true);
  });
});

describe('paths', () => {
  it('of a session are those of its last step that names some', () => {
    const text = 'path: /p/q\nA: acquire mutex\nA: acquire multi /a/b, /a/c\nexpect: A holds, empty, no deadlock';
    const { scenario, paths } = readScenario(text);
    const step = scenario.steps.at(-1);
    const claims = step?.kind === 'expect' ? step.claims : [];
    expect(claims.map(claim => paths.get(claim))).toEqual([['/a/b', '/a/c'], ['/p/q'], undefined]);
  });
});

describe('any text', () => {
  it('gives an answer, and its formatted form means the same and is formatted', () => {
    const random = seededRandom(4_711);
    const all = samples.map(([, text]) => text);
    for (let count = 0; count < 3_000; count++) {
      const text = random.below(2) === 0 ? randomText(random) : damaged(random.pick(all), random);
      const formatted = format(text);
      expect(format(formatted)).toBe(formatted);
      const [one, other] = [readScenario(text), readScenario(formatted)];
      expect(withoutSpans(other.scenario)).toEqual(withoutSpans(one.scenario));
      expect(other.problems.map(({ facts }) => facts)).toEqual(one.problems.map(({ facts }) => facts));
      for (const { span } of allSteps(one.scenario.steps)) expect(span.to).toBeGreaterThanOrEqual(span.from);
    }
  });

  it('of the samples is formatted already', () => {
    for (const [, text] of samples) expect(format(text)).toBe(text);
  });

  /** 1 MB each. Whatever is quadratic takes minutes; the largest takes 0.8 s on an idle machine. */
  it.each<[string, string]>([
    ['nested blocks', 'parallel {\n'],
    ['nested nonsense', 'x {\n'],
    ['nonsense', 'x\n'],
    ['one word', 'x'],
    ['one line', 'x '],
    ['quotes', '"\\'],
    ['comments', '#'],
    ['marks', '}{,:'],
    ['paths', '/a/b, '],
    ['claims', 'A holds, '],
  ])('of 1 MB is read in seconds: %s', (_, piece) => {
    const first = piece.startsWith('/')
      ? 'A: acquire multi '
      : piece.startsWith('A')
        ? 'A: acquire mutex /a\nexpect: '
        : '';
    const text = (first + piece.repeat(1_048_576 / piece.length)).slice(0, 1_048_576);
    const start = performance.now();
    const { problems } = readScenario(text);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(500);
  });

  it('of more than 1 MB is refused', () => {
    expect(readScenario(' '.repeat(1_048_577)).problems[0]?.facts.kind).toBe('too-large');
  });
});

function format(text: string): string {
  let depth = 0;
  const lines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/u)) {
    const formatted = formatLine(line, depth);
    ({ depth } = formatted);
    lines.push(formatted.text);
  }
  return lines.join('\n');
}
