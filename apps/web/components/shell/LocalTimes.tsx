"use client";

import { useEffect } from "react";
import { localTimeText } from "../../lib/record/times.ts";

function showLocalTime({ target }: Event): void {
  const time = target instanceof Element ? target.closest("time") : null;
  if (time) time.title = `${localTimeText(new Date(time.dateTime))}, your time`;
}

/** Adds the reader's local time to the time under the pointer. Pages show UTC. */
export function LocalTimes() {
  useEffect(() => {
    addEventListener("pointerover", showLocalTime);
    return () => removeEventListener("pointerover", showLocalTime);
  }, []);
  return null;
}
