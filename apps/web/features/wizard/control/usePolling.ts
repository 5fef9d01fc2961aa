import { useEffect, useRef, useState } from "react";

/** Milliseconds after which nobody is asked any more. */
export const WATCH_TIME = 30 * 60_000;
const FIRST_DELAY = 12_000;
const LONGEST_DELAY = 60_000;

/** Milliseconds before the next look, after so many: rising, so that an issuer's limits are not used up. */
export const getPollingDelay = (looks: number): number => Math.min(LONGEST_DELAY, FIRST_DELAY * 1.4 ** looks);

/** Where a watch stands. `at`: when it looks next, Unix milliseconds. */
export type PollingState = "off" | "looking" | "over" | { at: number };

/** Looks again and again while it is on and the page is in sight, each time a little later. */
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
