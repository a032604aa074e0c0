// @vitest-environment jsdom
import './jsdomGaps.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endCauses, waitLanes, type History } from '../../../src/historyProtocol.ts';
import { layOutTimeline, placeOf } from '../../../webview/timelineLayout.ts';
import { panned, zoomed } from '../../../webview/timelineTools.ts';
import { focused, openPage, press, type OpenPage } from './openPage.ts';
import { recordedHistory, recordedHold, recordedSnapshot, timeBarOf } from './recordedSnapshots.ts';
import { noon } from './snapshots.ts';
import { WideBox } from './wideBox.ts';

const minute = 60_000;
const span = { from: noon - 30 * minute, to: noon };
const hostile = '<img src=x onerror="globalThis.hacked=1">{0}__proto__';

describe('the layout of a recording', () => {
  it('goes from the beginning to the end of the part that is shown, and has a place for the instant', () => {
    const layout = layOutTimeline(recordedHistory(9), noon + 5 * minute, 900);
    expect([layout.from, layout.until]).toEqual([span.from, span.to]);
    expect(placeOf(noon - 15 * minute, layout)).toBe(450);
    expect(placeOf(noon + 1, layout)).toBeUndefined();
  });

  it('puts waits into lanes below the holds, as many as there is room for', () => {
    const waits = Array.from({ length: 20 }, (_, index) => recordedHold(index, span.from, noon, { ended: 'released' }));
    const {
      bars,
      waits: drawn,
      hiddenWaits,
      waitsHeading = 0,
      bottom,
    } = layOutTimeline(recordedHistory(3, { waits }), noon, 900);
    expect(drawn).toHaveLength(waitLanes);
    expect(hiddenWaits).toBe(20 - waitLanes);
    const lowest = Math.max(...bars.map(({ y, height }) => y + height));
    expect(waitsHeading).toBeGreaterThanOrEqual(lowest);
    for (const { y, height } of drawn) {
      expect(y).toBeGreaterThan(waitsHeading);
      expect(y + height).toBeLessThanOrEqual(bottom);
    }
  });

  it('cuts what began before or ended after the part that is shown', () => {
    const shown = { from: noon - 20 * minute, to: noon - 10 * minute };
    const holds = [recordedHold(1, span.from, noon - 15 * minute), recordedHold(2, noon - 15 * minute, noon)];
    const { bars } = layOutTimeline(recordedHistory(1, { shown, holds, waits: [] }), noon, 1_000);
    expect(bars.map(({ x, width }) => [x, width])).toEqual([
      [0, 500],
      [500, 500],
    ]);
  });

  it('shows the ends that are no ordinary ones where bars have no room, the more telling first, never over each other', () => {
    const { bars, ends } = layOutTimeline(recordedHistory(300, { waits: [] }), noon, 600);
    expect(bars.some(({ isSigned }) => isSigned)).toBe(false);
    for (const [index, { x }] of ends.entries())
      expect(x - (ends[index - 1]?.x ?? -Infinity)).toBeGreaterThanOrEqual(14);
    expect(ends.map(({ bar }) => bar.hold.ended)).toContain('deleted by another session');
    expect(ends.map(({ bar }) => bar.hold.ended)).not.toContain('released');
    const wide = layOutTimeline(recordedHistory(6), noon, 600);
    expect(wide.ends).toEqual([]);
  });

  it('has ticks within a second, far enough apart for their text', () => {
    const shown = { from: noon - 300, to: noon };
    const { ticks } = layOutTimeline(recordedHistory(1, { shown, holds: [], waits: [] }), noon, 900);
    expect(ticks.length).toBeGreaterThan(2);
    for (const [index, { x }] of ticks.entries()) expect(x - (ticks[index - 1]?.x ?? -Infinity)).toBeGreaterThan(109);
  });

  it('zooms around a moment and moves within the whole', () => {
    expect(zoomed({ from: 0, to: 1_000 }, 0.5, 200)).toEqual({ from: 100, to: 600 });
    expect(zoomed({ from: 100, to: 600 }, 2, 200)).toEqual({ from: 0, to: 1_000 });
    expect(panned({ from: 100, to: 600 }, 0.5, { from: 0, to: 700 })).toEqual({ from: 200, to: 700 });
    expect(panned({ from: 100, to: 600 }, -1, { from: 0, to: 700 })).toEqual({ from: 0, to: 500 });
  });
});

