import type { LivePeriod, LiveRecord } from "@app-registry/sdk";
import Link from "next/link";
import type { ReactNode } from "react";
import { DefinitionLines } from "../../../components/record/documents.tsx";
import { TimeText } from "../../../components/record/labels.tsx";
import { LedgerSection } from "../../../components/shell/shell.tsx";
import { dayText } from "../../../lib/record/times.ts";
import { LiveEndpoints } from "./LiveEndpoints.tsx";
import styles from "./live.module.css";
import {
  countProbes,
  groupConsecutiveDays,
  type LiveState,
  lastDays,
  liveStateWords,
  summarizeDays,
} from "./liveDays.ts";

/** Shows the live check results of a service's current version, with their history. */
export function LiveSection({ live }: { live: LiveRecord }) {
  const { probe, answeredAt, nextAt, history } = live;
  const wasChecked = history.some((period) => countProbes(period).asked > 0);
  const isChecked = probe !== null && probe.endpoints.length > 0;
  const isMcp = probe?.endpoints.some(({ protocol }) => protocol === "mcp");
  const lines = [
    {
      term: "Last check",
      value: isChecked ? (
        <TimeText seconds={Math.floor(probe.probedAt / 1_000)} precise />
      ) : (
        (probe?.reason ?? "not yet")
      ),
    },
    {
      term: "Last response",
      value: answeredAt === null ? "never" : <TimeText seconds={answeredAt} precise />,
    },
    { term: "Next check", value: nextAt === null ? "not scheduled" : <TimeText seconds={nextAt} /> },
  ];
  return (
    <LedgerSection
      title="Live"
      id="live"
      note={
        <>
          What the service returned to this registry. Others may get a different response.{" "}
          <Link href="/prober" prefetch={false}>
            About live checks
          </Link>
        </>
      }
    >
      {isChecked || wasChecked ? (
        <div className="stack3">
          <DefinitionLines lines={lines} />
          <LiveHistory history={history} />
          {probe === null ? null : <LiveEndpoints endpoints={probe.endpoints} />}
          {isMcp ? <Guard /> : null}
        </div>
      ) : (
        <p>
          {probe !== null ? (
            probe.reason
          ) : nextAt === null ? (
            "Not checked."
          ) : (
            <>
              Not checked yet. First check: <TimeText seconds={nextAt} />.
            </>
          )}
        </p>
      )}
    </LedgerSection>
  );
}

/** Links to the commands for the guard, which compares tools on every use. */
function Guard() {
  return (
    <p className="prose">
      A server can show you different tools from those it showed this registry.{" "}
      <a href="#connect">Connect through the guard</a> to compare them on every use and block anything that
      isn't registered.
    </p>
  );
}

/** States in the order of the legend. */
const states: readonly LiveState[] = ["answers", "down", "unknown", "none"];

const dateText = (day: string) => dayText(new Date(`${day}T00:00:00Z`));

/** Lowest bar of the latency chart, in percent, so that a fast day can be seen. */
const LOWEST_BAR = 8;

/** Shows uptime, latency and drift of the last 90 days, each as a strip of days and in words. */
function LiveHistory({ history }: { history: readonly LivePeriod[] }) {
  const days = lastDays(history, Date.now());
  const { uptime, latency, drift } = summarizeDays(days);
  const slowest = Math.max(1, ...days.map(({ latencyMs = 0 }) => latencyMs));
  const present = states.filter((state) => days.some((day) => day.state === state));
  const getCount = (state: LiveState) => days.filter((day) => day.state === state).length;
  return (
    <div className="stack2">
      <h3 className="minor">Last 90 days</h3>
      <Strip title="Uptime" summary={uptime}>
        {days.map(({ day, state }) => (
          <span key={day} data-state={state} title={`${dateText(day)}: ${liveStateWords[state]}`} />
        ))}
      </Strip>
      <ul className="row small soft" aria-label="Live check results by day">
        {present.map((state) => (
          <li key={state} className="bar">
            <span className={styles.strip} style={{ width: 6, height: 14 }} aria-hidden="true">
              <span data-state={state} />
            </span>
            {getCount(state)} {getCount(state) === 1 ? "day" : "days"}: {liveStateWords[state]}
          </li>
        ))}
      </ul>
      <Strip title="Slowest response" summary={latency}>
        {days.map(({ day, latencyMs }) => (
          <span
            key={day}
            data-state={latencyMs === undefined ? "none" : "latency"}
            style={
              latencyMs === undefined
                ? {}
                : { height: `${Math.max(LOWEST_BAR, (100 * latencyMs) / slowest)}%` }
            }
            title={`${dateText(day)}: ${latencyMs === undefined ? "not measured" : `${latencyMs.toLocaleString("en")} ms`}`}
          />
        ))}
      </Strip>
      <Strip title="Drift" summary={drift}>
        {days.map(({ day, isChanged }) => (
          <span
            key={day}
            data-state={isChanged ? "changed" : "none"}
            title={`${dateText(day)}: ${isChanged ? "differed from the registered version" : "no difference"}`}
          />
        ))}
      </Strip>
      <p className="row apart quiet" aria-hidden="true">
        <span>{dateText(days[0]?.day ?? "")}</span>
        <span>today</span>
      </p>
      <details className="fold">
        <summary>Day by day</summary>
        <ol className="stack">
          {groupConsecutiveDays(days).map(({ from, to, text }) => (
            <li key={from}>
              {from === to ? dateText(from) : `${dateText(from)} to ${dateText(to)}`}: {text}
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}

type StripProps = { title: string; summary: string; children: ReactNode };

/** Renders a strip of days below its title and its summary in words. */
const Strip = ({ title, summary, children }: StripProps) => (
  <div className="stack">
    <p>
      <span className="strong">{title}:</span> {summary}
    </p>
    <div className={styles.strip} aria-hidden="true">
      {children}
    </div>
  </div>
);
