import { type AppStatus, type LiveMark, statusNames } from "@app-registry/sdk";
import { Skeleton } from "../../components/controls/controls.tsx";
import { type ChainFactName, chainFactNames, factTexts, StatusMark } from "../../components/record/facts.tsx";
import { dayText } from "../../components/record/times.ts";
import styles from "./explore.module.css";
import type { Outcomes } from "./searchServices.ts";

type RowFactsProps = {
  outcomes: Outcomes;
  status: AppStatus;
  /** What the registry was served, of a service whose fact *live* fails. */
  dead?: LiveMark | undefined;
};

/** The facts of a row that do not pass, each in words; a quiet line when all do. A service that was not asked is no worse. */
export function RowFacts({ outcomes, status, dead }: RowFactsProps) {
  const open = chainFactNames.filter((name) => outcomes[name] !== "pass");
  if (open.length === 0 && dead === undefined) {
    return (
      <p className="quiet small">
        <StatusMark outcome="pass" quiet /> All facts pass
      </p>
    );
  }
  const words = (name: ChainFactName) => {
    if (outcomes[name] === "unknown") return "unknown";
    return name === "record" && status !== 0 ? statusNames[status] : factTexts[name].fails;
  };
  return (
    <ul className={styles.open} aria-label="Facts that did not pass">
      {open.map((name) => (
        <li key={name}>
          <StatusMark outcome={outcomes[name]} /> {factTexts[name].label}: {words(name)}
        </li>
      ))}
      {dead === undefined ? null : (
        <li>
          <StatusMark outcome="fail" /> {factTexts.live.label}: {deadWords(dead)}
        </li>
      )}
    </ul>
  );
}

const deadOutcomes: Record<LiveMark["outcome"], string> = {
  answers: "differs from the registered version",
  gated: "differs from the registered version",
  failing: "fails",
  "other-protocol": "unexpected response",
  unreachable: "unreachable",
  unknown: factTexts.live.fails,
};

/** "unreachable since 21 Nov 2026". */
function deadWords({ outcome, answeredAt }: LiveMark): string {
  const words = deadOutcomes[outcome];
  if (outcome === "answers" || outcome === "gated") return words;
  return answeredAt === null
    ? `${words}, never responded`
    : `${words} since ${dayText(new Date(answeredAt * 1_000))}`;
}

/** Where the facts of a row will stand. */
export function RowFactsWaiting() {
  return (
    <span className="bar">
      <span className="quiet">Checking…</span>
      <Skeleton circle height={16} />
    </span>
  );
}
