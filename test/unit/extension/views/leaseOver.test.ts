import { describe, expect, it } from 'vitest';
import { apiQueue } from '../../../../src/app/api/apiObjects.ts';
import { explanationReport } from '../../../../src/extension/words/explanationText.ts';
import { reportText } from '../../../support/reportLines.ts';
import { QueueMarks } from '../../../../src/app/clusters/queueMarks.ts';
import { lockWarnings } from '../../../../src/extension/panel/panelSnapshot.ts';
import { contenderRow, contenderTooltip } from '../../../../src/extension/views/contenderRow.ts';
import { childrenOf } from '../../../../src/app/clusters/childRows.ts';
import { noMarks } from '../../../../src/app/clusters/marks.ts';
import { rowText } from '../../../../src/extension/views/treeItems.ts';
import { lockRow } from '../../../../src/extension/views/lockRow.ts';
import { explainLock } from '../../../../src/inspector/explainLock.ts';
import { onlyQueue } from '../../inspector/diagnosisQueues.ts';
import { lockNode } from '../fixtures.ts';

const end = Date.UTC(2026, 0, 2, 3, 4, 5);
const hour = 3_600_000;
const marks = new QueueMarks(
  () => ({ longHeldMs: hour, deadlockMs: hour }),
  () => 0,
);

/** Made a day before its end. */
function lease(data = '{"version":1,"holder":"host-1","end":"2026-01-02T03:04:05"}') {
  const queue = onlyQueue('/jobs/nightly', [{ name: 'lease_holder', owner: 0n, data }]);
  const [holder] = queue.contenders;
  const createdAt = end - 24 * hour;
  return { ...queue, contenders: [{ ...holder!, createdAt, heldSince: { earliest: createdAt, latest: createdAt } }] };
}

/** Everything that the tree, the panel and an explanation say at a moment. */
function said(now: number): Record<'lock' | 'contender' | 'tooltip' | 'panel' | 'explanation', string> {
  const queue = lease();
  const lock = lockNode(queue);
  const found = marks.of(lock, now);
  const [row] = childrenOf(lock, { filter: '', trusted: true });
  if (row?.type !== 'contender') throw new Error('no contender');
  const mark = found.of(row.contender);
  return {
    lock: lockRow(lock, now, found).description,
    contender: contenderRow(row, now, mark).description,
    tooltip: contenderTooltip(row, now, undefined, mark),
    panel: lockWarnings(queue, found, now)
      .map(({ text }) => text)
      .join('\n'),
    explanation: reportText(explanationReport(explainLock(queue, { cluster: 'c', readAt: now, now }))),
  };
}

describe('a lease whose node says until when it holds', () => {
  it('is held, if for long, while that is ahead', () => {
    const texts = said(end - hour);
    expect(texts.lock).toContain('held by host-1');
    expect(texts.contender).toContain('held 23 h');
    expect(texts.tooltip).toContain('it holds by the rule of its library');
    expect(texts.panel).toContain('held for longer');
    expect(texts.explanation).toContain('its lease ends at 2026-01-02T03:04:05.000Z');
    for (const text of Object.values(texts)) expect(text).not.toMatch(/has ended|is over|stale/);
  });

  it('is not called held once it is over, whatever node is left, nor free', () => {
    const texts = said(end + hour);
    expect(texts.lock).toMatch(/^lease of host-1 has ended/);
    expect(texts.contender).toMatch(/^lease has ended/);
    expect(texts.tooltip).toContain('Its lease ended: ');
    expect(texts.panel).toContain('The lease has ended');
    expect(texts.explanation).toContain('its lease ended at 2026-01-02T03:04:05.000Z');
    for (const text of Object.values(texts)) expect(text).not.toMatch(/held|it holds|\bfree\b|stale/);
  });

  it('is drawn again when it ends, once', () => {
    const lock = lockNode(lease());
    const unmarked = { of: () => noMarks };
    const isSame = (before: number, now: number): boolean =>
      rowText(lock, before, unmarked) === rowText(lock, now, unmarked);
    expect(isSame(end - hour, end + hour)).toBe(false);
    expect(isSame(end - 2 * hour, end - hour)).toBe(true);
    expect(isSame(end + hour, end + 2 * hour)).toBe(true);
  });

  it('passes its end to other extensions as epoch ms', () => {
    expect(apiQueue(lease()).contenders).toMatchObject([{ role: 'holder', leaseEndsAt: end }]);
  });

  it.each(['tomorrow', '2026-01-02', '2026-13-41T00:00:00'])('says nothing of an end that is none: %s', text => {
    const [holder] = lease(`{"version":1,"holder":"host-1","end":"${text}"}`).contenders;
    expect(holder).not.toHaveProperty('leaseEndsAt');
  });
});
