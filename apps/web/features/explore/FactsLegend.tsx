import { factNames, factTexts, type Outcome, outcomeWords } from "../../components/record/facts.ts";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import styles from "./FactsLegend.module.css";

const outcomes: { outcome: Outcome; meaning: string }[] = [
  { outcome: "pass", meaning: "checked, and it holds" },
  { outcome: "unknown", meaning: "a host or the chain did not answer" },
  { outcome: "fail", meaning: "checked, and it does not hold" },
];

/** What each fact asks, and what its marks mean. */
export function FactsLegend() {
  return (
    <div className={styles.legend}>
      <dl className={styles.facts}>
        {factNames.map((name) => (
          <div key={name}>
            <dt>{factTexts[name].label}</dt>
            <dd>{factTexts[name].question}</dd>
          </div>
        ))}
      </dl>
      <ul className={styles.outcomes}>
        {outcomes.map(({ outcome, meaning }) => (
          <li key={outcome}>
            <StatusMark outcome={outcome} /> {outcomeWords[outcome]}: {meaning}
          </li>
        ))}
      </ul>
    </div>
  );
}
