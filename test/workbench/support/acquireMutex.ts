import type { Workbench } from './workbench.ts';

/** Takes a Curator mutex with *Acquire Mutex*: once, and until it is released. @param cluster of several */
export async function acquireMutex(workbench: Workbench, path: string, cluster?: string): Promise<void> {
  await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
  if (cluster !== undefined) {
    await workbench.seeQuickInput('Which cluster?');
    await workbench.pick(cluster);
  }
  await workbench.answerQuickInput('Which lock?', path);
  await workbench.pick('Options…');
  await workbench.pick('Curator');
  await workbench.pick('Try once');
  await workbench.pick('Never');
  await workbench.answerQuickInput('Your identifier', 'tester');
}
