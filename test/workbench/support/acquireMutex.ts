import type { Workbench } from './workbench.ts';

/** Takes a Curator mutex with *Acquire Mutex*, at the only cluster: once, and until it is released. */
export async function acquireMutex(workbench: Workbench, path: string): Promise<void> {
  await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
  await workbench.answerQuickInput('Which lock?', path);
  await workbench.pick('Options…');
  await workbench.pick('Curator');
  await workbench.pick('Try once');
  await workbench.pick('Never');
  await workbench.answerQuickInput('Your identifier', 'tester');
}
