import { factNames, factTexts } from "../../components/record/facts.ts";
import sheet from "./FactsSheet.module.css";
import styles from "./FactsWaiting.module.css";

/** The shape of the facts while they are checked, with what is being asked of whom. */
export function FactsWaiting({ asking }: { asking: string }) {
  return (
    <section className={sheet.sheet} aria-labelledby="facts" aria-busy="true">
      <h2 id="facts" className={sheet.title}>
        What is verified
      </h2>
      <p className={sheet.time}>{asking}</p>
      <ul>
        {factNames.map((name) => (
          <li key={name} className={styles.line}>
            <span className={styles.mark} />
            <span className={styles.name}>{factTexts[name].label}</span>
            <span className={styles.reason} />
          </li>
        ))}
      </ul>
    </section>
  );
}
