const day = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
const minute = { hour: "2-digit", minute: "2-digit", timeZone: "UTC" } as const;
const dayFormat = new Intl.DateTimeFormat("en-GB", day);
const minuteFormat = new Intl.DateTimeFormat("en-GB", minute);
const secondFormat = new Intl.DateTimeFormat("en-GB", { ...minute, second: "2-digit" });

/** Formats a time in UTC: "21 Nov 2026, 13:02 UTC", with seconds if `precise`. */
export const dateTimeText = (date: Date, precise = false): string =>
  `${dayFormat.format(date)}, ${(precise ? secondFormat : minuteFormat).format(date)} UTC`;

const localFormat = new Intl.DateTimeFormat("en-GB", {
  ...day,
  ...minute,
  timeZone: undefined,
  timeZoneName: "short",
});

/** Formats a time in the reader's time zone: "21 Nov 2026, 14:02 CET". Only for the browser. */
export const localTimeText = (date: Date): string => localFormat.format(date);

/** Matches the times in a sentence, which are written as in ISO 8601. */
export const sentenceTimes = /(\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)/g;

/** Writes a time (Unix seconds) for a sentence whose times are formatted later. */
export const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Formats the times in a sentence. */
export const formatTimes = (text: string): string =>
  text.replace(sentenceTimes, (time) => dateTimeText(new Date(time)));

/** Formats a day in UTC: "22 Nov 2027". */
export const dayText = (date: Date): string => dayFormat.format(date);
