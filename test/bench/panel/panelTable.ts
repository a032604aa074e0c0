import { textTable } from '../report.ts';
import type { PanelReport } from './measurePanel.ts';

/** For a terminal. */
export function panelTable({ machine, plan, figures }: PanelReport): string {
  const lines = figures.map(({ name, unit, value, target, isMet }) => [
    name,
    unit,
    value.toFixed(1),
    target === undefined ? '' : `<= ${target}`,
    isMet === undefined ? '' : isMet ? 'met' : 'missed',
  ]);
  const title = `A lock with ${plan.waiters} contenders, ${plan.changesPerSecond} changes a second, ${plan.seconds} s`;
  return `\n${title}\n${textTable([['measure', 'unit', '', 'target', ''], ...lines])}\n\n${machine.cores} cores, load before ${machine.loadBefore}`;
}
