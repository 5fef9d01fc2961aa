const day = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
const minute = { hour: "2-digit", minute: "2-digit", timeZone: "UTC" } as const;
const dayFormat = new Intl.DateTimeFormat("en-GB", day);
const minuteFormat = new Intl.DateTimeFormat("en-GB", minute);
const secondFormat = new Intl.DateTimeFormat("en-GB", { ...minute, second: "2-digit" });

/** Formats a time in UTC: "21 Nov 2026, 13:02 UTC", with seconds if `precise`. */
export const dateTimeText = (date: Date, precise = false): string =>
  `${dayFormat.format(date)}, ${(precise ? secondFormat : minuteFormat).format(date)} UTC`;

/** Formats a day in UTC: "22 Nov 2027". */
export const dayText = (date: Date): string => dayFormat.format(date);
