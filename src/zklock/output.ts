import { styleText } from 'node:util';
import type { Paint } from './runText.ts';

const styles = { good: 'green', bad: ['bold', 'red'], quiet: 'dim' } as const;

/** What the program writes. Lines are harmless already. */
export interface Output {
  /** The answer: standard output. */
  line(text: string): void;
  /** Everything else: standard error. */
  note(text: string): void;
  /** For `line`: only on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise. */
  readonly paint: Paint;
}

/** The output of this process. A reader that goes away (`| head`) does not end it: a run must remove what it has made. */
export function processOutput(): Output {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    line: text => void stdout.write(`${text}\n`),
    note: text => void stderr.write(`${text}\n`),
    paint: (style, text) => styleText([styles[style]].flat(), text, { stream: stdout }),
  };
}
