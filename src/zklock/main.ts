import type { CommandParts } from './command.ts';
import { readCommandLine, type CommandName } from './commandLine.ts';
import { explainCommand } from './explainCommand.ts';
import { exitCodeOf, ExitCode, farewell } from './failure.ts';
import { helpText } from './help.ts';
import { historyCommand } from './historyCommand.ts';
import { lsCommand } from './lsCommand.ts';
import { processOutput, type Output } from './output.ts';
import { runCommand } from './runCommand.ts';

/** Of package.json; scripts/build/zklockBundle.ts puts it in. */
declare const zklockVersion: string;

const commands: Readonly<Record<CommandName, (parts: CommandParts) => Promise<number>>> = {
  run: runCommand,
  ls: lsCommand,
  explain: explainCommand,
  history: historyCommand,
};

/** As shells report a program that a signal has ended. */
const signalCodes = { SIGINT: ExitCode.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;

/** Sockets of a cluster that does not answer may keep the process for longer than their sessions are of use, ms. */
const lingerMs = 2_000;

/** The first signal cancels, and what was made is removed; the second one ends the process at once. */
function cancelOnSignals(output: Output): { readonly signal: AbortSignal; code(): number | undefined } {
  const abort = new AbortController();
  let code: number | undefined;
  for (const [name, ofSignal] of Object.entries(signalCodes)) {
    process.on(name, () => {
      if (code !== undefined) process.exit(ofSignal);
      code = ofSignal;
      output.note('Cancelling, and removing what was made. A second signal ends it at once.');
      abort.abort();
    });
  }
  return { signal: abort.signal, code: () => code };
}

async function zklock(args: readonly string[], output: Output): Promise<number> {
  const interrupt = cancelOnSignals(output);
  try {
    const asked = readCommandLine(args);
    if (asked.kind === 'help') output.line(helpText(asked.command));
    else if (asked.kind === 'version') output.line(zklockVersion);
    else {
      const { command, options, rest } = asked;
      const parts = { options, rest, environment: process.env, signal: interrupt.signal, output };
      const code = await commands[command](parts);
      return interrupt.code() ?? code;
    }
    return args.length === 0 ? ExitCode.unusable : ExitCode.good;
  } catch (error) {
    if (interrupt.code() === undefined) output.note(farewell(error));
    return interrupt.code() ?? exitCodeOf(error);
  }
}

const output = processOutput();
void zklock(process.argv.slice(2), output).then(code => {
  process.exitCode = code;
  setTimeout(() => process.exit(), lingerMs).unref();
});
