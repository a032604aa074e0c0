import type { LockPanelPage } from '../../workbench/support/lockPanelPage.ts';
import type { Workbench } from '../../workbench/support/workbench.ts';

/** What a person at the page waits for, ms. */
export interface PageDelays {
  /** Tasks of the page's thread that were longer than 50 ms, by the browser's own observer. */
  longTasks: number[];
  /** From each press of a key to the frame behind it. */
  keys: number[];
}

const pressEveryMs = 100;

/** Runs in the page. Long tasks of the whole thread are reported to each of its frames. */
const observe = `(() => {
  const seen = { longTasks: [], keys: [] };
  const observer = new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) seen.longTasks.push(duration);
  });
  observer.observe({ type: 'longtask' });
  const onKey = event => {
    requestAnimationFrame(() => setTimeout(() => seen.keys.push(performance.now() - event.timeStamp)));
  };
  addEventListener('keydown', onKey, true);
  window.benchDelays = () => {
    for (const { duration } of observer.takeRecords()) seen.longTasks.push(duration);
    observer.disconnect();
    removeEventListener('keydown', onKey, true);
    return seen;
  };
})()`;

/**
 * Watches the page of a panel while a key is pressed again and again: the arrows in its table.
 *
 * @param frame of the panel, in which the focus is
 * @returns ends the watch
 */
export async function watchPage(
  page: Workbench['page'],
  frame: Awaited<ReturnType<LockPanelPage['frame']>>,
): Promise<() => Promise<PageDelays>> {
  await frame.evaluate(observe);
  const abort = new AbortController();
  const pressing = (async () => {
    for (let press = 0; !abort.signal.aborted; press++) {
      await page.keyboard.press(press % 20 < 10 ? 'ArrowDown' : 'ArrowUp');
      await new Promise(resolve => setTimeout(resolve, pressEveryMs));
    }
  })();
  return async () => {
    abort.abort();
    await pressing;
    return frame.evaluate<PageDelays>('window.benchDelays()');
  };
}
