import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { DeadlockMark, MarkSeverity } from '../../app/clusters/marks.ts';
import { colorIds, type ContextValue } from '../platform/contributions.ts';

/** A row ready to be drawn: every text is safe for the screen. */
export interface Row {
  label: string;
  description: string;
  /** `undefined`: computed on hover (`contenderTooltip`, `deniedTooltip`). */
  tooltip: string | undefined;
  /** For a screen reader: the state in words, never by icon or colour alone. */
  accessibleLabel: string;
  icon: string;
  color: string | undefined;
  contextValue: ContextValue;
  /** Whether the row can be expanded. */
  parent: boolean;
  /** Colour of the label: `dimmed` is not current, `production` needs care, the others are in trouble. */
  decoration: 'dimmed' | 'production' | MarkSeverity | undefined;
}

/** A deadlock is not mistaken for a warning about the queue, nor a possible one for one that has lasted. */
export const deadlockLooks: Readonly<Record<DeadlockMark, Pick<Row, 'icon' | 'color'>>> = {
  lasting: { icon: 'arrow-swap', color: colorIds.deadlocked },
  possible: { icon: 'arrow-both', color: colorIds.waiter },
};

const scheme = 'zookeeper-locks-row';

const decorationColors = new Map<string, string>([
  ['/production', colorIds.production],
  ['/stale', colorIds.stale],
  ['/deadlocked', colorIds.deadlocked],
]);

/** The URI that colours a label. It holds the decoration and no foreign text, so rows of one decoration share it. */
export function decorationUri(decoration: NonNullable<Row['decoration']>): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${decoration}` });
}

/** Colours the labels of rows with a decoration. The row's text says the same in words. */
export function registerRowDecorations(): Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration(uri) {
      if (uri.scheme !== scheme) return undefined;
      const color = decorationColors.get(uri.path) ?? 'disabledForeground';
      return new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor(color));
    },
  });
}
