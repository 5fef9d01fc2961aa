import { type AppStatus, statusNames } from "@app-registry/sdk";
import { Skeleton } from "../../components/controls/controls.tsx";
import { type ChainFactName, chainFactNames, factTexts, StatusMark } from "../../components/record/facts.tsx";
import styles from "./explore.module.css";
import type { Outcomes } from "./searchServices.ts";

type RowFactsProps = { outcomes: Outcomes; status: AppStatus };

/** The facts of a row that do not pass, each in words; a quiet line when all do. */
export function RowFacts({ outcomes, status }: RowFactsProps) {
  const open = chainFactNames.filter((name) => outcomes[name] !== "pass");
  if (open.length === 0) {
    return (
      <p className="quiet small">
        <StatusMark outcome="pass" quiet /> All facts pass
      </p>
    );
  }
  const words = (name: ChainFactName) => {
    if (outcomes[name] === "unknown") return "not known now";
    return name === "record" && status !== 0 ? statusNames[status] : factTexts[name].fails;
  };
  return (
    <ul className={styles.open} aria-label="Facts that do not pass">
      {open.map((name) => (
        <li key={name}>
          <StatusMark outcome={outcomes[name]} /> {factTexts[name].label}: {words(name)}
        </li>
      ))}
    </ul>
  );
}

/** Where the facts of a row will stand. */
export function RowFactsWaiting() {
  return (
    <span className="bar">
      <span className="quiet">Being checked</span>
      <Skeleton circle height={16} />
    </span>
  );
}
