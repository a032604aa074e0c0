import * as vscode from 'vscode';
import { callLater } from '../../base/timer.ts';

/** Work that ends sooner gets no notification, which would only flash. */
const showAfterMs = 400;

/**
 * Shows a notification with a cancel button while `work` runs, unless it ends at once.
 *
 * @param work gets the signal of the cancel button, and a function that sets the notification's text
 * @param onShown called when the notification appears
 */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
  onShown?: () => void,
): Promise<T> {
  const abort = new AbortController();
  let latest: string | undefined;
  let show = (message: string): void => void (latest = message);
  const outcome = work(abort.signal, message => show(message));
  const settled = outcome.then(
    () => undefined,
    () => undefined,
  );
  const timer = callLater(() => {
    onShown?.();
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (progress, token) => {
      show = message => progress.report({ message });
      if (latest !== undefined) show(latest);
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
