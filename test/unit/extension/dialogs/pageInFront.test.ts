import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askText, valueOf } from '../../../../src/extension/dialogs/quickInput.ts';
import { runSeries, textStep } from '../../../../src/extension/dialogs/questionSeries.ts';
import { ErrorReporter } from '../../../../src/extension/platform/errorReporting.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { shown, TabInputCustom, TabInputText, TabInputWebview, window } from '../fakeVscode.ts';
import { onScreen, playInputs, type Shown } from './scriptedInput.ts';

const { activeTabGroup } = window.tabGroups;
/** VS Code gives a page the keyboard once more this long after the palette has closed, ms. */
const againAfterMs = 50;

/** The inputs that were shown. */
let seen: Shown[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  seen = playInputs(['enter', 'enter']);
  shown.length = 0;
});

afterEach(() => {
  activeTabGroup.activeTab = undefined;
  vi.useRealTimers();
});

const question = { title: 'Path', value: '/a', prompt: '' };

describe('a question over a page', () => {
  it.each<[string, unknown]>([
    ['a panel', new TabInputWebview()],
    ['a report', new TabInputCustom()],
  ])('comes when the keyboard was given to %s again', async (_, input) => {
    activeTabGroup.activeTab = { input };
    const answer = askText(question);
    const chosen = new ErrorReporter(nullLogger).confirm('Delete?', '', 'Delete');
    await vi.advanceTimersByTimeAsync(2 * againAfterMs);
    expect(onScreen.size).toBe(0);
    expect(seen).toEqual([]);
    expect(shown).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * againAfterMs);
    expect(shown).toEqual(['Delete?']);
    expect(valueOf(await answer)).toBe('/a');
    expect(seen).toHaveLength(1);
    expect(await chosen).toBe(false);
  });

  it.each([
    ['a text', { input: new TabInputText() }],
    ['nothing', undefined],
  ])('comes at once over %s', async (_, tab) => {
    activeTabGroup.activeTab = tab;
    const answer = askText(question);
    await Promise.resolve();
    expect(onScreen.size).toBe(1);
    expect(valueOf(await answer)).toBe('/a');
  });

  it('comes at once after another one of its series, which has the keyboard', async () => {
    activeTabGroup.activeTab = { input: new TabInputWebview() };
    const step = textStep<{ title: string }>({ question: () => ({ value: '/a', prompt: '' }), save: () => undefined });
    const answers = runSeries([step, step], { title: 'Path' });
    await vi.advanceTimersByTimeAsync(200);
    await answers;
    expect(onScreen.size).toBe(0);
  });

  it('does not come when the answer is not needed any more', async () => {
    activeTabGroup.activeTab = { input: new TabInputWebview() };
    const abort = new AbortController();
    const answer = expect(askText({ ...question, signal: abort.signal })).rejects.toThrow(CancelledError);
    abort.abort();
    await vi.advanceTimersByTimeAsync(200);
    await answer;
    expect(seen).toEqual([]);
    expect(onScreen.size).toBe(0);
  });
});
