/**
 * The few things of VS Code that the modules under test use at run time. `settings` and `shown` are what a test sets and
 * looks at; both belong to the fake, not to VS Code.
 */
import type { Location } from './fakeEditor.ts';

export * from './fakeEditor.ts';

export const l10n = {
  t(message: string, ...values: (string | number | boolean)[]): string {
    return message.replaceAll(/\{(\d+)\}/g, (placeholder, index: string) => {
      const value = values[Number(index)];
      return value === undefined ? placeholder : String(value);
    });
  },
};

/** What was copied last. */
export const clipboard = {
  text: '',
  writeText: (text: string) => Promise.resolve(void (clipboard.text = text)),
};

export const env = { language: 'en', clipboard };

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem {
  label: string;
  collapsibleState: number;
  constructor(label: string, collapsibleState: number) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class FileDecoration {
  readonly color: ThemeColor | undefined;
  constructor(_badge?: string, _tooltip?: string, color?: ThemeColor) {
    this.color = color;
  }
}

export class CancellationError extends Error {}

export const Uri = {
  from({ scheme, path }: { scheme: string; path: string }): { scheme: string; path: string } {
    return { scheme, path };
  },
  file(path: string): { scheme: string; path: string } {
    return { scheme: 'file', path };
  },
};

export const QuickInputButtons = { Back: { id: 'back' } } as const;

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;

interface InspectedSetting {
  globalValue?: unknown;
  workspaceValue?: unknown;
}

export const settings = new Map<string, InspectedSetting>();

interface SettingsChange {
  affectsConfiguration: (key: string) => boolean;
}

const settingsListeners = new Set<(change: SettingsChange) => void>();

/** Reports a change as VS Code does, after `settings` was changed. */
export function reportSettingsChange(changed: string): void {
  for (const listener of settingsListeners) listener({ affectsConfiguration: key => key === changed });
}

export const ProgressLocation = { Notification: 15 } as const;

export const workspace = {
  isTrusted: true,
  getConfiguration: () => ({
    inspect: (key: string) => settings.get(key),
    update: (key: string, value: unknown, target: number) => {
      settings.set(key, target === ConfigurationTarget.Global ? { globalValue: value } : { workspaceValue: value });
      return Promise.resolve();
    },
  }),
  onDidChangeConfiguration: (listener: (change: SettingsChange) => void) => {
    settingsListeners.add(listener);
    return { dispose: () => void settingsListeners.delete(listener) };
  },
};

/** Texts given to messages, in order. */
export const shown: string[] = [];

const showMessage = (text: string): Promise<undefined> => {
  shown.push(text);
  return Promise.resolve(undefined);
};

export class TabInputWebview {
  readonly viewType = 'queue';
}

export class TabInputCustom {
  readonly viewType = 'preview';
}

export class TabInputText {
  readonly uri = 'file:///a';
}

export const window = {
  tabGroups: { activeTabGroup: { activeTab: undefined as { input: unknown } | undefined } },
  showErrorMessage: showMessage,
  setStatusBarMessage: (text: string) => void shown.push(text),
  showInformationMessage: showMessage,
  showWarningMessage: showMessage,
  withProgress: (_: unknown, work: () => Promise<unknown>) => work(),
};

type Handler = (...values: unknown[]) => unknown;

const handlers = new Map<string, Handler>();

export const commands = {
  registerCommand(id: string, handler: Handler): { dispose(): void } {
    handlers.set(id, handler);
    return { dispose: () => void handlers.delete(id) };
  },
  executeCommand(id: string, ...values: unknown[]): unknown {
    return handlers.get(id)?.(...values);
  },
};

/** Extensions that are installed, by id. */
export const installed = new Map<string, { id: string; activate(): Promise<unknown> }>();

export const extensions = {
  getExtension: (id: string) => installed.get(id),
};

/** What the Test Explorer takes; test/unit/extension/scenarios/fakeTests.ts has its controller. */
export class TestMessage {
  readonly message: string;
  location: Location | undefined;
  expectedOutput: string | undefined;
  actualOutput: string | undefined;
  constructor(message: string) {
    this.message = message;
  }
}

export class TestRunRequest {
  readonly include: unknown;
  readonly exclude: unknown;
  readonly profile: unknown;
  readonly continuous: boolean | undefined;
  constructor(include?: unknown, exclude?: unknown, profile?: unknown, continuous?: boolean) {
    [this.include, this.exclude, this.profile, this.continuous] = [include, exclude, profile, continuous];
  }
}

export class CodeLens {
  readonly command: { title: string; command: string; arguments?: unknown[] };
  constructor(_range: unknown, command: { title: string; command: string; arguments?: unknown[] }) {
    this.command = command;
  }
}

export class FileSystemError extends Error {
  readonly code = 'FileNotFound';
}
