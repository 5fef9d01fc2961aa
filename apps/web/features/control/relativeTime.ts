const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const amount = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** "in 1 day 22 hours", "3 days ago", "in less than a minute": the two largest units, cut and not rounded. */
export function relativeTime(seconds: number, now: number): string {
  let left = Math.abs(seconds - now);
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { unit, count };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  const text =
    first === -1
      ? "less than a minute"
      : parts
          .slice(first, first + 2)
          .filter(({ count }) => count > 0)
          .map(({ unit, count }) => amount(count, unit))
          .join(" ");
  return seconds > now ? `in ${text}` : `${text} ago`;
}
