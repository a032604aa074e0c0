import { checkPath } from '../zookeeper/connectString.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import type { Environment } from './cluster.ts';
import { UsageError, type Options } from './commandLine.ts';
import type { Output } from './output.ts';
import { shown } from './plainText.ts';

/** What a command works with. */
export interface CommandParts {
  readonly options: Options;
  /** The arguments that are no options. */
  readonly rest: readonly string[];
  readonly environment: Environment;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly output: Output;
}

/** A path of a node without a slash at its end. @throws UsageError */
export function checkedPath(text: string): string {
  const path = text.length > 1 ? text.replace(/\/$/u, '') : text;
  try {
    checkPath('read', path);
    return path;
  } catch (error) {
    if (!isZooKeeperError(error, 'BAD_ARGUMENTS')) throw error;
    throw new UsageError(
      `${shown(text)} is no path of a node. It begins with / and has a name between any two of them.`,
    );
  }
}
