/**
 * States of a session or lease in turn: `uncertain` once for every outage, although it is reported again with each further reason.
 *
 * @param states as they were reported
 */
export function turnsOf<State extends string>(states: readonly State[]): State[] {
  return states.filter((state, index) => state !== 'uncertain' || states[index - 1] !== 'uncertain');
}
