/** A moment in ISO 8601, UTC; a number outside the range of a date as it is. @param epochMs a server may report any number */
export function isoTime(epochMs: number): string {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? String(epochMs) : date.toISOString();
}
