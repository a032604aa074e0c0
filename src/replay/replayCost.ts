import type { Change } from '../dataTree/transaction.ts';
import type { StoredData } from './storedData.ts';

/** So many bytes of data take less time to read and check than a transaction takes without them. */
const bytesPerUnit = 1_024;

/** How long a change takes when it is read from its log and replayed, compared with a small transaction, which takes 1. */
export function replayCost(change: Change<StoredData>): number {
  switch (change.type) {
    case 'multi':
      return change.parts.reduce((sum, part) => sum + replayCost(part), 1);
    case 'closeSession':
      return 1 + (change.paths?.length ?? 0);
    case 'create':
    case 'setData':
      return 1 + (change.data?.length ?? 0) / bytesPerUnit;
    default:
      return 1;
  }
}
