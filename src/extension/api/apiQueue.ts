import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { ApiContender, ApiQueue } from './api.ts';

/** A 64-bit id as text. */
export function hexText(id: bigint): string {
  return `0x${id.toString(16)}`;
}

function apiContender({ ownerSession, czxid, ...fields }: Contender): ApiContender {
  return Object.freeze({ ...fields, ownerSession: hexText(ownerSession), czxid: hexText(czxid) });
}

/** A queue as others see it: a frozen copy without a bigint. */
export function apiQueue({ contenders, strangers, hazards, ...fields }: LockQueue): ApiQueue {
  return Object.freeze({
    ...fields,
    contenders: Object.freeze(contenders.map(contender => apiContender(contender))),
    strangers: Object.freeze([...strangers]),
    hazards: Object.freeze(hazards.map(({ kind, names }) => Object.freeze({ kind, names: Object.freeze([...names]) }))),
  });
}
