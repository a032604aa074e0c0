import { l10n } from 'vscode';

/** What is said of every deadlock: a session is one client, and a client may have several threads. */
export function deadlockCaveat(): string {
  return l10n.t(
    'Threads cannot be seen: where a program holds the one and waits for the other in different threads, this may end by itself.',
  );
}
