import { describe, expect, it } from 'vitest';
import { type AcquireDraft, requestOf } from '../../../../src/app/testLocks/acquireDraft.ts';
import { autoReleaseStep, dialectStep, waitStep } from '../../../../src/extension/dialogs/acquireQuestions.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { runSeries, type SeriesStep } from '../../../../src/extension/dialogs/questionSeries.ts';
import { clusterNode, profileNamed } from '../fixtures.ts';
import { onScreen, playInputs, type Action, type Shown } from './scriptedInput.ts';
import { draftFor } from '../../app/testLocks/testLockFixtures.ts';

const first: SeriesStep<AcquireDraft> = { ask: () => Promise.resolve(false) };

/** Answers the questions about time, which come after another one, as a person does. */
async function answer(actions: readonly Action[], draft = draftFor()): Promise<{ draft: AcquireDraft; seen: Shown[] }> {
  const seen = playInputs(actions);
  await runSeries([first, waitStep, autoReleaseStep(() => 60_000)], draft);
  return { draft, seen };
}

describe('the questions about time', () => {
  it('take the defaults by mere Enter', async () => {
    const { draft } = await answer(['enter', 'enter']);
    expect(draft).toMatchObject({ timeoutMs: 60_000, autoReleaseMs: 60_000 });
  });

  it('repeat a typed wait when the person comes back to it', async () => {
    const { draft, seen } = await answer([{ pick: 'Other' }, { type: '90' }, 'back', 'enter', 'enter']);
    expect(draft.timeoutMs).toBe(90_000);
    expect(seen[3]?.labels).toEqual([
      'Try once',
      'Wait up to 10 s',
      'Wait up to 1 min',
      'Wait without limit',
      'Wait up to 90 s',
      'Other…',
    ]);
  });

  it('repeat a typed time of release', async () => {
    const actions: Action[] = ['enter', { pick: 'Other' }, { type: '2 h' }];
    const { draft } = await answer(actions);
    const again = await answer(['enter', 'back', 'enter', 'enter'], draft);
    expect(again.draft.autoReleaseMs).toBe(7_200_000);
    expect(again.seen[1]?.labels).toEqual(['After 10 s', 'After 1 min', 'After 5 min', 'After 2 h', 'Other…', 'Never']);
  });

  it('repeat Never, which the request then has as no limit', async () => {
    const { draft } = await answer(['enter', { pick: 'Never' }]);
    const again = await answer(['enter', 'enter'], draft);
    expect(requestOf(again.draft, { node: clusterNode() }, 'host').autoReleaseMs).toBeUndefined();
  });

  it('fall back to the default where Never is not offered', async () => {
    const profile = profileNamed('orders', { environment: 'production' });
    const browser = { node: clusterNode({ profile }) } as unknown as AcquireDraft['browser'];
    const { draft } = await answer(['enter', 'enter'], draftFor({ autoReleaseMs: 'never', browser }));
    expect(draft.autoReleaseMs).toBe(60_000);
  });
});

describe('the inputs of a series', () => {
  it('stay on screen until the next one is there, since the keyboard would go elsewhere, and none is left', async () => {
    const { seen } = await answer(['enter', 'back', 'enter', 'enter']);
    expect(seen.map(({ replacesOther }) => replacesOther)).toEqual([false, true, true, true]);
    expect(onScreen.size).toBe(0);
    await expect(answer(['enter', 'escape'])).rejects.toThrow(CancelledError);
    expect(onScreen.size).toBe(0);
  });
});

describe('the question for the naming scheme', () => {
  async function asked(fields: Partial<AcquireDraft>): Promise<string | undefined> {
    const seen = playInputs(['enter']);
    await runSeries([dialectStep], draftFor(fields));
    return seen[0]?.placeholder;
  }

  it('says whether something uses the path, where that was looked at', async () => {
    expect(await asked({})).toContain('The path is not in use now');
    expect(await asked({ inUse: ['curator'] })).toContain('in use there');
    expect(await asked({ recipe: 'several', paths: ['/locks/a', '/locks/b'] })).toBe('Which naming scheme?');
  });
});
