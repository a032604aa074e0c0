import * as vscode from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { colorIds } from '../platform/contributions.ts';
import type { Row } from './row.ts';

const scheme = 'zookeeper-locks-row';

/** The way to colour a label. It carries how the row looks and nothing foreign, so rows of one look share it. */
export function decorationUri(decoration: NonNullable<Row['decoration']>): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${decoration}` });
}

const colors = new Map<string, string>([
  ['/production', colorIds.production],
  ['/stale', colorIds.stale],
  ['/deadlocked', colorIds.deadlocked],
]);

/** Colours the labels of rows that are not current or in trouble, and of production clusters. The text says the same in words. */
export function registerRowDecorations(): Disposable {
  const registration = vscode.window.registerFileDecorationProvider({
    provideFileDecoration(uri) {
      if (uri.scheme !== scheme) return undefined;
      const color = colors.get(uri.path) ?? 'disabledForeground';
      return new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor(color));
    },
  });
  return toDisposable(() => void registration.dispose());
}
