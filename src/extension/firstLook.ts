import { QueueMarks } from '../app/clusters/queueMarks.ts';
import { openSession } from '../app/security/openSession.ts';
import { findLocks } from '../inspector/findLocks.ts';
import { readQueues } from '../inspector/readQueues.ts';
import { watchQueues } from '../inspector/watchQueues.ts';

/** What a first connection and its rows need, apart from the commands: the first rows need not wait for `onDemand.ts`. */
export const firstLook = { findLocks, openSession, QueueMarks, readQueues, watchQueues };
