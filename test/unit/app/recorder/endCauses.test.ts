import { describe, expect, it } from 'vitest';
import { causeOf, type Evidence, type Verdict } from '../../../../src/app/recorder/endCauses.ts';

const owner = 7n;
const by = (session: bigint, operation: string) => ({ session, operation });

describe('why a node went', () => {
  it.each<[string, Evidence, Verdict | undefined]>([
    ['nothing is known', { authors: [] }, undefined],
    ['its owner deleted it', { authors: [by(owner, 'DELE')] }, { ended: 'released' }],
    ['its owner deleted it with others', { authors: [by(owner, 'MULT')] }, { ended: 'released' }],
    ['its owner closed its session', { authors: [by(owner, 'CLOS')] }, { ended: 'session closed' }],
    ['another one deleted it', { authors: [by(8n, 'DELE')] }, { ended: 'deleted by another session', endedBy: 8n }],
    ['another one closed its session', { authors: [by(8n, 'CLOS')] }, undefined],
    ['two say that they did', { authors: [by(owner, 'DELE'), by(8n, 'DELE')] }, undefined],
    ['the owner is gone, perhaps later', { authors: [], end: { isThatTransaction: false } }, undefined],
    ['it closed, perhaps later', { authors: [], end: { how: 'closed', isThatTransaction: false } }, undefined],
    ['the owner ended then', { authors: [], end: { isThatTransaction: true } }, { ended: 'session ended' }],
    ['it closed then', { authors: [], end: { how: 'closed', isThatTransaction: true } }, { ended: 'session closed' }],
    ['it ran out, perhaps later', { authors: [], end: { how: 'expired', isThatTransaction: false } }, undefined],
    [
      'it ran out then',
      { authors: [], end: { how: 'expired', isThatTransaction: true } },
      { ended: 'session expired' },
    ],
    [
      'its owner deleted it and closed',
      { authors: [by(owner, 'DELE')], end: { how: 'closed', isThatTransaction: false } },
      { ended: 'released' },
    ],
  ])('%s', (_, evidence, verdict) => {
    expect(causeOf({ owner }, evidence)).toEqual(verdict);
  });

  it('is never said of a node without an owner', () => {
    expect(causeOf({ owner: 0n }, { authors: [by(0n, 'DELE')], end: { isThatTransaction: true } })).toBeUndefined();
  });
});
