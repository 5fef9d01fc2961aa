import { Fragment } from "react";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import { openFacts, openFactText, passCount, reportOutcomes } from "../../lib/record/factSummary.ts";
import { type FactName, type FactViews, factAnchor, factNames } from "../../lib/record/facts.ts";
import styles from "./proven.module.css";

/**
 * Counts the facts on one line, and links to each. It has no mark of its own, because facts are never merged into a
 * verdict: only a fact that fails, or that could not be checked, has its mark and color.
 */
export function FactsLine({ facts }: { facts: FactViews }) {
  const outcomes = reportOutcomes(facts);
  const passing = factNames.filter((name) => outcomes[name] === "pass");
  const link = (name: FactName, text: string) => <a href={`#${factAnchor(name)}`}>{text}</a>;
  return (
    <p className={styles.facts} data-facts-line>
      <span className="strong">{passCount(outcomes)}</span>
      {passing.length === 0 ? null : (
        <span className="quiet">
          {" ("}
          {passing.map((name, index) => (
            <Fragment key={name}>
              {index > 0 ? ", " : ""}
              {link(name, name)}
            </Fragment>
          ))}
          )
        </span>
      )}
      {openFacts(outcomes).map((name) => {
        // A service without a live check is normal.
        const outcome = name === "live" && outcomes.live === "unknown" ? undefined : outcomes[name];
        return (
          <Fragment key={name}>
            {"; "}
            <span className={styles.open} data-outcome={outcome}>
              {outcome === undefined ? null : <StatusMark outcome={outcome} />}
              {link(name, openFactText(name, outcomes))}
            </span>
          </Fragment>
        );
      })}
    </p>
  );
}
