// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TimeIntent } from '../../../src/historyProtocol.ts';
import type { PageMessage, PanelSnapshot } from '../../../src/protocol.ts';
import { exactTime } from '../../../webview/instantText.ts';
import { focused, openPage, press, type OpenPage } from './openPage.ts';
import { recordedSnapshot, timeBarOf } from './recordedSnapshots.ts';
import { queueOf, snapshotOf } from './snapshots.ts';

const time = timeBarOf();
const length = time.to - time.from;
let page: OpenPage;

beforeEach(async () => {
  page = await openPage();
});
afterEach(() => {
  vi.useRealTimers();
  page.close();
});

const asked = (): TimeIntent[] =>
  page.sent.flatMap((message: PageMessage) => (message.type === 'intent' ? [message.intent as TimeIntent] : []));
const moves = (): number[] =>
  asked().flatMap(intent => (intent.kind === 'moveTo' && 'time' in intent.to ? [intent.to.time] : []));
const slider = (): HTMLElement => page.find('[role=slider]');
const button = (text: string): HTMLElement => {
  const found = page.all('.time-bar vscode-button').find(({ textContent }) => textContent.startsWith(`${text}(`));
  if (found === undefined) throw new Error(`There is no button ${text}.`);
  return found;
};
const type = (text: string): void => {
  const field = page.find('.time-field') as HTMLInputElement;
  field.value = text;
  press(field, 'Enter');
};

/** jsdom has no pointers and lays nothing out. */
function point(kind: string, x: number): void {
  const event = new MouseEvent(kind, { bubbles: true, clientX: x, button: 0 });
  slider().dispatchEvent(Object.assign(event, { pointerId: 1 }));
}

