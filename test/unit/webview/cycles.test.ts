// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import type { Cycle, CycleStep } from '../../../src/protocol.ts';
import { focused, openPage, press, type OpenPage } from './openPage.ts';
import { queueOf, snapshotOf } from './snapshots.ts';

let page: OpenPage | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

function step(lock: string, fields: Partial<CycleStep> = {}): CycleStep {
  return { name: `node-${lock}`, czxid: '7', who: `has-${lock}`, lock, isHolder: true, isHere: false, ...fields };
}

function cycle(level: Cycle['level'], steps: CycleStep[], folded = 0): Cycle {
  return { level, steps, folded };
}

async function show(...cycles: Cycle[]): Promise<OpenPage> {
  page ??= await openPage();
  await page.show(snapshotOf(queueOf(2), { cycles }));
  return page;
}

describe('a deadlock in the lock panel', () => {
  it('is not there without one', async () => {
    expect((await show()).find('.cycles').hidden).toBe(true);
  });

  it('shows who has which lock and waits for which, all around', async () => {
    const shown = await show(cycle('lasting', [step('/l/a', { isHere: true }), step('/l/b', { isHolder: false })]));
    expect(shown.find('.cycles h2').textContent).toContain('cycle.lasting');
    expect(shown.find('.cycle').className).toContain('is-lasting');
    const labels = shown.all('.cycle-box').map(box => box.getAttribute('aria-label'));
    expect(labels[0]).toMatch(/^cycle\.step\(has-\/l\/a,cycle\.holds\(\/l\/a,.*cycle\.here.*,\/l\/b,/);
    expect(labels[1]).toMatch(/^cycle\.step\(has-\/l\/b,cycle\.waitsAhead\(\/l\/b,.*,\/l\/a,/);
    expect(shown.all('.cycle-box').map(box => box.getAttribute('aria-current'))).toEqual(['true', null]);
  });

  it('is only possible until it has lasted, and keeps its boxes when it does', async () => {
    const steps = [step('/l/a'), step('/l/b')];
    const shown = await show(cycle('possible', steps));
    expect(shown.find('.cycles h2').textContent).toContain('cycle.possible');
    expect(shown.find('.cycle').className).not.toContain('is-lasting');
    const boxes = shown.all('.cycle-box');
    await show(cycle('lasting', steps));
    expect(shown.all('.cycle-box')).toEqual(boxes);
    expect(shown.find('.cycle').className).not.toContain('is-possible');
  });

  it('leads to the lock of each box, by keys as well', async () => {
    const shown = await show(cycle('lasting', [step('/l/a'), step('/l/b')]));
    const [first, second] = shown.all('.cycle-box');
    expect([first, second].map(box => box?.getAttribute('tabindex'))).toEqual(['0', '-1']);
    first?.focus();
    press(focused(), 'ArrowRight');
    expect(focused()).toBe(second);
    (focused() as HTMLElement).click();
    expect(shown.sent.at(-1)).toEqual({
      type: 'intent',
      intent: { kind: 'showLock', name: 'node-/l/b', czxid: '7' },
    });
  });

  it('says how many locks are left out, and draws several cycles', async () => {
    const shown = await show(
      cycle('lasting', [step('/l/a'), step('/l/b')], 4),
      cycle('possible', [step('/l/a'), step('/l/c')]),
    );
    expect(shown.all('.cycle')).toHaveLength(2);
    expect(shown.all('.cycle .note').map(note => note.textContent)).toEqual(['cycle.folded(4,{1},{2},{3})']);
  });

  it('makes no elements of hostile names', async () => {
    const hostile = '<img src=x onerror="globalThis.hacked=1">{0}__proto__';
    const shown = await show(cycle('lasting', [step(hostile), step('__proto__')]));
    expect(shown.all('.cycle-who').map(who => who.textContent)).toEqual([`has-${hostile}`, 'has-__proto__']);
    expect(document.querySelector('img')).toBeNull();
  });

  it('goes with the queue when the lock is gone', async () => {
    const shown = await show(cycle('lasting', [step('/l/a'), step('/l/b')]));
    await shown.show({ ...snapshotOf([], { cycles: [cycle('lasting', [step('/l/a')])] }), status: { state: 'gone' } });
    expect(shown.find('.cycles').hidden).toBe(true);
  });
});
