/** What of the browser's trace matters here; times in microseconds. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Processor time of the thread. */
  tdur?: number;
}

/** One update of the page, in ms. */
export interface UpdateTime {
  /** Processor time of the script: what it takes on a core with no other work. */
  script: number;
  /** By the clock, with whatever else the machine did meanwhile. */
  elapsed: number;
}

/** The name under which the page marks the script of an update (webview/startPage.ts). */
const measureName = 'lock-panel-update';

/** What the browser writes down while updates are measured. */
export const traceCategories = ['devtools.timeline', 'blink.user_timing'];

/**
 * The updates in a trace: the calls of the page's message listener in which the page marked an update. They hold the whole
 * script of a message, not the drawing alone.
 *
 * @param trace as Chromium writes it
 */
export function updateTimes(trace: string): UpdateTime[] {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const marks = traceEvents.filter(({ name, ph }) => name === measureName && ph === 'b');
  const calls = traceEvents.filter(({ name, ph }) => name === 'FunctionCall' && ph === 'X');
  return marks.flatMap(mark => {
    const around = calls.filter(({ pid, ts, dur = 0 }) => pid === mark.pid && ts <= mark.ts && mark.ts <= ts + dur);
    // The innermost: VS Code's own page calls ours in no case, but a trace may be cut at its ends.
    const call = around.sort((a, b) => b.ts - a.ts)[0];
    return call === undefined ? [] : [{ script: (call.tdur ?? call.dur ?? 0) / 1000, elapsed: (call.dur ?? 0) / 1000 }];
  });
}
