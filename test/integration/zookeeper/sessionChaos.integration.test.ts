import { expect, it } from 'vitest';
import { describeSessionChaos, runSessionChaos } from '../../chaos/sessionChaos.ts';

it('50 random schedules of faults under load: every invariant holds', { timeout: 120_000 }, async () => {
  const report = await runSessionChaos({ runs: 50, seed: 3, slackMs: 3_000 });
  expect(report.violations, describeSessionChaos(report)).toEqual([]);
  expect(report).toMatchObject({ runs: 50, pending: 0, uncaught: 0 });
  // This seed restarts the server and freezes it. The schedules do harm, and work is done all the same.
  expect([...report.faults.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  expect(report.sessionsLost).toBeGreaterThan(0);
  expect(report.reconnects).toBeGreaterThan(0);
  // A slow machine asks for less: some 4,500 requests on a fast one, of which two thirds end well.
  const asked = [...report.ends.values()].reduce((sum, count) => sum + count, 0);
  expect(asked).toBeGreaterThan(500);
  expect(report.ends.get('ok')).toBeGreaterThan(asked * 0.4);
});
