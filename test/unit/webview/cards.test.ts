// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused, openPage, press, type OpenPage } from './openPage.ts';
import { nodeName, queueOf, snapshotOf } from './snapshots.ts';

let page: OpenPage;
beforeEach(async () => void (page = await openPage()));
afterEach(() => page.close());

function tools(card: number): HTMLElement[] {
  return [...page.all('.card')[card]!.querySelectorAll<HTMLElement>('button')].filter(tool => !tool.hidden);
}

function tool(card: number, text: string): HTMLElement | undefined {
  return tools(card).find(each => each.textContent.startsWith(text));
}

describe('the cards of the panel', () => {
  it('show who holds and who is next, and do what they offer', async () => {
    await page.show(snapshotOf(queueOf(3)));
    expect(page.all('.card-who').map(who => who.textContent)).toEqual(['worker-1.example.org', 'worker-2.example.org']);
    for (const [text, intent] of [
      ['row.showData', { kind: 'showNodeData' }],
      ['card.copy', { kind: 'copy', part: 'row' }],
      ['row.forceDelete', { kind: 'forceDelete' }],
    ] as const) {
      tool(1, text)?.click();
      expect(page.sent.at(-1)).toMatchObject({ intent: { ...intent, name: nodeName(2) } });
    }
    tool(0, 'table.findOwners')?.click();
    expect(page.sent.at(-1)).toMatchObject({ intent: { kind: 'findOwners' } });
  });

  it('say where the client is once that is known, and whether its session lived', async () => {
    const shown = snapshotOf(queueOf(1));
    const seen = { isAlive: false, at: shown.takenAt };
    const holders = shown.answer.holders.map(card => ({ ...card, address: '10.1.2.3:42210', seen }));
    await page.show({ ...shown, answer: { ...shown.answer, holders } });
    expect(page.find('.card-address').textContent).toBe('10.1.2.3:42210');
    expect(page.find('.card-seen').textContent).toContain('card.over(');
    expect(tool(0, 'table.findOwners')).toBeUndefined();
    expect(page.find('.answer').textContent).toContain('answer.where(worker-1.example.org,10.1.2.3:42210,');
  });

  it('offer nothing that a read-only or removed cluster refuses', async () => {
    const shown = snapshotOf(queueOf(1));
    await page.show({ ...shown, lock: { ...shown.lock, isReadOnly: true } });
    expect(tool(0, 'row.forceDelete')).toBeUndefined();
    await page.show({ ...shown, lock: { ...shown.lock, isRemoved: true } });
    expect(tools(0).map(each => each.textContent.split('(')[0])).toEqual(['card.copy']);
  });

  it('are one stop of the Tab key each, and keep the focus while their contender stays', async () => {
    await page.show(snapshotOf(queueOf(3)));
    expect(page.all('.card button').filter(each => each.tabIndex === 0)).toHaveLength(2);
    tools(1)[0]?.focus();
    press(focused(), 'ArrowRight');
    expect(focused()).toBe(tool(1, 'row.showData'));
    const held = focused();
    const [, next] = snapshotOf(queueOf(3)).picture.contenders;
    await page.show(snapshotOf([{ name: nodeName(2), czxid: next!.czxid, isHolder: true }, { name: nodeName(3) }]));
    expect(focused()).toBe(held);
  });

  it('count ages on while the queue is current, and not beyond the last contact', async () => {
    const shown = snapshotOf(queueOf(1));
    await page.show(shown);
    expect(page.find('.card p').textContent).toContain('card.heldFor(span.s(7,');
    const lastContact = shown.takenAt - 4_000;
    await page.show({ ...shown, status: { state: 'disconnected', text: 'lost', lastContact } });
    expect(page.find('.card p').textContent).toContain('card.heldFor(span.s(3,');
    expect(page.find('.answer').textContent).toContain('answer.asOf(');
  });

  it('are not there without a queue', async () => {
    await page.show({ ...snapshotOf([]), status: { state: 'empty' } });
    expect(page.find('.cards').hidden).toBe(true);
    expect(page.find('.answer').hidden).toBe(true);
  });

  it('count the holders that have none', async () => {
    const shown = snapshotOf(Array.from({ length: 7 }, () => ({ isHolder: true, kind: 'read' as const })));
    await page.show(shown);
    expect(page.all('.card')).toHaveLength(4);
    expect(page.find('.cards .note').textContent).toContain('card.more(3,');
  });
});

describe('a warning that counts contenders', () => {
  it('leads to their rows', async () => {
    const shown = snapshotOf(queueOf(3));
    const warnings = [{ text: '49 may be stale', filter: 'maybe stale' }, { text: 'a hazard' }];
    await page.show({ ...shown, lock: { ...shown.lock, warnings } });
    const links = page.all('.warnings .link');
    expect(links).toHaveLength(1);
    links[0]?.click();
    expect(page.sent.at(-1)).toMatchObject({ type: 'view', view: { filter: 'maybe stale', tableFrom: 0 } });
    const field = page.find('.table vscode-text-field') as HTMLElement & { value: string };
    expect(field.value).toBe('maybe stale');
  });

  it('is said in each of them by an icon and words', async () => {
    await page.show(snapshotOf([{ marks: ['maybeStale', 'longHeld'] }, { marks: ['deadlocked'] }, {}]));
    for (const [place, counts] of [
      ['.card', [2, 1]],
      ['.node', [2, 1, 0]],
      ['.grid-row:not(.is-header)', [2, 1, 0]],
    ] as const) {
      const marks = page.all(place).map(shown => [...shown.querySelectorAll('.mark')]);
      expect(marks.map(({ length }) => length)).toEqual(counts);
      expect(marks[0]?.map(mark => mark.textContent)).toEqual(['mark maybeStale', 'mark longHeld']);
      expect(marks.flat().every(mark => mark.querySelector('svg[aria-hidden=true]') !== null)).toBe(true);
    }
  });
});

describe('the table', () => {
  it('has page buttons only where there are pages', async () => {
    const shown = snapshotOf(queueOf(50));
    await page.show(shown);
    expect(page.find('.pages').hidden).toBe(true);
    await page.show({ ...shown, table: { ...shown.table, matching: 51 } });
    expect(page.find('.pages').hidden).toBe(false);
  });

  it('goes by keyboard past the columns that a narrow page leaves out', async () => {
    const style = document.createElement('style');
    style.textContent = '[data-column=kind], [data-column=address] { display: none; }';
    document.head.append(style);
    await page.show(snapshotOf(queueOf(2)));
    page.find('[role=columnheader][data-column=position]').focus();
    const columns = ['who', 'age', 'waitsFor'].map(column => {
      press(focused(), 'ArrowRight');
      expect((focused() as HTMLElement).dataset['column']).toBe(column);
      return column;
    });
    expect(columns).toHaveLength(3);
    style.remove();
  });
});

it('keeps the sign of production without a connection', async () => {
  const shown = snapshotOf(queueOf(1));
  const status = { state: 'disconnected', text: 'lost' } as const;
  await page.show({ ...shown, status, lock: { ...shown.lock, isProduction: true } });
  expect(page.find('.badge.is-production').hidden).toBe(false);
});
