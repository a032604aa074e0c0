import { beforeEach, describe, expect, it, vi } from 'vitest';
import { lockPast } from '../../../../src/app/recordings/lockPast.ts';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { waitingLine, whatHappenedReport } from '../../../../src/extension/words/recordingText.ts';
import { reportLines } from '../../../support/reportLines.ts';
import { at, FakeRecording, holdOf, waitOf } from '../../app/recordings/fakeRecording.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const m = (second: number) => at(BigInt(second), second);

let recording: FakeRecording;

beforeEach(() => {
  recording = new FakeRecording(Array.from({ length: 998 }, (_, index) => ({ at: index + 3 })));
});

function report(): string[] {
  const lock = { path: '/locks/a' };
  const span = { from: recording.from, to: recording.to };
  return reportLines(
    whatHappenedReport({ recording, cluster: 'c', lock, span, ...atOnce(lockPast(recording, lock, span)) }),
  );
}

describe('what happened', () => {
  it('counts those as in vain who left, not those who still wait or whose end is not known', () => {
    recording.allWaits = [
      waitOf('left', m(5), m(9)),
      waitOf('lost', m(5), m(9), { ended: 'unknown', isEndUnseen: true }),
      waitOf('waits', m(5)),
    ];
    expect(report()[0]).toContain('1 waited in vain');
  });

  it('says of a hold whose begin or end is not known how long it held at least', () => {
    recording.allHolds = [
      holdOf('known', m(5), m(9)),
      holdOf('lost', m(10), m(14), { ended: 'unknown', isEndUnseen: true }),
      holdOf('before', m(15), m(19), { isFromBefore: true }),
    ];
    const isLeast = report()
      .filter(line => line.includes('held for'))
      .map(line => line.includes('at least'));
    expect(isLeast).toEqual([false, true, true]);
  });

  it('does not call the end of a wait that was not seen an end without having held', () => {
    const wait = waitOf('w', m(5), m(9), { ended: 'unknown', isEndUnseen: true });
    const line = waitingLine({ contender: wait, from: m(5), to: m(9), gotIt: false, ms: 4_000 });
    expect(line).toContain('how it ended is not known');
    expect(line).not.toContain('without having held');
  });

  it('names the first of very many, and how many more there are', () => {
    recording.allHolds = Array.from({ length: 700 }, (_, index) =>
      holdOf(`n-${String(index)}`, m(index + 3), m(index + 4), {
        ownerSession: BigInt(index + 1),
        ended: 'deleted by another session',
      }),
    );
    for (let id = 1n; id <= 700n; id++) recording.allSessions.set(id, { ended: m(900), how: 'expired' });
    const lines = report();
    expect(lines.filter(line => line === 'and 200 more')).toHaveLength(3);
    expect(lines.filter(line => line.includes('held for'))).toHaveLength(500);
    expect(lines[0]).toContain('700 held it');
  });
});
