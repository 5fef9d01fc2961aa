import type { LivePeriod } from "@app-registry/sdk";
import { dayText } from "../../../lib/record/times.ts";
import styles from "./live.module.css";
import { groupConsecutiveDays, type LiveState, lastDays, liveStateWords } from "./liveDays.ts";

/** States in the order of the legend. */
const states: readonly LiveState[] = ["answers", "changed", "down", "unknown", "none"];

const dateText = (day: string) => dayText(new Date(`${day}T00:00:00Z`));

/** Shows the results of the last 90 days, as a strip of marks and in words. */
export function LiveHistory({ history }: { history: readonly LivePeriod[] }) {
  const days = lastDays(history, Date.now());
  const present = states.filter((state) => days.some((day) => day.state === state));
  const getCount = (state: LiveState) => days.filter((day) => day.state === state).length;
  return (
    <div className="stack">
      <h3 className="minor">Last 90 days</h3>
      <div className={styles.strip} aria-hidden="true">
        {days.map(({ day, state }) => (
          <span key={day} data-state={state} title={`${dateText(day)}: ${liveStateWords[state]}`} />
        ))}
      </div>
      <p className={`quiet ${styles.ends}`} aria-hidden="true">
        <span>{dateText(days[0]?.day ?? "")}</span>
        <span>today</span>
      </p>
      <ul className="row small soft" aria-label="Live check results by day">
        {present.map((state) => (
          <li key={state} className={styles.legend}>
            <span className={styles.strip} aria-hidden="true">
              <span data-state={state} />
            </span>
            {getCount(state)} {getCount(state) === 1 ? "day" : "days"}: {liveStateWords[state]}
          </li>
        ))}
      </ul>
      <details className="fold">
        <summary>Day by day</summary>
        <ol className="stack">
          {groupConsecutiveDays(days).map(({ from, to, state }) => (
            <li key={from}>
              {from === to ? dateText(from) : `${dateText(from)} to ${dateText(to)}`}: {liveStateWords[state]}
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}
