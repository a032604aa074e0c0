import { createInterface } from 'node:readline';

/** What a command gets: the fields of its line. */
export type Request = Record<string, unknown>;

export type Commands = Record<string, (request: Request) => Promise<unknown>>;

/** Answers one JSON line per line of standard input, one after the other, and calls `end` when the input ends. */
export async function answerLines(commands: Commands, end: () => Promise<void>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    const reply = await answer(commands, request);
    process.stdout.write(`${JSON.stringify({ id: request['id'], ...reply })}\n`);
  }
  await end();
}

async function answer(commands: Commands, request: Request): Promise<{ ok: unknown } | { error: string }> {
  try {
    const command = commands[String(request['command'])];
    if (command === undefined) throw new Error(`unknown command ${String(request['command'])}`);
    return { ok: await command(request) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