describe('the timeline of a recording', () => {
  let page: OpenPage;
  beforeEach(async () => {
    vi.stubGlobal('ResizeObserver', WideBox);
    page = await openPage();
  });
  afterEach(() => {
    page.close();
    vi.unstubAllGlobals();
  });

  const show = (change: Partial<History> = {}): Promise<void> =>
    page.show(recordedSnapshot({ history: recordedHistory(8, change) }));
  const asked = (): unknown[] => page.sent.flatMap(message => (message.type === 'intent' ? [message.intent] : []));
  const tool = (text: string): HTMLElement | undefined =>
    page.all('.timeline vscode-button').find(({ textContent }) => textContent.startsWith(`${text}(`));
  const click = (target: Element): void => void target.dispatchEvent(new MouseEvent('click', { bubbles: true }));

  it('says of each hold why it ended, by a sign, by a class and in words', async () => {
    await show();
    const bars = page.all('.bar:not(.is-wait)');
    expect(bars).toHaveLength(endCauses.length + 1);
    for (const [index, cause] of endCauses.entries()) {
      const text =
        cause === 'deleted by another session' ? 'cause.deletedBy(session 0x20000000000beef' : `cause.${cause}(`;
      expect(bars[index]?.getAttribute('aria-label')).toContain(text);
      expect(bars[index]?.querySelectorAll('.bar-sign path')).toHaveLength(1);
    }
    const classes = bars.map(bar => /ended-\w+/u.exec(bar.getAttribute('class') ?? '')?.[0]);
    // How exactly a session ended is another sign, in the same colour; the last hold lasts.
    expect(classes.slice(0, -1)).not.toContain(undefined);
    expect(new Set(classes).size).toBe(endCauses.length);
    const legend = page.all('.cause').map(({ textContent }) => textContent);
    expect(legend).toHaveLength(endCauses.length + 1);
    for (const item of page.all('.cause')) expect(item.querySelector('svg path')).not.toBeNull();
  });

  it('goes to the begin of the hold that is clicked, and shows all about it', async () => {
    await show();
    const bar = page.all('.bar:not(.is-wait)')[4]!;
    click(bar);
    expect(asked()).toEqual([{ kind: 'moveTo', to: { zxid: '0x1a00000014' } }]);
    expect(bar.getAttribute('aria-pressed')).toBe('true');
    const details = page.find('.stay').textContent;
    for (const text of ['worker-4.example.org', '0x100004', 'cause.deletedBy(session 0x20000000000beef']) {
      expect(details).toContain(text);
    }
    click(page.find('.stay vscode-button'));
    expect(page.find('.stay').hidden).toBe(true);
    expect(asked()).toHaveLength(1);
  });

  it('gives the focus back to what was chosen when its details are closed', async () => {
    await show();
    const bar = page.all('.bar:not(.is-wait)')[4]!;
    bar.focus();
    press(bar, 'Enter');
    const close = page.find('.stay vscode-button');
    close.focus();
    click(close);
    expect(focused()).toBe(bar);
  });

  it('claims no end that was not seen, and no length', async () => {
    const [from, until] = [noon - 20 * minute, noon - 10 * minute];
    const unseen = { ended: 'unknown', isEndUnseen: true } as const;
    const holds = [
      recordedHold(1, from, until, unseen),
      recordedHold(2, from, until, { ...unseen, isFromBefore: true }),
    ];
    const known = recordedHold(3, from, until);
    await show({ holds: [...holds, known], waits: [...holds, known] });
    const names = page.all('.bar').map(shape => shape.getAttribute('aria-label')?.replace(/^cause\.sentence\(/u, ''));
    expect(names.map(name => name?.replace(/\(.*/u, ''))).toEqual([
      'history.barLastSeen',
      'history.barLastSeenBefore',
      'history.bar',
      'wait.barLastSeen',
      'wait.barLastSeenBefore',
      'wait.bar',
    ]);
    for (const shape of page.all('.bar')) {
      click(shape);
      const isKnown = shape.getAttribute('aria-label')?.includes('.bar(') === true;
      for (const text of ['detail.orLater(', 'detail.orLonger('])
        expect(page.find('.stay').textContent.includes(text)).toBe(!isKnown);
    }
  });

  it('does the same by keyboard, with one stop of the Tab key', async () => {
    await show();
    expect(page.all('.chart [tabindex="0"]')).toHaveLength(1);
    page.all('.bar')[0]?.focus();
    press(focused(), 'ArrowRight');
    press(focused(), 'Enter');
    expect(asked()).toEqual([{ kind: 'moveTo', to: { zxid: '0x1a00000011' } }]);
    expect(page.find('.stay').hidden).toBe(false);
  });

  it('keeps the details of what was chosen when it is no longer in the part that is shown', async () => {
    await show();
    click(page.all('.bar')[2]!);
    await show({ shown: { from: noon - minute, to: noon }, holds: [], waits: [] });
    expect(page.find('.stay').textContent).toContain('worker-2.example.org');
  });

  it('zooms by buttons and by keys, and shows the whole again', async () => {
    await show({ shown: { from: noon - 20 * minute, to: noon - 5 * minute } });
    tool('history.zoomIn')?.click();
    press(page.find('.bar'), '-');
    press(page.find('.bar'), '0');
    tool('history.earlier')?.click();
    const views = page.sent.flatMap(message => (message.type === 'view' ? [message.view.timeline] : []));
    const { at } = timeBarOf();
    expect(views[0]!.to - views[0]!.from).toBe(7.5 * minute);
    expect(views[0]!.from).toBeLessThan(at);
    expect(views[0]!.to).toBeGreaterThan(at);
    expect(views.slice(1)).toEqual([
      { from: span.from, to: noon - 2 * minute },
      { from: span.from, to: noon },
      { from: noon - 27.5 * minute, to: noon - 12.5 * minute },
    ]);
  });

  it('draws the instant where it is, and none where it is not seen', async () => {
    await show();
    const lines = (): (string | null)[] => page.all('.instant').map(line => line.getAttribute('display'));
    expect(lines()).toEqual([null, null]);
    await show({ shown: { from: noon - 2 * minute, to: noon } });
    expect(lines()).toEqual(['none', 'none']);
  });

  it('says what is left out', async () => {
    await show({ leftOut: 1_250, waitsLeftOut: 40 });
    expect(page.find('.timeline').textContent).toContain('history.longest(1,250,40');
  });

  it('makes neither elements nor attributes of hostile names', async () => {
    const fields = { name: hostile, who: hostile, endedBy: hostile };
    const hold = recordedHold(1, span.from, noon - 20 * minute, { ...fields, ended: 'deleted by another session' });
    hold.recorded = { zxid: '0x1', czxid: '1', session: hostile, queued: span.from };
    await show({ holds: [hold], waits: [{ ...hold, ended: 'held' }] });
    click(page.all('.bar')[0]!);
    expect(page.find('.stay').textContent).toContain(hostile);
    expect(page.find('.bar-label').textContent).toBe(hostile);
    expect(document.querySelector('img, [onerror]')).toBeNull();
    expect((globalThis as { hacked?: unknown }).hacked).toBeUndefined();
  });
});
