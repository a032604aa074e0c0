import { expect, it } from 'vitest';
import { limitsWithoutTest, reasonToSkip } from '../../versions/limits.ts';
import { sandboxLimits } from '../../versions/sandboxLimits.ts';

const real = { engine: 'real', version: '3.9.5' } as const;
const sandbox = { engine: 'sandbox', version: '3.9.5' } as const;
const file = '/repo/test/integration/ensemble/failover.integration.test.ts';

it('a test that the sandbox cannot pass is skipped there, with the reason, and plays on a real server', () => {
  expect(reasonToSkip(sandbox, file, 'any')).toContain('no ensemble');
  expect(reasonToSkip(real, file, 'any')).toBeUndefined();
});

it('what a version cannot do counts for the sandbox too, which is one of that version', () => {
  const name = 'a candidate that comes back under the same name between two events';
  const live = 'C:\\repo\\test\\integration\\inspector\\live.integration.test.ts';
  expect(reasonToSkip({ ...real, version: '3.8.0' }, live, name)).toBeUndefined();
  expect(reasonToSkip(real, live, name)).toContain('3.8.4');
  expect(reasonToSkip(sandbox, live, name)).toContain('3.8.4');
});

it('an entry that fits no test is reported, one that fits is not', () => {
  const entry = sandboxLimits.find(limit => limit.file === 'ensemble/failover' && limit.name === undefined)!;
  expect(limitsWithoutTest([])).toContain(entry);
  expect(limitsWithoutTest([{ file, name: 'any' }])).not.toContain(entry);
});
