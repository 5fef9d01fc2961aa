import { dateText, dateTimeText, preciseTimeText } from "./time.ts";

type TimeTextProps = {
  /** Unix time in seconds. */
  seconds: number;
  /** Leaves the time of day away. */
  dateOnly?: boolean;
  /** Shows the seconds. */
  precise?: boolean;
};

/** A moment of the register, in UTC, so that everyone reads the same. */
export function TimeText({ seconds, dateOnly = false, precise = false }: TimeTextProps) {
  const date = new Date(seconds * 1000);
  const text = dateOnly ? dateText(date) : precise ? preciseTimeText(date) : dateTimeText(date);
  return <time dateTime={date.toISOString()}>{text}</time>;
}
