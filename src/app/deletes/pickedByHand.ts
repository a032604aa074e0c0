/**
 * What stays picked after the check boxes of a list have changed. VS Code has one box that ticks all lines at once and does not say
 * that it was used. So a line that is never picked, the guard, stands among them: when it is ticked too, all were ticked at once,
 * and the dangerous lines of that change were not chosen by hand.
 *
 * @param before what was picked
 * @param after what is ticked now
 */
export function pickedByHand<T>(
  before: readonly T[],
  after: readonly T[],
  { guard, isDangerous }: { guard: T; isDangerous: (line: T) => boolean },
): T[] {
  const allAtOnce = after.includes(guard);
  return after.filter(line => line !== guard && !(allAtOnce && isDangerous(line) && !before.includes(line)));
}
