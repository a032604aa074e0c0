import { atOnce } from '../../../src/base/interruptible.ts';
import { describe, expect, it } from 'vitest';
import { parseBigJson, parseConnections, parsingCons } from '../../../src/inspector/owners/parseAnswers.ts';
import {
  sessionCountsQuestion,
  loneQuestion,
  reachedQuestion,
  shortestTimeoutQuestion,
} from '../../../src/inspector/owners/statistics.ts';

describe('the last operation of a connection', () => {
  it('is read from the answer to cons', () => {
    const line =
      ' /127.0.0.1:5[1](queued=0,recved=4,sent=4,sid=0x10,lop=DELE,est=1,to=30000,lcxid=0x2,lzxid=0x200000004,lresp=13,llat=2)\n';
    expect(atOnce(parsingCons(line, 's'))?.get(16n)?.last).toEqual({
      name: 'DELE',
      zxid: 0x2_0000_0004n,
      at: 13,
      latencyMs: 2,
    });
    expect(atOnce(parsingCons(line.replace('lzxid=0x200000004', 'lzxid=4'), 's'))?.get(16n)?.last).toBeUndefined();
    expect(atOnce(parsingCons(line.replace(',llat=2', ''), 's'))?.get(16n)?.last).toBeUndefined();
  });

  it('is read from the answer of an AdminServer, also where a number is too long for JSON', () => {
    const text = `{"connections":[{"remote_socket_address":"h/1.2.3.4:5","session_id":16,"last_operation":"MULT",
      "last_zxid":4611686018427387905,"last_response_time":13,"last_latency":0}],"secure_connections":[]}`;
    const last = parseConnections(parseBigJson(text), 's')?.get(16n)?.last;
    expect(last).toEqual({ name: 'MULT', zxid: 4_611_686_018_427_387_905n, at: 13, latencyMs: 0 });
  });
});

describe('numbers of reports', () => {
  it('are read from four-letter words', () => {
    const mntr = 'zk_version\t3.8.0\nzk_stale_sessions_expired\t12\n';
    expect(sessionCountsQuestion.fromWord(mntr, 's')).toEqual({ expired: 12 });
    expect(reachedQuestion.fromWord('Received: 1\nZxid: 0x10000000a\nMode: leader\n', 's')).toBe(0x1_0000_000an);
    expect(loneQuestion.fromWord('Zxid: 0x1\nMode: leader\n', 's')).toBe(false);
    expect(loneQuestion.fromWord('Zxid: 0x1\nMode: standalone\n', 's')).toBe(true);
    expect(shortestTimeoutQuestion.fromWord('tickTime=2000\nminSessionTimeout=4000\n', 's')).toBe(4_000);
  });

  it('are read from an AdminServer', () => {
    expect(sessionCountsQuestion.fromAdmin({ stale_sessions_expired: 12, local_sessions: 0 }, 's')).toEqual({
      expired: 12,
      local: 0,
    });
    expect(reachedQuestion.fromAdmin({ server_stats: { last_processed_zxid: 5 } }, 's')).toBe(5n);
    expect(loneQuestion.fromAdmin({ server_stats: { server_state: 'standalone' } }, 's')).toBe(true);
    expect(shortestTimeoutQuestion.fromAdmin({ min_session_timeout: 4_000 }, 's')).toBe(4_000);
  });

  it.each(['', 'zk_stale_sessions_expired\t-1', 'Zxid: 0xzz', 'minSessionTimeout=many', 'HTTP/1.1 400'])(
    'are not read from %j',
    text => {
      for (const question of [sessionCountsQuestion, loneQuestion, shortestTimeoutQuestion]) {
        expect(question.fromWord(text, 's')).toBeUndefined();
        expect(question.fromAdmin(text, 's')).toBeUndefined();
      }
      expect(reachedQuestion.fromWord(text, 's')).toBeUndefined();
      expect(reachedQuestion.fromAdmin(text, 's')).toBeUndefined();
    },
  );

  it('are read in parts that leave others their turn, however many connections there are', () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, at) => ` /10.0.0.1:${at}[1](queued=0,sid=0x${(at + 1).toString(16)})`,
    );
    const reading = parsingCons(lines.join('\n'), 's');
    let parts = 1;
    let longest = 0;
    for (let begun = performance.now(); ; parts++) {
      const step = reading.next();
      longest = Math.max(longest, performance.now() - begun);
      begun = performance.now();
      if (step.done === true) {
        expect(step.value?.size).toBe(10_000);
        break;
      }
    }
    expect(parts).toBeGreaterThan(100);
    expect(longest).toBeLessThan(50);
  });
});
