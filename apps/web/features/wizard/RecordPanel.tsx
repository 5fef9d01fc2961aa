"use client";

import { hashAlgorithmName } from "@app-registry/sdk";
import { HashText } from "../../components/record/HashText.tsx";
import { publicationOf } from "./draft/publication.ts";
import styles from "./RecordPanel.module.css";
import { useWizard } from "./WizardContext.tsx";

/** The record as it will be published, with its hash; it follows every keystroke. */
export function RecordPanel() {
  const { draft, publicUrl } = useWizard();
  const { canonical, dataHash, size } = publicationOf(draft, publicUrl);
  // Read aloud it would interrupt at every letter, so it is no live region.
  return (
    <section className={styles.panel} aria-label="The record as it will be published">
      <h2 className={styles.title}>The record</h2>
      <dl className={styles.facts}>
        <dt>dataHash, {hashAlgorithmName(draft.algorithm)}</dt>
        <dd>{dataHash ? <HashText hash={dataHash} label="dataHash" /> : "none"}</dd>
        <dt>Size</dt>
        <dd>{size.toLocaleString("en")} bytes</dd>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className={styles.json} tabIndex={0}>
        {canonical === undefined
          ? "This text can't be written as JSON."
          : JSON.stringify(JSON.parse(canonical), null, 2)}
      </pre>
    </section>
  );
}
