import type { SeededRandom } from '../support/seededRandom.ts';
import { randomRequest, randomPipeline } from './randomRequests.ts';
import type { Request } from './requests.ts';

/**
 * One step of one session. A session that has no connection gets one first: with its id and password if it lives, otherwise as a
 * new session.
 */
export type Step =
  /** In one write; several are answered in order. */
  | { kind: 'requests'; session: number; requests: Request[] }
  /** A second connection takes the session over. */
  | { kind: 'move'; session: number; how: 'right' | 'wrong password' | 'zxid ahead' | 'without read-only' }
  /** The connection breaks; the session lives on. */
  | { kind: 'disconnect'; session: number }
  /** The client falls silent until the server ends the session. */
  | { kind: 'expire'; session: number };

export interface Program {
  /** Session time-outs that the clients ask for, ms. */
  timeouts: number[];
  steps: Step[];
}

/** Long enough that no session ends on a slow machine; the last is beyond what servers grant. */
const timeouts = [20_000, 30_000, 45_000, 90_000];

/** @returns 10 to 60 steps of 1 to 4 sessions */
export function randomProgram(random: SeededRandom): Program {
  const sessions = 1 + random.below(4);
  const length = 10 + random.below(51);
  const program: Program = { timeouts: Array.from({ length: sessions }, () => random.pick(timeouts)), steps: [] };
  program.steps.push({ kind: 'requests', session: 0, requests: firstNodes(random) });
  while (program.steps.length < length) program.steps.push(randomStep(random, random.below(sessions)));
  // Waiting for an expiry takes far longer than all else together.
  if (random.below(25) === 0) {
    const at = 1 + random.below(program.steps.length);
    program.steps.splice(at, 0, { kind: 'expire', session: random.below(sessions) });
  }
  return program;
}

/** Without nodes to act upon most requests would be answered NO_NODE. */
function firstNodes(random: SeededRandom): Request[] {
  const paths = ['/~/a', '/~/b', '/~/a/x', '/~/a/x/k'].slice(0, 1 + random.below(4));
  const acl = [{ perms: 31, scheme: 'world', id: 'anyone' }];
  return paths.map(path => ({ op: 'create', path, data: 'first', acl, flags: 0 }));
}

function randomStep(random: SeededRandom, session: number): Step {
  const dice = random.below(100);
  if (dice < 3) return { kind: 'move', session, how: 'right' };
  if (dice === 3)
    return { kind: 'move', session, how: random.pick(['wrong password', 'zxid ahead', 'without read-only']) };
  if (dice < 7) return { kind: 'disconnect', session };
  if (dice < 14) return { kind: 'requests', session, requests: randomPipeline(random) };
  return { kind: 'requests', session, requests: [randomRequest(random)] };
}
