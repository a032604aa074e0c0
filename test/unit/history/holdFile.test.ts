import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import { holdsCsv, holdsJson } from '../../../src/history/holdFile.ts';
import { at, holdOf, waitOf } from '../app/recordings/fakeRecording.ts';

const hold = holdOf('n-0', at(0x10n, 60), at(0x12n, 90), {
  queued: at(0xen, 20),
  ended: 'deleted by another session',
  endedBy: -1n,
  identifier: '=HYPERLINK("http://x")',
});
const lasting = holdOf('n-1', at(0x12n, 90), undefined, { isFromBefore: true, ownerSession: 0n });
const wait = waitOf('n-2', at(0x13n, 95), at(0x14n, 99), { identifier: 'a "quoted", name\n@cmd' });

const source = { recording: 'v', from: at(1n, 0), to: at(0x14n, 99), sureFrom: at(1n, 0), gaps: [], problems: [] };

describe('the file of holds', () => {
  it('has all of them in JSON, with spans and exact ids', () => {
    const file = JSON.parse(atOnce(holdsJson(source, [hold, lasting], [wait]))) as {
      holds: unknown[];
      waits: unknown[];
    };
    expect(file.holds[0]).toMatchObject({
      node: 'n-0',
      identifier: '=HYPERLINK("http://x")',
      czxid: '0x10',
      from: '1970-01-01T00:01:00.000Z',
      waitedMs: 40_000,
      heldMs: 30_000,
      endedBy: '0xffffffffffffffff',
    });
    expect(file.holds[1]).not.toHaveProperty('to');
    expect(file.holds[1]).not.toHaveProperty('waitedMs');
    expect(file.holds[1]).not.toHaveProperty('session');
    expect(file.waits).toMatchObject([{ record: 'wait', waitedMs: 4_000 }]);
  });

  it('is indented as JSON usually is, with and without places', () => {
    for (const [holds, waits] of [
      [[hold, lasting], [wait]],
      [[], []],
    ] as const) {
      const text = atOnce(holdsJson(source, holds, waits));
      expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
    }
  });

  it('has no span for what is not known to the end or from the begin', () => {
    const places = [
      holdOf('n-0', at(1n, 1), at(2n, 2), { ended: 'unknown', isEndUnseen: true }),
      holdOf('n-1', at(1n, 1), at(2n, 2), { isFromBefore: true }),
    ];
    const file = JSON.parse(
      atOnce(holdsJson(source, places, [waitOf('n-2', at(1n, 1), at(2n, 2), { ended: 'unknown', isEndUnseen: true })])),
    ) as {
      holds: unknown[];
      waits: unknown[];
    };
    for (const hold of file.holds) expect(hold).not.toHaveProperty('heldMs');
    expect(file.waits).toHaveLength(1);
    expect(file.waits[0]).not.toHaveProperty('waitedMs');
  });

  it('has one line for each in CSV, and no formula', () => {
    const csv = atOnce(holdsCsv([hold, lasting], [wait]));
    const [heading, first] = csv.split('\r\n');
    expect(heading?.split(',').slice(0, 3)).toEqual(['record', 'lock', 'lockName']);
    expect(csv.split('\r\n')).toHaveLength(5);
    expect(first).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(csv).toContain(`""quoted"", name\n'@cmd"`);
  });
});
