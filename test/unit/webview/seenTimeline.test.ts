// @vitest-environment jsdom
import './jsdomGaps.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { layOutTimeline } from '../../../webview/timelineLayout.ts';
import { causeClasses } from '../../../webview/causes.ts';
import { openPage, type OpenPage } from './openPage.ts';
import { recordedHistory } from './recordedSnapshots.ts';
import { noon, queueOf, snapshotOf } from './snapshots.ts';
import { WideBox } from './wideBox.ts';

const minute = 60_000;
/** What a recorder has seen in the half hour before noon. */
const seen = (change = {}) => recordedHistory(8, { whole: { from: noon - 30 * minute, to: noon }, ...change });

describe('the timeline of a live lock that is recorded', () => {
  let page: OpenPage;
  beforeEach(async () => {
    vi.stubGlobal('ResizeObserver', WideBox);
    page = await openPage();
    await page.show(snapshotOf(queueOf(2), { takenAt: noon, history: seen() }));
  });
  afterEach(() => {
    page.close();
    vi.unstubAllGlobals();
  });

  const tool = (text: string): HTMLElement | undefined =>
    page.all('.timeline vscode-button').find(({ textContent }) => textContent.startsWith(`${text}(`));
  const click = (target: Element | undefined): void =>
    void target?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const views = (): unknown[] => page.sent.flatMap(message => (message.type === 'view' ? [message.view.timeline] : []));

  it('has waits and causes, and is zoomed instead of paused', () => {
    expect(page.all('.bar.is-wait').length).toBeGreaterThan(3);
    expect(page.all('.cause').length).toBeGreaterThan(3);
    for (const text of ['history.pause', 'history.clear']) expect(tool(text)?.hidden).toBe(true);
    for (const text of ['history.zoomIn', 'history.earlier']) expect(tool(text)?.hidden).toBe(false);
  });

  it('zooms around now, which is at its end', () => {
    click(tool('history.zoomIn'));
    expect(views()).toEqual([{ from: noon - 15 * minute, to: noon }]);
  });

  it('shows all about a hold, and has no moment to go to', () => {
    click(page.all('.bar:not(.is-wait)')[4]);
    expect(page.find('.stay').hidden).toBe(false);
    expect(page.sent.filter(({ type }) => type === 'intent')).toEqual([]);
  });
});

it('what is shown up to now goes on with time, another part does not', () => {
  expect(layOutTimeline(seen(), noon + minute, 600).until).toBe(noon + minute);
  const earlier = { from: noon - 30 * minute, to: noon - 20 * minute };
  expect(layOutTimeline(seen({ shown: earlier }), noon + minute, 600).until).toBe(earlier.to);
});

it('two causes in one colour do not put it out', () => {
  expect(causeClasses('session closed')).toEqual(causeClasses('session ended'));
  expect(Object.values(causeClasses('session closed')).filter(isOn => isOn)).toHaveLength(1);
});
