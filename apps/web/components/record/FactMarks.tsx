import { type FactName, type FactOutcomes, factNames, factTexts } from "@app-registry/sdk/internal";
import { factAnchor, outcomeWords } from "../../lib/record/facts.ts";
import styles from "./record.module.css";
import { StatusMark } from "./StatusMark.tsx";

type FactMarksProps = {
  outcomes: FactOutcomes;
  /** Sentence of `summarizeFacts`. */
  summary: string;
  /** Names each mark and links it to the fact's line on the page. */
  isLinked?: boolean;
  /** Facts whose outcome was not checked now. Their marks have no color. */
  lastKnown?: readonly FactName[];
};

/** Renders the six marks, always in the same order, with the sentence that sums them up. */
export function FactMarks({ outcomes, summary, isLinked = false, lastKnown = [] }: FactMarksProps) {
  return (
    <div className="soft" data-fact-marks>
      <ul className={styles.six} aria-label="Facts">
        {factNames.map((name) => {
          const outcome = outcomes[name] ?? "unknown";
          const { label } = factTexts[name];
          // Many services are never probed, so that a missing live check is no warning.
          const isUnchecked = name === "live" && outcome === "unknown";
          const word = isUnchecked ? "not checked" : outcomeWords[outcome].toLowerCase();
          const color = isUnchecked || lastKnown.includes(name) ? "var(--ink-3)" : undefined;
          return (
            <li key={name} data-outcome={outcome}>
              {isLinked ? (
                <a className="plain" href={`#${factAnchor(name)}`}>
                  <StatusMark outcome={outcome} color={color} /> {label}
                  <span className="visuallyHidden">: {word}</span>
                </a>
              ) : (
                <StatusMark outcome={outcome} color={color} label={`${label}: ${word}`} />
              )}
            </li>
          );
        })}
      </ul>
      <p>{summary}</p>
    </div>
  );
}
