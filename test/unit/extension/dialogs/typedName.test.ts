import { expect, it } from 'vitest';
import { askTypedName } from '../../../../src/extension/dialogs/deleteQuestions.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { playInputs } from './scriptedInput.ts';

it.each(['orders', 'a\u202Eb', 'a\\u202Eb', `${'x'.repeat(250)}-0123456789`])(
  'a delete is confirmed by what its question shows: %j',
  async name => {
    const shown = playInputs(['escape']);
    await expect(askTypedName('Delete', name)).rejects.toThrow(CancelledError);
    playInputs([{ type: shown[0]?.placeholder ?? '' }]);
    await askTypedName('Delete', name);
  },
);

it.each(['orders', 'x'.repeat(250)])('what follows is said before it is typed: %.10s', async name => {
  const shown = playInputs(['escape', 'escape']);
  await expect(askTypedName('Run', name, 'run')).rejects.toThrow(CancelledError);
  await expect(askTypedName('Delete', name)).rejects.toThrow(CancelledError);
  expect(shown.map(({ prompt }) => prompt)).toEqual([
    expect.stringMatching(/to run there\. Escape runs nothing\.$/u),
    expect.stringMatching(/to delete\. Escape deletes nothing\.$/u),
  ]);
});
