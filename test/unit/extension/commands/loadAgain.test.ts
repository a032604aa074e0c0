import { afterEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../../../../src/base/disposable.ts';
import { registerBlockers } from '../../../../src/extension/commands/registerBlockers.ts';
import { registerPanels } from '../../../../src/extension/commands/viewCommands.ts';
import { commandIds } from '../../../../src/extension/platform/contributions.ts';

vi.mock('vscode', async () => ({
  ...(await import('../fakeVscode.ts')),
  EventEmitter: class {
    readonly event = (): void => undefined;
    fire(): void {
      throw new Error('Nothing is drawn');
    }
    dispose(): void {
      this.event();
    }
  },
}));
vi.mock('../../../../src/extension/platform/readOnlyTexts.ts', () => ({
  ReadOnlyTexts: class {
    readonly dispose = (): void => undefined;
  },
}));

const owned = new DisposableStore();
const handlers = new Map<string, (argument: unknown) => Promise<unknown>>();
const showMore = vi.fn();
const showQueue = vi.fn();
let loads = 0;

/** The code cannot be loaded the first time. */
function loadLater<T>(code: T): () => Promise<T> {
  let tries = 0;
  return () => {
    loads++;
    return tries++ === 0 ? Promise.reject(new Error('no file')) : Promise.resolve(code);
  };
}

const shared = {
  register: (id: string, run: (argument: unknown) => Promise<unknown>) => {
    handlers.set(id, run);
    return toDisposable(() => undefined);
  },
  targets: { alsoTake: () => undefined },
};

class Rows {
  readonly showMore = showMore;
  dispose(): void {
    this.showMore.mockClear();
  }
}

class Panels {
  readonly showQueue = showQueue;
  dispose(): void {
    this.showQueue.mockClear();
  }
}

class Rankings {
  readonly of = vi.fn();
}

function loadBlockers(): ReturnType<typeof registerBlockers> {
  Object.assign(vscode.window, { createTreeView: () => ({ dispose: () => undefined }) });
  const loadFirst = loadLater({ BlockersView: Rows, ClusterRankings: Rankings });
  const parts = { ...shared, loadFirst } as unknown as Parameters<typeof registerBlockers>[0];
  return owned.add(registerBlockers(parts));
}

afterEach(() => {
  loads = 0;
});

it('the Blockers view is loaded again after that failed, and then once', async () => {
  loadBlockers();
  const run = handlers.get(commandIds.showMoreBlockers)!;
  await expect(run('row')).rejects.toThrow('no file');
  await run('row');
  expect(showMore).toHaveBeenCalledWith('row');
  const before = loads;
  await run('row');
  expect(loads).toBe(before);
});

it('the rankings are loaded again after that failed, and then once', async () => {
  const { rankings } = loadBlockers();
  await expect(rankings()).rejects.toThrow('no file');
  expect(await rankings()).toBe(await rankings());
  expect(loads).toBe(2);
});

it('the panels are loaded again after that failed, and then once', async () => {
  const registration = (): { dispose: () => void } => ({ dispose: () => undefined });
  Object.assign(vscode.window, {
    registerWebviewPanelSerializer: registration,
    registerCustomEditorProvider: registration,
  });
  const parts = { ...shared, load: loadLater({ PanelCommands: Panels }) };
  for (const one of registerPanels(parts as unknown as Parameters<typeof registerPanels>[0])) owned.add(one);
  const run = handlers.get(commandIds.showQueue)!;
  await expect(run('lock')).rejects.toThrow('no file');
  await run('lock');
  await run('lock');
  expect(showQueue).toHaveBeenCalledTimes(2);
  expect(loads).toBe(2);
});
