import * as vscode from 'vscode';
import { callLater } from '../../base/timer.ts';

/** What is done sooner needs no notification, which would only flash. */
const showAfterMs = 400;

/** A notification with a cancel button while something takes its time. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const shown: { report: (message: string) => void } = { report: () => undefined };
  const outcome = work(abort.signal, message => shown.report(message));
  const settled = outcome.then(
    () => undefined,
    () => undefined,
  );
  const timer = callLater(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (progress, token) => {
      shown.report = message => progress.report({ message });
      const subscription = token.onCancellationRequested(() => abort.abort());
      await settled;
      subscription.dispose();
    });
  }, showAfterMs);
  try {
    return await outcome;
  } finally {
    timer.dispose();
  }
}