describe('the time bar', () => {
  it('is on the page of a recording only', async () => {
    await page.show(snapshotOf(queueOf(2)));
    expect(page.all('.time-bar')).toEqual([]);
    await page.show(recordedSnapshot());
    expect(page.all('.time-bar')).toHaveLength(1);
    expect(page.find('.answer').textContent).toContain(exactTime(time.at).slice(0, -4));
  });

  it('says the moment to screen readers as a full time with its transaction', async () => {
    await page.show(recordedSnapshot());
    const text = slider().getAttribute('aria-valuetext') ?? '';
    expect(text).toContain(exactTime(time.at));
    expect(text).toContain(time.zxid);
    expect(['aria-valuemin', 'aria-valuenow', 'aria-valuemax'].map(name => slider().getAttribute(name))).toEqual(
      [time.from, time.at, time.to].map(String),
    );
    expect(slider().getAttribute('tabindex')).toBe('0');
  });

  it.each<[string, KeyboardEventInit, number]>([
    ['ArrowRight', {}, time.at + length / 200],
    ['ArrowLeft', {}, time.at - length / 200],
    ['ArrowRight', { shiftKey: true }, time.at + 1_000],
    ['PageUp', {}, time.at + length / 10],
    ['PageDown', {}, time.at - length / 10],
    ['Home', {}, time.from],
    ['End', {}, time.to],
  ])('moves by %s %j', async (key, modifiers, expected) => {
    await page.show(recordedSnapshot());
    press(slider(), key, modifiers);
    expect(moves()).toEqual([expected]);
    expect(slider().getAttribute('aria-valuenow')).toBe(String(expected));
  });

  it('leaves other keys alone', async () => {
    await page.show(recordedSnapshot());
    for (const key of ['a', 'Tab', 'Enter']) press(slider(), key);
    press(slider(), 'ArrowRight', { ctrlKey: true });
    expect(moves()).toEqual([]);
  });

  it('asks for at most ten moments a second while it is dragged, and for the last one', async () => {
    await page.show(recordedSnapshot());
    Object.assign(slider(), {
      setPointerCapture: () => undefined,
      getBoundingClientRect: () => ({ left: 100, width: 1_000 }),
    });
    vi.useFakeTimers();
    point('pointerdown', 100);
    for (let x = 101; x <= 600; x++) {
      point('pointermove', x);
      vi.advanceTimersByTime(2);
    }
    point('pointerup', 600);
    vi.advanceTimersByTime(1_000);
    expect(moves().length).toBeGreaterThan(5);
    expect(moves().length).toBeLessThanOrEqual(12);
    expect(moves()[0]).toBe(time.from);
    expect(moves().at(-1)).toBe(time.from + length / 2);
    point('pointermove', 900);
    vi.advanceTimersByTime(1_000);
    expect(moves().at(-1)).toBe(time.from + length / 2);
  });

  it('keeps the thumb where it was put until the answers are there', async () => {
    await page.show(recordedSnapshot());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    press(slider(), 'Home');
    page.receive({ type: 'snapshot', snapshot: recordedSnapshot({ time: timeBarOf({ at: time.at + 1 }) }) });
    expect(slider().getAttribute('aria-valuenow')).toBe(String(time.from));
    vi.advanceTimersByTime(1_000);
    expect(slider().getAttribute('aria-valuenow')).toBe(String(time.at + 1));
  });

  it.each<[string, TimeIntent]>([
    ['time.previousHold', { kind: 'step', what: 'hand-over', direction: -1 }],
    ['time.nextHold', { kind: 'step', what: 'hand-over', direction: 1 }],
    ['time.previousEnd', { kind: 'step', what: 'session end', direction: -1 }],
    ['time.nextEnd', { kind: 'step', what: 'session end', direction: 1 }],
    ['time.follow', { kind: 'follow', isWanted: true }],
    ['time.play', { kind: 'play', speed: 10 }],
  ])('%s asks for it', async (text, intent) => {
    await page.show(recordedSnapshot());
    button(text).click();
    expect(asked()).toEqual([intent]);
  });

  it('plays at the speed that was chosen, also while it plays, and stops', async () => {
    await page.show(recordedSnapshot());
    const speed = page.find('.time-choice') as HTMLSelectElement;
    const choose = (value: string): void => {
      speed.value = value;
      speed.dispatchEvent(new Event('change'));
    };
    choose('1000');
    expect(asked()).toEqual([]);
    button('time.play').click();
    await page.show(recordedSnapshot({ time: timeBarOf({ speed: 1_000 }) }));
    choose('1');
    button('time.pause').click();
    expect(asked()).toEqual([{ kind: 'play', speed: 1_000 }, { kind: 'play', speed: 1 }, { kind: 'pause' }]);
  });

  it('goes to what is typed: a time of the same day, or a transaction', async () => {
    await page.show(recordedSnapshot());
    const wanted = exactTime(time.at - 60_000);
    type(wanted.slice(11));
    type('0x1A00000001');
    expect(asked()).toEqual([
      { kind: 'moveTo', to: { time: time.at - 60_000 } },
      { kind: 'moveTo', to: { zxid: '0x1a00000001' } },
    ]);
  });

  it('says what can be typed where it reads nothing', async () => {
    await page.show(recordedSnapshot());
    type('yesterday');
    expect(asked()).toEqual([]);
    expect(page.find('.outcome').textContent).toContain('time.unreadable(');
  });

  it('says which times nothing is known of, and when the moment is not sure', async () => {
    const gaps = [1, 2, 3, 4, 5].map(at => ({
      from: time.from + at * 1_000,
      to: time.from + at * 1_500,
      why: `why ${at}`,
    }));
    await page.show(recordedSnapshot({ time: timeBarOf({ gaps, isSure: false, sureFrom: time.from + 500 }) }));
    expect(page.all('.time-gap')).toHaveLength(5);
    const words = page.find('.time-bar').textContent;
    for (const text of ['why 1', 'why 3', 'time.moreGaps(2', exactTime(time.from + 500)]) expect(words).toContain(text);
    expect(page.find('.answer').textContent).toContain('answer.unsure(');
  });

  it('does not speak while it plays, and speaks when it stops', async () => {
    await page.show(recordedSnapshot({ time: timeBarOf({ speed: 10 }) }));
    expect(
      page
        .all('[role=status]')
        .map(({ textContent }) => textContent)
        .join(''),
    ).toBe('');
    await page.show(recordedSnapshot());
    expect(
      page
        .all('[role=status]')
        .map(({ textContent }) => textContent)
        .join(''),
    ).toContain('answer.at(');
  });

  it('says no more of an empty queue than the files do', async () => {
    for (const state of ['empty', 'gone'] as const) {
      await page.show(recordedSnapshot({ status: { state } }));
      const sure = page.find('.status-text').textContent;
      await page.show(recordedSnapshot({ status: { state }, time: timeBarOf({ isSure: false }) }));
      expect(page.find('.status-text').textContent).toContain(`answer.unsure(${sure}`);
    }
  });

  it('speaks when the queue is another one while the end is followed, not whenever the end is later', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const spoken = (): string => page.find('[role=status]').textContent;
    const followed = (at: number, isSure = true): PanelSnapshot =>
      recordedSnapshot({ time: timeBarOf({ at, isFollowing: true, isSure }) });
    const show = (snapshot: PanelSnapshot): void => {
      page.receive({ type: 'snapshot', snapshot });
      vi.advanceTimersByTime(10_000);
    };
    show(followed(time.at));
    const first = spoken();
    expect(first).not.toBe('');
    show(followed(time.at + 1_000));
    expect(spoken()).toBe(first);
    const next = followed(time.at + 2_000);
    show({ ...next, answer: { ...next.answer, holders: [] } });
    expect(spoken()).toContain('answer.noHolder(');
    show(followed(time.at + 3_000, false));
    expect(spoken()).toContain('answer.unsure(');
  });

  it('is gone when the recording was closed, and takes no focus along', async () => {
    await page.show(recordedSnapshot());
    const { lock } = recordedSnapshot();
    button('time.play').focus();
    await page.show(recordedSnapshot({ lock: { ...lock, isRemoved: true }, status: { state: 'failed', text: 'x' } }));
    expect(page.find('.time-bar').closest('[hidden]')).not.toBeNull();
    expect(focused()).not.toBe(document.body);
    expect(focused().closest('[hidden]')).toBeNull();
    await page.show(recordedSnapshot());
    expect(page.find('.time-bar').closest('[hidden]')).toBeNull();
  });

  it('keeps the keys of VS Code for moments out of what is typed', async () => {
    await page.show(recordedSnapshot());
    const taken: string[] = [];
    const stop = new AbortController();
    window.addEventListener('keydown', ({ key }) => void taken.push(key), { signal: stop.signal });
    for (const field of page.all('vscode-text-field')) {
      press(field, 'ArrowRight', { shiftKey: true, altKey: true });
      press(field, 'ArrowRight', { altKey: true });
    }
    press(slider(), 'ArrowLeft', { shiftKey: true, altKey: true });
    stop.abort();
    expect(taken).toEqual(['ArrowRight', 'ArrowRight', 'ArrowLeft']);
  });

  it('offers nothing that a recording cannot do', async () => {
    await page.show(recordedSnapshot());
    const shown = page.all('button, vscode-button').filter(tool => tool.closest('[hidden]') === null);
    const texts = shown.map(({ textContent }) => textContent.replace(/\(.*/u, ''));
    for (const text of ['table.findOwners', 'row.forceDelete', 'history.pause', 'history.clear', 'status.reconnect']) {
      expect(texts).not.toContain(text);
    }
    for (const text of ['status.explain', 'status.explainPast', 'history.saveJson', 'row.showData']) {
      expect(texts).toContain(text);
    }
  });
});
