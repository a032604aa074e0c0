import { describe, expect, it } from 'vitest';
import { FoundOwners } from '../../../src/app/owners/foundOwners.ts';
import { contender } from '../extension/fixtures.ts';
import { ownerFacts } from './panel/ownerAnswers.ts';

describe('what servers said of owners', () => {
  const facts = ownerFacts({ session: 0x5n, address: '10.0.0.7:4000' });
  const found = new FoundOwners(facts, [0x5n, 0x6n, 0n]);

  it.each([
    ['is alive where a server has its connection', { ownerSession: 0x5n }, { isAlive: true, at: facts.askedAt }],
    ['is over where the leader does not know it', { ownerSession: 0x6n }, { isAlive: false, at: facts.askedAt }],
    ['is not known if it came after the question', { ownerSession: 0x7n }, undefined],
    ['is not known where no session owns the node', { ownerSession: 0n }, undefined],
    ['is not known of a node that may not be read', { ownerSession: 0x6n, isUnread: true as const }, undefined],
  ])('a session %s', (_, fields, expected) => {
    expect(found.sessionOf(contender('a', fields))).toEqual(expected);
  });

  it('is nothing before they were asked', () => {
    expect(new FoundOwners().sessionOf(contender('a'))).toBeUndefined();
  });
});
