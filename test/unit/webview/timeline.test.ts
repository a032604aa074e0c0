// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { History, Hold } from '../../../src/historyProtocol.ts';
import type { PanelStatus } from '../../../src/protocol.ts';
import { openPage, type OpenPage } from './openPage.ts';
import { emptyHistory, noon, queueOf, snapshotOf } from './snapshots.ts';
import { WideBox } from './wideBox.ts';

const day = 86_400_000;
let page: OpenPage;

beforeEach(async () => {
  vi.stubGlobal('ResizeObserver', WideBox);
  page = await openPage();
});
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

async function show(history: Partial<History>, status: PanelStatus = { state: 'live' }): Promise<void> {
  await page.show(snapshotOf(queueOf(1), { history: emptyHistory(history), status }));
}

function hold(change: Partial<Hold> = {}): Hold {
  return { name: 'a', who: 'A', kind: 'exclusive', from: noon - 55_000, isFromBefore: false, ...change };
}

/** The texts of the timeline that can be seen, by their keys. */
function notes(): string[] {
  const shown = page.all('.timeline > p, .charts > p').filter(note => note.closest('[hidden]') === null);
  return shown.map(note => note.textContent);
}

function saysOneOf(key: string): boolean {
  return notes().some(note => note.includes(`${key}(`));
}

const lost: PanelStatus = { state: 'disconnected', text: '' };

describe('the timeline', () => {
  it.each<PanelStatus>([{ state: 'denied', text: '' }, { state: 'failed', text: '' }, lost])(
    'does not speak of holders where nothing was ever seen: %j',
    async status => {
      await show({ unwatched: [{ from: noon - 60_000 }] }, status);
      expect(saysOneOf('history.empty')).toBe(false);
      expect(saysOneOf('history.unseen')).toBe(true);
      expect(page.find('.charts').hidden).toBe(true);
    },
  );

  it('shows a gap where the lock was seen free', async () => {
    await show({ lengths: [{ at: noon - 60_000, contenders: 0 }] }, { state: 'empty' });
    expect(saysOneOf('history.empty')).toBe(true);
    expect(saysOneOf('history.unseen')).toBe(false);
    expect(page.find('.charts').hidden).toBe(false);
  });

  it('shows neither where a holder was seen', async () => {
    await show({ lengths: [{ at: noon - 60_000, contenders: 1 }], holds: [hold()] });
    expect(saysOneOf('history.empty') || saysOneOf('history.unseen')).toBe(false);
  });

  it('does not show an open hold for a time that was not watched', async () => {
    const seen = { lengths: [{ at: noon - 60_000, contenders: 1 }], holds: [hold()] };
    await show(seen);
    const label = (): string => page.find('.bar').getAttribute('aria-label') ?? '';
    expect(label()).toContain('history.barOpen(');
    await show({ ...seen, unwatched: [{ from: noon - 50_000 }] }, lost);
    expect(label()).not.toContain('history.barOpen(');
    expect(label()).toContain('history.barLastSeen(');
  });

  it('hatches what was not watched in both charts', async () => {
    await show({ lengths: [{ at: noon - 60_000, contenders: 1 }], unwatched: [{ from: noon - 40_000, until: noon }] });
    expect(page.all('.chart').map(chart => chart.querySelectorAll('.unwatched').length)).toEqual([1, 1]);
  });

  it('says how many holds there was no room for, if there are any', async () => {
    const lengths = [{ at: noon - 60_000, contenders: 20 }];
    const holds = Array.from({ length: 20 }, (_, index) => hold({ name: `n${index}`, kind: 'lease' }));
    await show({ lengths, holds, leftOut: 100 });
    expect(page.all('.bar').length).toBeLessThan(20);
    expect(notes()).toContain(`history.hidden(${120 - page.all('.bar').length},{1},{2},{3})`);
    await show({ lengths, holds: holds.slice(0, 3) });
    expect(saysOneOf('history.hidden')).toBe(false);
  });

  it('shows the date of what was not today', async () => {
    const ended = hold({ from: noon - 2 * day, until: noon - day });
    await show(
      { openedAt: noon - 30 * day, lengths: [{ at: noon - 30 * day, contenders: 1 }], holds: [ended] },
      { ...lost, lastContact: noon - 2 * day },
    );
    const label = page.find('.bar').getAttribute('aria-label');
    for (const text of [label, notes()[0], page.find('.answer').textContent]) expect(text).toContain('2026');
    const ticks = [...document.querySelectorAll('.tick text')].map(tick => tick.textContent);
    expect(new Set(ticks).size).toBe(ticks.length);
  });
});
