import { expect, it } from 'vitest';
import type { SharedCluster } from '../../../../src/app/profiles/clusterFile.ts';
import type { ChosenRow, ImportRow } from '../../../../src/app/profiles/importPlan.ts';
import { askImportRows } from '../../../../src/extension/dialogs/clusterFileQuestions.ts';
import { eventually } from '../../../support/eventually.ts';
import { profileNamed } from '../fixtures.ts';
import { onScreen, playInputs } from './scriptedInput.ts';

function shared(name: string): SharedCluster {
  return { name, connectString: 'b:2181', environment: 'staging', lockRoots: ['/'] };
}

const orders = shared('Orders');
const first: ChosenRow = { kind: 'add', shared: shared('First'), name: 'First', neighbours: [] };
const added: ChosenRow = { kind: 'add', shared: orders, name: 'Orders (2)', neighbours: [] };
const replaced: ChosenRow = { kind: 'replace', shared: orders, former: profileNamed('Orders'), differing: ['auth'] };
const same: ImportRow = { kind: 'same', shared: shared('Same') };

interface List {
  choice: Promise<readonly ChosenRow[]>;
  /** The window reports what is ticked: after a click, and when it has drawn what the extension asked for. */
  report: (...labels: string[]) => void;
  /** Labels of what is to be ticked. */
  ticked: () => string[];
  accept: () => void;
}

async function openList(...ticked: ChosenRow[]): Promise<List> {
  playInputs(['none']);
  const choice = askImportRows('Import', [first, added, replaced, same], ticked);
  await eventually(() => expect(onScreen.size).toBe(1));
  const [input] = onScreen;
  return {
    choice,
    report: (...labels) => {
      input!.selectedItems = input!.items.filter(({ label }) => labels.includes(label));
      input!.fire('selection', input!.selectedItems);
    },
    ticked: () => input!.selectedItems.map(({ label }) => label),
    accept: () => input!.fire('accept'),
  };
}

it('a row that is ticked before the window has unticked another one does not bring that one back', async () => {
  const { choice, report, ticked, accept } = await openList(first);
  report('First', 'Orders (2)');
  expect(ticked()).toEqual(['First', 'Orders (2)']);
  report('First', 'Orders (2)', 'Orders');
  expect(ticked()).toEqual(['First', 'Orders']);
  report('First', 'Orders (2)', 'Orders', 'Same');
  expect(ticked()).toEqual(['First', 'Orders']);
  report('First', 'Orders');
  expect(ticked()).toEqual(['First', 'Orders']);
  accept();
  expect(await choice).toEqual([first, replaced]);
});

it('a row that was unticked for another one can be ticked again, once the window has drawn that', async () => {
  const { choice, report, ticked, accept } = await openList(added);
  report('Orders (2)', 'Orders');
  report('Orders');
  report('Orders (2)', 'Orders');
  expect(ticked()).toEqual(['Orders (2)']);
  report('Orders (2)');
  accept();
  expect(await choice).toEqual([added]);
});

it('a row that is ticked before the window has unticked another one stays ticked when it does', async () => {
  const { choice, report, ticked, accept } = await openList(added);
  report('Orders (2)', 'Orders');
  report('First', 'Orders (2)', 'Orders');
  expect(ticked()).toEqual(['First', 'Orders']);
  // What was asked for after the first click, then after the second.
  report('Orders');
  report('First', 'Orders');
  accept();
  expect(await choice).toEqual([first, replaced]);
});
