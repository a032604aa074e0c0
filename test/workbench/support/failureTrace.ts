import { beforeEach, onTestFailed } from 'vitest';
import type { Workbench } from './workbench.ts';

/** Has every failed test of a file leave what was on screen then, what had the keyboard, and what was logged. */
export function keepTraceOfFailures(workbench: () => Workbench): void {
  beforeEach(() => {
    onTestFailed(async ({ task }) => {
      await workbench().screenshot(`failed-${task.name.slice(0, 40).replaceAll(/\W+/g, '-')}`);
      process.stderr.write(`The keyboard is at: ${await workbench().focusedElement()}\n${await workbench().logs()}`);
    });
  });
}
