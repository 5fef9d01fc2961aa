"use client";

import { relativeTime } from "./relativeTime.ts";

const format = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

type LocalTimeProps = {
  /** Unix seconds. */
  seconds: number;
  /** The chain's time, Unix seconds: how far away it is from then. */
  now: number;
};

/** A moment that a person waits for, by their own clock, and how far away it is. Only for parts drawn in the browser. */
export function LocalTime({ seconds, now }: LocalTimeProps) {
  const date = new Date(seconds * 1_000);
  return (
    <>
      <time dateTime={date.toISOString()}>{format.format(date)}</time> ({relativeTime(seconds, now)})
    </>
  );
}
