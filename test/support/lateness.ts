/**
 * How late this process was at most since the call, ms. A limit of a test that is about time adds it: on a busy machine the
 * test's own process is late too. (`monitorEventLoopDelay` may notice a pause only after the code that asks.)
 */
export function lateness(): () => number {
  const everyMs = 10;
  let last = performance.now();
  let most = 0;
  const look = (): number => {
    const now = performance.now();
    most = Math.max(most, now - last - everyMs);
    last = now;
    return most;
  };
  setInterval(look, everyMs).unref();
  return look;
}
