import styles from "./FactMarks.module.css";
import { type FactName, factNames, factTexts, type Outcome } from "./facts.ts";
import { StatusMark } from "./StatusMark.tsx";

/** The five facts as marks only, for list rows; each says its name to a screen reader. */
export function FactMarks({ outcomes }: { outcomes: Record<FactName, Outcome> }) {
  return (
    <ul className={styles.marks} aria-label="Facts">
      {factNames.map((name) => (
        <li key={name}>
          <StatusMark outcome={outcomes[name]} name={factTexts[name].label} />
        </li>
      ))}
    </ul>
  );
}
