import { type AppStatus, appStatusLabels, type LiveStatus } from "@app-registry/sdk";
import { Fragment } from "react";
import { Skeleton } from "../../components/controls/controls.tsx";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import {
  type FactOutcomes,
  factSummary,
  openFacts,
  passCount,
  unknownWord,
} from "../../lib/record/factSummary.ts";
import { type FactName, factTexts } from "../../lib/record/facts.ts";
import { dayText } from "../../lib/record/times.ts";
import styles from "./explore.module.css";

type RowFactsProps = {
  outcomes: FactOutcomes;
  status: AppStatus;
  /** Result of the last live check. */
  live?: LiveStatus | undefined;
};

/** Shows how many checked facts of a row pass, and names each other fact. A missing live check is only noted. */
export function RowFacts({ outcomes, status, live }: RowFactsProps) {
  const open = openFacts(outcomes);
  if (open.every((name) => name === "live" && outcomes.live === "unknown")) {
    return (
      <div className={styles.open}>
        <p className="quiet">
          <StatusMark outcome="pass" quiet />
          {factSummary(outcomes)
            .split(/(?<=;) /)
            .map((clause) => (
              <Fragment key={clause}>
                {" "}
                <span>{clause}</span>
              </Fragment>
            ))}
        </p>
      </div>
    );
  }
  const words = (name: FactName) => {
    if (outcomes[name] === "unknown") return unknownWord(name);
    if (name === "live" && live !== undefined) return formatDeadSince(live);
    return name === "record" && status !== 0 ? appStatusLabels[status] : factTexts[name].fails;
  };
  return (
    <div className={styles.open}>
      <p className="quiet">{passCount(outcomes)}</p>
      <ul aria-label="Facts that fail or are unknown">
        {open.map((name) => (
          <li key={name}>
            <StatusMark outcome={outcomes[name]} quiet={name === "live" && outcomes.live === "unknown"} />{" "}
            {factTexts[name].label}: {words(name)}
          </li>
        ))}
      </ul>
    </div>
  );
}

const deadOutcomes: Record<LiveStatus["outcome"], string> = {
  answers: "differs from the registered version",
  gated: "differs from the registered version",
  failing: "fails",
  "other-protocol": "unexpected response",
  unreachable: "unreachable",
  unknown: factTexts.live.fails,
};

/** Describes a failed live check: "unreachable since 21 Nov 2026". */
function formatDeadSince({ outcome, answeredAt }: LiveStatus): string {
  const words = deadOutcomes[outcome];
  if (outcome === "answers" || outcome === "gated") return words;
  return answeredAt === null
    ? `${words}, never responded`
    : `${words} since ${dayText(new Date(answeredAt * 1_000))}`;
}

/** Placeholder for the facts of a row. */
export function RowFactsSkeleton() {
  return (
    <span className="bar">
      <span className="quiet">Checking…</span>
      <Skeleton circle height={16} />
    </span>
  );
}
