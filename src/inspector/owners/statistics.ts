import { mapOf } from '../../locks/nodeData.ts';
import type { Question } from './askServer.ts';
import { hexSessionId, toSessionId } from './parseAnswers.ts';

// Single numbers out of long reports. Answers of servers are foreign text: what does not look as expected is left out.

function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function numberOf(answer: unknown, name: string): number | undefined {
  const value = mapOf(answer)?.get(name);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** What a leader or lone server counts of its sessions (3.6+). */
export interface SessionCounts {
  /** How many it has let expire since it started. The count rises as the session leaves its list. */
  expired?: number;
  /** Of an ensemble: how many of its own clients have sessions that no other server knows (`localSessionsEnabled`). */
  local?: number;
}

export const sessionCountsQuestion: Question<SessionCounts> = {
  name: 'statistics',
  command: 'monitor',
  word: 'mntr',
  fromAdmin: answer => countsOf(name => numberOf(answer, name)),
  fromWord: text => countsOf(name => countIn(new RegExp(`^zk_${name}\\t(\\d+)(?:\\.0)?\\r?$`, 'm').exec(text)?.[1])),
};

function countsOf(count: (name: string) => number | undefined): SessionCounts | undefined {
  const expired = count('stale_sessions_expired');
  const local = count('local_sessions');
  if (expired === undefined && local === undefined) return undefined;
  return { ...(expired === undefined ? {} : { expired }), ...(local === undefined ? {} : { local }) };
}

/** The last transaction that a server has applied. */
export const reachedQuestion: Question<bigint> = {
  name: 'statistics',
  command: 'server_stats',
  word: 'srvr',
  fromAdmin: answer => toSessionId(mapOf(mapOf(answer)?.get('server_stats'))?.get('last_processed_zxid')),
  fromWord: text => hexSessionId(/^Zxid: (0x[0-9a-f]+)\r?$/im.exec(text)?.[1] ?? ''),
};

/** Whether a server is no member of an ensemble. */
export const loneQuestion: Question<boolean> = {
  name: 'statistics',
  command: 'server_stats',
  word: 'srvr',
  fromAdmin: answer => isStandalone(mapOf(mapOf(answer)?.get('server_stats'))?.get('server_state')),
  fromWord: text => isStandalone(/^Mode: (\S+)\r?$/m.exec(text)?.[1]),
};

function isStandalone(mode: unknown): boolean | undefined {
  return typeof mode === 'string' ? mode === 'standalone' : undefined;
}

/** The shortest time-out that a server grants to a session, ms. */
export const shortestTimeoutQuestion: Question<number> = {
  name: 'statistics',
  command: 'configuration',
  word: 'conf',
  fromAdmin: answer => numberOf(answer, 'min_session_timeout'),
  fromWord: text => countIn(/^minSessionTimeout=(\d+)\r?$/m.exec(text)?.[1]),
};
