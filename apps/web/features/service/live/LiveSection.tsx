import { type LivePeriod, type LiveRecord, type ServiceProbe, visibleText } from "@app-registry/sdk";
import Link from "next/link";
import type { ReactNode } from "react";
import { DefinitionLines } from "../../../components/record/documents.tsx";
import { TimeText } from "../../../components/record/labels.tsx";
import record from "../../../components/record/record.module.css";
import { LedgerSection } from "../../../components/shell/shell.tsx";
import { dayText } from "../../../lib/record/times.ts";
import styles from "../service.module.css";
import {
  countProbes,
  groupConsecutiveDays,
  type LiveState,
  lastDays,
  liveOutcomeWords,
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
      title="Live history"
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

type EndpointProbe = ServiceProbe["endpoints"][number];
type Comparison = NonNullable<EndpointProbe["comparison"]>;

/** Maximum number of changes to show per endpoint. The API returns all of them. */
const MAX_CHANGES = 30;

/** Shows the last response of each endpoint and its differences from the registered version. */
function LiveEndpoints({ endpoints }: { endpoints: readonly EndpointProbe[] }) {
  return (
    <ul className="ruled">
      {endpoints.map(({ name, url, outcome, reason, latencyMs, protocolVersion, comparison }) => (
        <li key={`${name} ${url}`} className="stack">
          <h3 className="row minor">
            <bdi>{visibleText(name)}</bdi>
            <span className="small">{liveOutcomeWords[outcome]}</span>
            {outcome === "unknown" ? null : (
              <span className="quiet">
                in {latencyMs.toLocaleString("en")} ms
                {protocolVersion === undefined ? "" : `, protocol ${visibleText(protocolVersion)}`}
              </span>
            )}
          </h3>
          <p className="soft anywhere">
            <bdi>{visibleText(reason)}</bdi>
          </p>
          {comparison === undefined ? null : <Changes comparison={comparison} />}
        </li>
      ))}
    </ul>
  );
}

function Changes({ comparison: { outcome, changes } }: { comparison: Comparison }) {
  if (outcome === "same") return <p className="soft">Matches the registered version.</p>;
  if (outcome === "not-comparable") {
    return <p className="soft">The registered document lists nothing to compare.</p>;
  }
  return (
    <>
      <p className="strong">Differs from the registered version:</p>
      <ul className="stack2" aria-label="Differences">
        {changes.slice(0, MAX_CHANGES).map(({ kind, name, change, breaks, diff }) => (
          <li key={`${kind} ${name}`} className="stack">
            <p className="row anywhere">
              <span>
                {kind === "instructions" ? null : `${kind} `}
                <code className="strong">{visibleText(name)}</code> {change}
              </span>
              {breaks === undefined ? null : (
                <span className="quiet">
                  May break callers: <bdi>{visibleText(breaks)}</bdi>
                </span>
              )}
            </p>
            <DiffLines lines={diff} />
          </li>
        ))}
      </ul>
      {changes.length > MAX_CHANGES ? (
        <p className="quiet">{changes.length - MAX_CHANGES} more changes. See all in the HTTP API.</p>
      ) : null}
    </>
  );
}

/** Renders the lines of a diff as untrusted text: `-` is the registered version, `+` the served one. */
function DiffLines({ lines }: { lines: readonly string[] }) {
  return (
    <div className="stack small">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity and never change
        <DiffLine key={index} line={line} />
      ))}
    </div>
  );
}

function DiffLine({ line }: { line: string }) {
  const text = visibleText(line);
  if (line.startsWith("-")) return <del className={`mono ${record.before}`}>{text}</del>;
  if (line.startsWith("+")) return <ins className={`mono ${record.after}`}>{text}</ins>;
  return <p>{text}</p>;
}
