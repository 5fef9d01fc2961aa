import { useEffect, useRef, useState } from "react";

/** Time after which polling ends, in milliseconds. */
export const WATCH_TIME = 30 * 60_000;
const FIRST_DELAY = 12_000;
const LONGEST_DELAY = 60_000;

/**
 * Returns the delay before the next check, in milliseconds. It grows with each check to stay within the issuer's
 * limits.
 */
export const getPollingDelay = (looks: number): number => Math.min(LONGEST_DELAY, FIRST_DELAY * 1.4 ** looks);

/** State of a poll. `at`: time of the next check, in Unix milliseconds. */
export type PollingState = "off" | "looking" | "over" | { at: number };

/** Repeats a check with growing delays while `isOn` is true and the page is visible. */
export function usePolling(look: () => Promise<unknown>, isOn: boolean): PollingState {
  const [watch, setWatch] = useState<PollingState>("off");
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!isOn) return;
    const endsAt = Date.now() + WATCH_TIME;
    let looks = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let dueAt: number | undefined;
    let isEnded = false;
    const arm = () => {
      clearTimeout(timer);
      if (dueAt !== undefined && !document.hidden) timer = setTimeout(run, Math.max(0, dueAt - Date.now()));
    };
    const plan = () => {
      if (isEnded) return;
      const at = Date.now() + getPollingDelay(looks);
      looks += 1;
      dueAt = at > endsAt ? undefined : at;
      setWatch(dueAt === undefined ? "over" : { at });
      arm();
    };
    const run = async () => {
      dueAt = undefined;
      setWatch("looking");
      await latest.current().catch(() => undefined);
      plan();
    };
    plan();
    document.addEventListener("visibilitychange", arm);
    return () => {
      isEnded = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", arm);
      setWatch("off");
    };
  }, [isOn]);
  return watch;
}
