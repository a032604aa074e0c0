import { tmpdir } from 'node:os';

/**
 * A stand-in for VS Code that answers whatever is asked of it with something that can be called, built and asked again: enough
 * for an extension to be activated, when nothing connects and nothing is clicked.
 */
function anything(): unknown {
  const known = new Map<PropertyKey, unknown>();
  // Built with `new`, called and extended by classes: only a function can be all of that.
  const target = function (): void {
    // Does nothing.
  };
  return new Proxy(target, {
    get(_, key) {
      if (key === 'prototype') return target.prototype as unknown;
      if (key === 'then') return undefined;
      if (key === Symbol.iterator) return () => [][Symbol.iterator]();
      if (key === Symbol.toPrimitive) return () => '';
      if (!known.has(key)) known.set(key, anything());
      return known.get(key);
    },
    set: (_, key, value) => {
      known.set(key, value);
      return true;
    },
    apply: () => anything(),
    construct: () => anything() as object,
  });
}

const configuration = {
  get: (_: string, fallback: unknown) => fallback,
  inspect: () => undefined,
  update: () => Promise.resolve(),
};

/** A bundle copies what the module has by name, so that the names must be there. */
const names = [
  ...['commands', 'env', 'l10n', 'languages', 'lm', 'window', 'CancellationError', 'CancellationTokenSource'],
  ...['ConfigurationTarget', 'EventEmitter', 'FileDecoration', 'FileType', 'LanguageModelTextPart'],
  ...['LanguageModelToolResult', 'MarkdownString', 'ProgressLocation', 'QuickInputButtons', 'QuickPickItemKind'],
  ...['RelativePattern', 'StatusBarAlignment', 'TabInputWebview', 'ThemeColor', 'ThemeIcon', 'TreeItem'],
  ...['TreeItemCollapsibleState', 'Uri', 'ViewColumn', 'FileSystemError', 'Disposable', 'tests', 'TestRunProfileKind'],
];

/** The stand-in. No window is restricted, no setting is set, no folder is open. */
export function vscodeStub(): object {
  const inner = anything() as object;
  const workspace = new Proxy(inner, {
    get(target, name) {
      if (name === 'getConfiguration') return () => configuration;
      if (name === 'isTrusted') return true;
      if (name === 'workspaceFolders') return [];
      return Reflect.get(target, name) as unknown;
    },
  });
  return { ...Object.fromEntries(names.map(name => [name, anything()])), workspace };
}

/** What VS Code passes to `activate`. */
export function contextStub(): { subscriptions: { dispose?(): void }[] } {
  return new Proxy(anything() as { subscriptions: [] }, {
    get(target, key) {
      if (key === 'subscriptions') return [];
      // Nothing is written there before a command runs.
      if (key === 'globalStorageUri') return { fsPath: tmpdir() };
      return Reflect.get(target, key) as unknown;
    },
  });
}
