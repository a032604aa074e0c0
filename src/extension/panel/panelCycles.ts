import { displayText } from '../../base/displayText.ts';
import { shownName } from '../../base/shownName.ts';
import { fromHere, isIn } from '../../app/panel/cycleSteps.ts';
import type { SeenCycle } from '../../app/clusters/cycleAges.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import { cycleLimit, cycleStepLimit, type Cycle, type CycleStep } from '../../protocol.ts';
import { whoText } from '../words/contenderText.ts';
import { lockText } from '../words/language.ts';

const clean = (text: string): string => displayText(text, 200);

/** The cycles through a lock as the page draws them, each from the step in this lock on. */
export function shownCycles(cycles: readonly SeenCycle[], queue: LockQueue): Cycle[] {
  return cycles.slice(0, cycleLimit).map(({ edges, isLasting }) => {
    const steps = fromHere(edges, queue).map(edge => stepOf(edge, queue));
    return {
      level: isLasting ? 'lasting' : 'possible',
      steps: steps.slice(0, cycleStepLimit),
      folded: Math.max(0, steps.length - cycleStepLimit),
    };
  });
}

function stepOf(edge: WaitEdge, queue: LockQueue): CycleStep {
  const { lock, blocker } = edge;
  return {
    name: shownName(blocker.name),
    czxid: String(blocker.czxid),
    who: whoText(blocker),
    lock: lockText(lock, clean),
    isHolder: blocker.role === 'holder',
    isHere: isIn(edge, queue),
  };
}
