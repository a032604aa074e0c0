import type { HolderSightings } from '../../history/holderSightings.ts';

/** Since when the holders of a cluster hold, beyond what their nodes prove: by what this window saw, or by a recording. */
export type Sightings = Pick<HolderSightings, 'aheadMs' | 'note' | 'narrow' | 'afterClockJump' | 'clear'>;
