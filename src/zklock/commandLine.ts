import { parseArgs } from 'node:util';
import { FactError } from '../base/factError.ts';
import { nearestOf } from '../scenario/lineReader.ts';

const connectionOptions = {
  'auth-file': 'string',
  tls: 'boolean',
  'tls-ca': 'string',
  'tls-cert': 'string',
  'tls-key': 'string',
  'tls-server-name': 'string',
} as const;

/** The options of each command, and how many arguments it takes. */
const commands = {
  run: {
    options: { cluster: 'string', junit: 'string', json: 'boolean', ...connectionOptions },
    least: 1,
    most: Infinity,
    takes: 'files or folders',
  },
  ls: { options: { json: 'boolean', ...connectionOptions }, least: 1, most: 2, takes: 'HOST:PORT and a path' },
  explain: { options: { json: 'boolean', ...connectionOptions }, least: 2, most: 2, takes: 'HOST:PORT and a path' },
  history: { options: { json: 'boolean' }, least: 1, most: 2, takes: 'a folder and a path' },
} as const satisfies Record<
  string,
  { options: Record<string, 'string' | 'boolean'>; least: number; most: number; takes: string }
>;

export type CommandName = keyof typeof commands;

type OptionName = keyof (typeof commands)['run']['options'];

/** What was asked for on the command line. */
export type CommandLine =
  | { readonly kind: 'help'; readonly command?: CommandName }
  | { readonly kind: 'version' }
  | { readonly kind: 'command'; readonly command: CommandName; readonly options: Options; readonly rest: string[] };

/** Values by the name of the option; '' for those that take none. */
export type Options = Readonly<Partial<Record<OptionName, string>>>;

/** The command line, or a file that it names, cannot be used. The message is a sentence for the person, and repeats no secret. */
export class UsageError extends FactError {
  constructor(sentence: string) {
    super('UsageError', sentence);
  }
}

/** Reads the command line. @param args without the program's own name @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const [first, ...others] = args;
  if (first === undefined || ['help', '--help', '-h'].includes(first)) {
    const about = commandNames.find(name => name === others[0]);
    return { kind: 'help', ...(about === undefined ? {} : { command: about }) };
  }
  if (first === '--version') return { kind: 'version' };
  const command = commandNames.find(name => name === first);
  if (command === undefined) {
    // An argument at the wrong place may be a secret.
    const what = /^[a-z-]{1,20}$/u.test(first) ? `${first} is no command.` : 'The first argument is no command.';
    throw new UsageError(`${what} ${meant(first, commandNames) ?? `Commands: ${commandNames.join(', ')}.`}`);
  }
  return readCommand(command, others);
}

const commandNames = Object.keys(commands) as CommandName[];

function readCommand(command: CommandName, args: string[]): CommandLine {
  const { options: known, least, most, takes } = commands[command];
  const types = new Map<string, 'string' | 'boolean'>(Object.entries(known));
  const options: Record<string, string> = {};
  const rest: string[] = [];
  const config = Object.fromEntries([...types].map(([name, type]) => [name, { type }]));
  const { tokens } = parseArgs({ args, options: config, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help' || token.name === 'h') return { kind: 'help', command };
    options[token.name] = optionValue(token, types, options);
  }
  if (rest.length < least) throw new UsageError(`zklock ${command} takes ${takes}. zklock ${command} --help`);
  if (rest.length > most) throw new UsageError(`zklock ${command} takes ${takes}, and nothing more.`);
  return { kind: 'command', command, options, rest };
}

type OptionToken = Extract<NonNullable<ReturnType<typeof parseArgs>['tokens']>[number], { kind: 'option' }>;

/** @throws UsageError */
function optionValue(
  { name, rawName, value, inlineValue }: OptionToken,
  types: ReadonlyMap<string, 'string' | 'boolean'>,
  before: Readonly<Record<string, string>>,
): string {
  const type = types.get(name);
  if (type === undefined) {
    const names = [...types.keys()].map(each => `--${each}`);
    throw new UsageError(`There is no option ${rawName}. ${meant(rawName, names) ?? `Options: ${names.join(', ')}.`}`);
  }
  if (Object.hasOwn(before, name)) throw new UsageError(`${rawName} is given twice.`);
  if (type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return '';
  }
  if (value === undefined || value === '' || (!inlineValue && value.startsWith('-'))) {
    throw new UsageError(`${rawName} needs a value.`);
  }
  return value;
}

function meant(found: string, words: readonly string[]): string | undefined {
  const { nearest } = nearestOf(
    found,
    words.map(word => ({ word })),
  );
  return nearest === undefined ? undefined : `Did you mean ${nearest}?`;
}
