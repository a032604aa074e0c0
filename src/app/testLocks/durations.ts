/** One day: longer times are refused as mistakes. */
export const longestMs = 24 * 3_600_000;

const unitMs = new Map([
  ['', 1000],
  ['s', 1000],
  ['sec', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  // The units of the Chinese texts.
  ['秒', 1000],
  ['分', 60_000],
  ['分钟', 60_000],
  ['小时', 3_600_000],
]);

/**
 * Reads a typed duration: `90`, `90 s`, `5 min`, `1.5h`, `5 分钟`; a bare number is seconds.
 *
 * @returns ms, or `undefined` if it cannot be read, is not positive or is longer than a day
 */
export function parseDuration(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)\s*([a-z]*|\p{Script=Han}*)$/iu.exec(text.trim());
  const unit = unitMs.get(parts?.[2]?.toLowerCase() ?? '?');
  if (parts === null || unit === undefined) return undefined;
  const ms = Math.round(Number(parts[1]) * unit);
  return ms >= 1 && ms <= longestMs ? ms : undefined;
}

/** A choice of how long to wait: `timeoutMs` as in `AcquireOptions`; `other`: type it. */
export type WaitChoice = { kind: 'limit'; timeoutMs: number | undefined } | { kind: 'other' };

export const waitChoices: readonly WaitChoice[] = [
  { kind: 'limit', timeoutMs: 0 },
  { kind: 'limit', timeoutMs: 10_000 },
  { kind: 'limit', timeoutMs: 60_000 },
  { kind: 'limit', timeoutMs: undefined },
  { kind: 'other' },
];

/** A choice of when a lock is released by itself; `other`: type it. */
export type AutoReleaseChoice = { kind: 'after'; ms: number } | { kind: 'other' } | { kind: 'never' };

/**
 * The choices for auto-release, shortest first. `never` comes last, so that it is not picked by habit, and is missing on
 * production, where a forgotten lock would stop services.
 *
 * @param defaultMs from the settings
 */
export function autoReleaseChoices(defaultMs: number, isProduction: boolean): AutoReleaseChoice[] {
  const spans = [...new Set([10_000, defaultMs, 60_000, 300_000])].sort((a, b) => a - b);
  const choices: AutoReleaseChoice[] = spans.map(ms => ({ kind: 'after', ms }));
  choices.push({ kind: 'other' });
  if (!isProduction) choices.push({ kind: 'never' });
  return choices;
}

/** The choices with the one that was typed when the question was asked before, beside the one that leads to typing. */
export function withTyped<T extends { kind: string }>(choices: readonly T[], typed: T): T[] {
  return choices.flatMap(choice => (choice.kind === 'other' ? [typed, choice] : [choice]));
}

/**
 * The choices, and the one that Enter takes: what was answered before, as long as it is offered.
 *
 * @param answer ms; `defaultMs` is from the settings
 */
export function autoReleaseOffer(
  answer: number | 'never',
  defaultMs: number,
  isProduction: boolean,
): { choices: AutoReleaseChoice[]; active: AutoReleaseChoice | undefined } {
  const matching = (choices: AutoReleaseChoice[], wanted: number | 'never'): AutoReleaseChoice | undefined =>
    choices.find(choice => (choice.kind === 'after' ? choice.ms : choice.kind) === wanted);
  let choices = autoReleaseChoices(defaultMs, isProduction);
  if (answer !== 'never' && matching(choices, answer) === undefined)
    choices = withTyped(choices, { kind: 'after', ms: answer });
  return { choices, active: matching(choices, answer) ?? matching(choices, defaultMs) };
}

/** The time that is left, as a clock shows it: `0:42`, `12:05`, `1:00:00`; rounded up, so that `0:00` means now. */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0
    ? `${String(hours)}:${two(minutes)}:${two(seconds % 60)}`
    : `${String(minutes)}:${two(seconds % 60)}`;
}

/**
 * The time that is left, ms, in the steps that a row shows: drawing a row again closes its tooltip, so the steps are seconds only
 * near the end. Rounded up.
 */
export function shownLeft(leftMs: number): number {
  const step = leftMs > 60_000 ? 10_000 : leftMs > 10_000 ? 5_000 : 1_000;
  return Math.ceil(Math.max(0, leftMs) / step) * step;
}

/** How long a lock has been held, ms, in the steps that a row shows. Rounded down. */
export function shownAge(ageMs: number): number {
  const step = ageMs < 60_000 ? 5_000 : 60_000;
  return Math.floor(Math.max(0, ageMs) / step) * step;
}

/** A duration as a number of the largest unit that divides it. */
export function spanParts(ms: number): { count: number; unit: 's' | 'min' | 'h' } {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return { count: ms / 3_600_000, unit: 'h' };
  if (ms >= 60_000 && ms % 60_000 === 0) return { count: ms / 60_000, unit: 'min' };
  return { count: ms / 1000, unit: 's' };
}
