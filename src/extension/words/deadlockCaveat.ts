import { l10n } from 'vscode';

/** What is said of every deadlock: a session is one client, and a client may have several threads. */
export function deadlockCaveat(): string {
  return l10n.t(
    'Threads are not visible: if a program holds one lock and waits for the other in different threads, the deadlock may resolve itself.',
  );
}
