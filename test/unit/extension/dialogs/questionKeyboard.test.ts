import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { askChoice, askText } from '../../../../src/extension/dialogs/quickInput.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { eventually } from '../../../support/eventually.ts';
import { commands } from '../fakeVscode.ts';
import { onScreen, playInputs, type Shown } from './scriptedInput.ts';

let shown: Shown[];
/** Calls to the window that it has not answered yet. */
let calls: (() => void)[];
let calling: { dispose(): void };

beforeEach(() => {
  shown = playInputs(Array.from({ length: 10 }, () => 'none'));
  calls = [];
  calling = commands.registerCommand('setContext', () => new Promise<void>(resolve => void calls.push(resolve)));
});

afterEach(() => {
  calling.dispose();
});

it('a question is shown again as long as the window may have hidden it because it lost the keyboard', async () => {
  const cancelled = expect(askText({ title: 'Path', value: '/a', prompt: '' })).rejects.toThrow(CancelledError);
  await eventually(() => expect(shown).toHaveLength(1));
  const [input] = onScreen;
  expect(input?.ignoreFocusOut).toBe(false);
  let answeredSinceIt = 0;
  for (let times = 2; calls.length > 0; times++) {
    input?.fire('hide');
    await eventually(() => expect(shown).toHaveLength(times));
    if (input?.ignoreFocusOut === true) answeredSinceIt++;
    calls.shift()?.();
    await setImmediate();
  }
  // The window knows that it hides the question no more when it has answered a call that came later.
  expect(answeredSinceIt).toBeGreaterThan(0);
  const { length } = shown;
  input?.fire('hide');
  await cancelled;
  expect(shown).toHaveLength(length);
});

it('a list that is shown again has its choices', async () => {
  const choices = ['a', 'b'].map(label => ({ label, description: '', value: label }));
  const question = askChoice({ title: 'Which', placeholder: '', choices, active: 'b' });
  const cancelled = expect(question).rejects.toThrow(CancelledError);
  await eventually(() => expect(shown).toHaveLength(1));
  const [input] = onScreen;
  // The window empties the list, and takes the choice from it.
  input!.activeItems = [];
  input!.fire('hide');
  await eventually(() => expect(shown).toHaveLength(2));
  expect(shown.map(({ labels }) => labels)).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  while (calls.length > 0) {
    calls.shift()?.();
    await setImmediate();
  }
  input!.fire('hide');
  await cancelled;
});
