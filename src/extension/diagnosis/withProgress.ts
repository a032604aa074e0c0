import * as vscode from 'vscode';

/** A notification with a cancel button while something takes its time. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(abort.signal, message => progress.report({ message }));
    } finally {
      subscription.dispose();
    }
  });
}
