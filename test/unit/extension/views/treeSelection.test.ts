import { beforeEach, expect, it } from 'vitest';
import { TreeSelection } from '../../../../src/extension/views/treeSelection.ts';

interface Event {
  readonly selection: readonly string[];
}

let listeners: ((event: Event) => void)[];
/** What VS Code knows of the selected rows now. */
let known: string[];
let selection: TreeSelection<string>;

function select(...rows: string[]): void {
  known = rows;
  for (const listener of listeners) listener({ selection: rows });
}

beforeEach(() => {
  listeners = [];
  known = [];
  selection = new TreeSelection<string>({
    get selection() {
      return known;
    },
    onDidChangeSelection: listener => {
      listeners.push(listener);
      return { dispose: () => listeners.splice(listeners.indexOf(listener), 1) };
    },
  });
});

it('a row that is drawn again stays selected, though VS Code does not know it until it has asked for the rows', () => {
  select('holder', 'waiter');
  known = [];
  expect(selection.row).toBe('holder');
});

it('none is selected at first, and after the last one is no longer', () => {
  expect(selection.row).toBeUndefined();
  select('holder');
  select();
  expect(selection.row).toBeUndefined();
});

it('a row that took the place of the selected one is selected', () => {
  select('holder');
  known = ['holder, drawn again'];
  expect(selection.row).toBe('holder, drawn again');
});

it('lets go of the view', () => {
  selection.dispose();
  expect(listeners).toEqual([]);
});
