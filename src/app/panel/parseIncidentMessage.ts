import * as v from 'valibot';
import { incidentActions, incidentFilterLimit, lockLimit, type IncidentPageMessage } from '../../incidentProtocol.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const view = v.object({
  filter: v.pipe(v.string(), v.maxLength(incidentFilterLimit)),
  // A page may have kept more than is shown at most.
  shown: v.pipe(
    count,
    v.transform(shown => Math.min(shown, lockLimit)),
  ),
});

const message = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'view']), view }),
  v.object({ type: v.literal('showLock'), id: count }),
  v.object({ type: v.literal('act'), action: v.picklist(incidentActions) }),
]);

/** Checks a message from the page of an incident file. @returns `undefined` if it is malformed */
export function parseIncidentMessage(value: unknown): IncidentPageMessage | undefined {
  // A clone has own fields only: nothing is taken from a prototype.
  const { success, output } = v.safeParse(message, structuredClone(value));
  return success ? output : undefined;
}
