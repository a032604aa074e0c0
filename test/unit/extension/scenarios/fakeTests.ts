import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import * as fake from '../fakeVscode.ts';

/** A test of the fake Test Explorer; `children` in their order. */
export interface FakeItem {
  id: string;
  label: string;
  uri: FakeUri;
  parent: FakeItem | undefined;
  error: string | undefined;
  range: fake.Range | undefined;
  all(): FakeItem[];
}

interface FakeUri {
  scheme: string;
  path: string;
  toString(): string;
}

/** A result that a run has reported. */
export interface Reported {
  state: 'enqueued' | 'started' | 'skipped' | 'passed' | 'failed' | 'errored';
  label: string;
  messages: fake.TestMessage[];
}

export function uriOf(key: string): FakeUri {
  const [scheme = '', path = ''] = key.split(/:(.*)/su);
  return { scheme, path, toString: () => key };
}

function newItem(id: string, label: string, uri: FakeUri): FakeItem {
  let children: FakeItem[] = [];
  const item = {
    ...{ id, label, uri, parent: undefined, error: undefined, range: undefined },
    all: () => children,
    children: {
      replace: (next: FakeItem[]) => {
        children = next;
        for (const child of next) child.parent = item;
      },
    },
  };
  return item;
}

/** One run of the fake Test Explorer. */
export class FakeRun {
  readonly reported: Reported[] = [];
  output = '';
  isEnded = false;
  private readonly cancelled = new Emitter<undefined>(nullLogger);
  readonly token = { onCancellationRequested: (listener: () => void) => this.cancelled.event(listener) };

  cancel(): void {
    this.cancelled.fire(undefined);
  }

  enqueued = (item: FakeItem): void => this.note('enqueued', item);
  started = (item: FakeItem): void => this.note('started', item);
  skipped = (item: FakeItem): void => this.note('skipped', item);
  passed = (item: FakeItem): void => this.note('passed', item);
  failed = (item: FakeItem, messages: fake.TestMessage | fake.TestMessage[]): void =>
    this.note('failed', item, messages);
  errored = (item: FakeItem, messages: fake.TestMessage): void => this.note('errored', item, messages);
  appendOutput = (text: string): void => void (this.output += text);
  end = (): void => void (this.isEnded = true);

  /** The state of each test at the end, files first. */
  get states(): Record<string, string> {
    return Object.fromEntries(this.reported.map(({ label, state }) => [label, state]));
  }

  /** The messages of a test. */
  messagesOf(label: string): fake.TestMessage[] {
    return this.reported.flatMap(one => (one.label === label ? one.messages : []));
  }

  private note(
    state: Reported['state'],
    { label }: FakeItem,
    messages: fake.TestMessage | fake.TestMessage[] = [],
  ): void {
    this.reported.push({ state, label, messages: [messages].flat() });
  }
}

/** The test controller, and a window with documents and files: by their addresses, such as `file:/w/a.zklock`. */
export class FakeWindow {
  readonly runs: FakeRun[] = [];
  readonly items = new Map<string, FakeItem>();
  /** On the disk, in the folder `/w` of the workspace or elsewhere. */
  readonly files = new Map<string, string>();
  private readonly documents = new Map<string, string>();
  private readonly opened = new Emitter<unknown>(nullLogger);
  private readonly closed = new Emitter<unknown>(nullLogger);
  private readonly changed = new Emitter<{ document: unknown }>(nullLogger);
  private readonly saved = new Emitter<unknown>(nullLogger);
  private readonly touched = new Emitter<unknown>(nullLogger);
  /** Before a run is returned: a test may cancel it at its first output. */
  onRun: (run: FakeRun) => void = () => undefined;

  constructor() {
    Object.assign(fake.Uri, { parse: uriOf });
    Object.assign(fake.workspace, {
      isTrusted: true,
      onDidOpenTextDocument: this.opened.event,
      onDidCloseTextDocument: this.closed.event,
      onDidChangeTextDocument: this.changed.event,
      onDidSaveTextDocument: this.saved.event,
      getWorkspaceFolder: ({ scheme, path }: FakeUri) => (scheme === 'file' && path.startsWith('/w/') ? {} : undefined),
      asRelativePath: ({ path }: FakeUri) => path.replace(/^\/w\//u, ''),
      findFiles: () => Promise.resolve([...this.files.keys()].filter(key => key.startsWith('file:/w/')).map(uriOf)),
      createFileSystemWatcher: () => ({
        ...{ onDidCreate: this.touched.event, onDidChange: this.touched.event, onDidDelete: this.touched.event },
        dispose: () => undefined,
      }),
      fs: {
        stat: (uri: FakeUri) => this.read(uri).then(text => ({ size: text.length })),
        readFile: (uri: FakeUri) => this.read(uri).then(text => Buffer.from(text)),
      },
    });
    Object.defineProperty(fake.workspace, 'textDocuments', {
      configurable: true,
      get: () => this.allDocuments(),
    });
  }

  get controller(): vscode.TestController {
    const controller = {
      items: {
        add: (item: FakeItem) => void this.items.set(item.id, item),
        delete: (id: string) => void this.items.delete(id),
      },
      createTestItem: newItem,
      createTestRun: () => {
        const run = new FakeRun();
        this.runs.push(run);
        this.onRun(run);
        return run;
      },
    };
    return controller as unknown as vscode.TestController;
  }

  /** The run that was begun last. */
  get run(): FakeRun {
    const run = this.runs.at(-1);
    if (run === undefined) throw new Error('No run was begun.');
    return run;
  }

  item(label: string): FakeItem {
    const item = [...this.items.values()].find(each => each.label === label);
    if (item === undefined) throw new Error(`There is no test ${label}.`);
    return item;
  }

  open(key: string, text: string): void {
    this.documents.set(key, text);
    this.opened.fire(this.document(key));
  }

  type(key: string, text: string): void {
    this.documents.set(key, text);
    this.changed.fire({ document: this.document(key) });
  }

  save(key: string): void {
    this.files.set(key, this.documents.get(key) ?? '');
    this.saved.fire(this.document(key));
  }

  close(key: string): void {
    const document = this.document(key);
    this.documents.delete(key);
    this.closed.fire(document);
  }

  /** Another program writes or deletes a file. */
  touch(key: string, text: string | undefined): void {
    if (text === undefined) this.files.delete(key);
    else this.files.set(key, text);
    this.touched.fire(uriOf(key));
  }

  private allDocuments(): unknown[] {
    return [...this.documents.keys()].map(key => this.document(key));
  }

  private document(key: string): unknown {
    return { uri: uriOf(key), languageId: 'zklock', getText: () => this.documents.get(key) ?? '' };
  }

  private read(uri: FakeUri): Promise<string> {
    const text = this.files.get(uri.toString());
    return text === undefined ? Promise.reject(new fake.FileSystemError('gone')) : Promise.resolve(text);
  }
}
