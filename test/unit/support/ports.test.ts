import { expect, it } from 'vitest';
import { freePorts } from '../../../scripts/zookeeper/ports.ts';

it('does not give out a port twice before it is used', async () => {
  const lots = await Promise.all(Array.from({ length: 20 }, () => freePorts(5)));
  expect(new Set(lots.flat()).size).toBe(100);
});
