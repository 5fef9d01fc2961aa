const dateFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

const preciseFormat = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: "UTC",
});

/** "21 Nov 2026", in UTC. */
export function dateText(date: Date): string {
  return dateFormat.format(date);
}

/** "21 Nov 2026, 13:02 UTC". */
export function dateTimeText(date: Date): string {
  return `${dateFormat.format(date)}, ${timeFormat.format(date)} UTC`;
}

/** "21 Nov 2026, 13:02:45 UTC". */
export function preciseTimeText(date: Date): string {
  return `${dateFormat.format(date)}, ${preciseFormat.format(date)} UTC`;
}
