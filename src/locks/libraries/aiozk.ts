import { type Dialect, type StemMatch } from '../dialect.ts';
import { byDigits } from '../order.ts';

// aiozk and zoonado (docs/dialects.md, section 3): `<label>-<32 hex>-<seq>`; the last ten characters are the number,
// its sign is lost. A reader is blocked by `write` only; every other label by everything before it. A lease that does
// not fit is deleted at once, so the listed ones hold; its data is an expiry time.

const STEM = /^(lock|read|write|candidate)-[0-9a-f]{32}-$/;
const LEASE = /^lease-[0-9a-f]{32}-$/;
const KINDS: ReadonlyMap<string, StemMatch['kind']> = new Map([
  ['lock', 'exclusive'],
  ['read', 'read'],
  ['write', 'write'],
  ['candidate', 'candidate'],
]);

export const aiozk: Dialect = {
  id: 'aiozk',
  match: stem => {
    const kind = KINDS.get(STEM.exec(stem)?.[1] ?? '');
    return kind === undefined ? undefined : { kind };
  },
  compare: byDigits,
  rule: {
    type: 'read-write',
    readerWatches: 'nearest-writer',
    writerWatches: 'predecessor',
    readersWaitFor: ['write'],
  },
};

export const aiozkLeases: Dialect = {
  id: 'aiozk',
  match: stem => (LEASE.test(stem) ? { kind: 'lease', queueKey: 'lease' } : undefined),
  compare: byDigits,
  rule: { type: 'everyone' },
  identify: () => '',
};
