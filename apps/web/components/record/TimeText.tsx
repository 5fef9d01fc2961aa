import { dateText, dateTimeText } from "./time.ts";

type TimeTextProps = {
  /** Unix time in seconds. */
  seconds: number;
  /** Leaves the time of day away. */
  dateOnly?: boolean;
};

/** A moment of the register, in UTC, so that everyone reads the same. */
export function TimeText({ seconds, dateOnly = false }: TimeTextProps) {
  const date = new Date(seconds * 1000);
  return <time dateTime={date.toISOString()}>{dateOnly ? dateText(date) : dateTimeText(date)}</time>;
}
