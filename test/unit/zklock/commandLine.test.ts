import { describe, expect, it } from 'vitest';
import { readCommandLine, UsageError } from '../../../src/zklock/commandLine.ts';
import { helpText } from '../../../src/zklock/help.ts';

function refusal(...args: string[]): string {
  try {
    readCommandLine(args);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  throw new Error('It was not refused.');
}

describe('the command line', () => {
  it('has options before, between and behind the arguments', () => {
    const args = ['run', '--cluster', 'host:1/a', 'x.zklock', '--junit=r.xml', '--', '--odd.zklock'];
    expect(readCommandLine(args)).toEqual({
      kind: 'command',
      command: 'run',
      options: { cluster: 'host:1/a', junit: 'r.xml' },
      rest: ['x.zklock', '--odd.zklock'],
    });
    expect(readCommandLine(['ls', 'host:1', '--json'])).toMatchObject({ options: { json: '' }, rest: ['host:1'] });
  });

  it.each([
    [[], { kind: 'help' }],
    [['--help'], { kind: 'help' }],
    [['help', 'ls'], { kind: 'help', command: 'ls' }],
    [['run', 'x', '--help'], { kind: 'help', command: 'run' }],
    [['explain', '-h'], { kind: 'help', command: 'explain' }],
    [['--version'], { kind: 'version' }],
  ])('%j', (args, expected) => {
    expect(readCommandLine(args)).toEqual(expected);
  });

  it.each([
    [['runn', 'x'], 'runn is no command. Did you mean run?'],
    [['digest:alice:secret'], 'The first argument is no command. Commands: run, ls, explain, history.'],
    [['run', 'x', '--clutser', 'y'], 'There is no option --clutser. Did you mean --cluster?'],
    [['history', 'x', '--tls'], 'There is no option --tls. Options: --json.'],
    [
      ['ls', 'x', '-j'],
      'There is no option -j. Options: --json, --auth-file, --tls, --tls-ca, --tls-cert, --tls-key, --tls-server-name.',
    ],
    [['run', 'x', '--junit'], '--junit needs a value.'],
    [['run', 'x', '--junit', '--json'], '--junit needs a value.'],
    [['run', 'x', '--cluster='], '--cluster needs a value.'],
    [['run', 'x', '--json=yes'], '--json takes no value.'],
    [['run', 'x', '--junit', 'a', '--junit', 'b'], '--junit is given twice.'],
    [['run'], 'zklock run takes files or folders. zklock run --help'],
    [['explain', 'host:1'], 'zklock explain takes HOST:PORT and a path. zklock explain --help'],
    [['history', 'a', '/b', 'secret'], 'zklock history takes a folder and a path, and nothing more.'],
  ])('%j is refused in a sentence', (args, sentence) => {
    expect(refusal(...args)).toBe(sentence);
  });

  it('is explained, with every option and exit code', () => {
    for (const option of ['--cluster', '--junit', '--json', '--auth-file', '--tls', '--tls-server-name']) {
      expect(helpText('run')).toContain(option);
    }
    expect(helpText('run')).toContain('It WRITES to the cluster');
    for (const command of ['ls', 'explain', 'history'] as const) {
      expect(helpText(command).replaceAll(/\s+/g, ' ')).toContain('only reads');
      expect(helpText()).toContain(`zklock ${command} `);
    }
    for (const command of ['run', 'ls', 'explain', 'history'] as const) {
      expect(helpText(command)).toContain('Exit code: 0');
      expect(
        Math.max(
          ...helpText(command)
            .split('\n')
            .map(({ length }) => length),
        ),
      ).toBeLessThanOrEqual(120);
    }
  });
});
