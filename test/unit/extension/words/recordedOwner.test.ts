import { describe, expect, it } from 'vitest';
import type { RecordedSession } from '../../../../src/replay/recording.ts';
import { explanationReport } from '../../../../src/extension/words/explanationText.ts';
import { ownerLine, sessionLine } from '../../../../src/extension/words/ownerText.ts';
import {
  recordedOwnerReport,
  recordingReport,
  sessionLines,
  waitingLine,
} from '../../../../src/extension/words/recordingText.ts';
import { explainLock } from '../../../../src/inspector/explainLock.ts';
import { reportLines, reportText } from '../../../support/reportLines.ts';
import { at, FakeRecording, waitOf } from '../../app/recordings/fakeRecording.ts';
import { curatorName, onlyQueue } from '../../inspector/diagnosisQueues.ts';
import { linkPattern, unseenPattern, hostileTexts } from '../corpus.ts';
import { contender } from '../fixtures.ts';

const gone = { session: 7n, alive: 'no', recorded: { address: '10.0.0.7:51234', host: 'web-1' } } as const;
const session: RecordedSession = { address: '10.0.0.7:51234', host: 'web-1', ended: at(3n, 3) };

describe('the address of a session that is over', () => {
  it('is said with its owner', () => {
    expect(ownerLine(gone)).toBe('Owner session: 0x7, recorded from 10.0.0.7:51234 (web-1)');
    expect(sessionLine(gone)).toBe(ownerLine(gone));
    expect(ownerLine({ session: 7n, alive: 'no' })).toContain('address not known');
  });

  it('is said in an explanation, and what is usual', () => {
    const queue = onlyQueue('/l/a', [{ name: curatorName('lock-', 0), owner: 7n }]);
    const owners = {
      connections: new Map(),
      recorded: new Map([[7n, gone.recorded]]),
      live: { ids: new Set<bigint>(), listedBy: 'leader', server: 'zk1' },
      sources: [],
      askedAt: 20,
    } as const;
    const explanation = explainLock(queue, { cluster: 'c', readAt: 10, now: 20, owners });
    const usual = { hold: { samples: 30, p50: 2_000, p95: 3_000, max: 9_000 }, wait: { samples: 0 } };
    const text = reportText(explanationReport(explanation, undefined, usual));
    expect(text).toContain('recorded from 10.0.0.7:51234 (web-1)');
    expect(text).toMatch(/As a rule\n.*Held for 2 s as a rule, 95 % for at most 3 s, longest 9 s \(of 30 holds/);
    expect(reportText(explanationReport(explanation))).not.toContain('As a rule');
  });

  it('is said of what was recorded, which lacks no addresses as logs do', () => {
    expect(sessionLines(session).at(-1)).toContain('whether it was closed or expired is not known');
    const owner = contender('a', { ownerSession: 7n });
    const report = reportText(recordedOwnerReport('c', owner, session, 'journal'));
    expect(report).toContain('Address of its client: 10.0.0.7:51234 (web-1)');
    expect(report).not.toContain('no client addresses');
    expect(reportText(recordedOwnerReport('c', owner, session))).toContain('no client addresses');
    const wait = waitOf('w', at(1n, 5), at(2n, 9));
    const line = reportLines({ headline: waitingLine({ contender: wait, from: at(1n, 5), to: at(2n, 9), gotIt: true, ms: 4_000 }, () => session), blocks: [] }); // prettier-ignore
    expect(line[0]).toContain('session 0x200 from 10.0.0.7:51234');
  });

  it('is harmless whatever it is', () => {
    for (const text of hostileTexts) {
      const recorded = { address: text, host: text, process: text };
      expect(ownerLine({ ...gone, recorded })).not.toMatch(linkPattern);
      expect(ownerLine({ ...gone, recorded })).not.toMatch(unseenPattern);
      const lines = reportText(recordedOwnerReport('c', contender('a'), { ...session, ...recorded }, 'journal'));
      expect(lines).not.toMatch(unseenPattern);
    }
  });
});

it('a report of what was recorded counts entries, not transactions', () => {
  const recording = new FakeRecording([{ at: 0 }, { at: 1 }]);
  expect(reportText(recordingReport(recording, '/storage', 'journal'))).toContain('2 entries, ');
  expect(reportText(recordingReport(recording, '/logs'))).toContain('2 transactions, ');
});
