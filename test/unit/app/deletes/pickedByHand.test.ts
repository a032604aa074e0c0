import { describe, expect, it } from 'vitest';
import { pickedByHand } from '../../../../src/app/deletes/pickedByHand.ts';

const rule = { guard: 'guard', isDangerous: (line: string) => line.startsWith('live') };
const all = ['dead-1', 'dead-2', 'guard', 'live-1', 'live-2'];

describe('picking in a list with dangerous lines', () => {
  it('passes them by when all lines are ticked at once', () => {
    expect(pickedByHand(['dead-1'], all, rule)).toEqual(['dead-1', 'dead-2']);
  });

  it('passes the only one by, too, when nothing else was left to tick', () => {
    expect(pickedByHand(['dead-1'], ['dead-1', 'guard', 'live-1'], rule)).toEqual(['dead-1']);
  });

  it('takes the one whose own line was ticked, and keeps it when all are ticked afterwards', () => {
    const picked = pickedByHand(['dead-1'], ['dead-1', 'live-2'], rule);
    expect(picked).toEqual(['dead-1', 'live-2']);
    expect(pickedByHand(picked, all, rule)).toEqual(['dead-1', 'dead-2', 'live-2']);
  });

  it('lets everything be unticked, and never picks the guard', () => {
    expect(pickedByHand(['dead-1', 'live-2'], [], rule)).toEqual([]);
    expect(pickedByHand([], ['guard'], rule)).toEqual([]);
  });
});
