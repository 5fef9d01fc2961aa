/** Formats a time in Unix seconds as ISO 8601, or as a number if it is beyond the range of a Date. */
export function isoTime(seconds: number | bigint): string {
  const date = new Date(Number(seconds) * 1_000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace(".000Z", "Z");
}
