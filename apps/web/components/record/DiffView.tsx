import styles from "./DiffView.module.css";
import { type DocumentChange, documentChanges } from "./documentChanges.ts";
import { visibleLines, visibleText } from "./visibleText.ts";

/** The sign that stands before each kind of change; the word beside it says the same. */
const kinds = {
  added: { sign: "+", word: "added" },
  removed: { sign: "−", word: "removed" },
  changed: { sign: "~", word: "changed" },
  moved: { sign: "↕", word: "moved" },
} as const;

type DiffViewProps = {
  /** The earlier and the later JSON document. */
  before: unknown;
  after: unknown;
};

/** What differs between two JSON documents, line by line, as text of a stranger: nothing in it is a link. */
export function DiffView({ before, after }: DiffViewProps) {
  const changes = documentChanges(before, after);
  if (changes.length === 0) return <p className={styles.none}>Both documents say the same.</p>;
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={`${change.kind} ${change.pointer}`} className={styles.change}>
          <p className={styles.head}>
            <span className={styles.sign} aria-hidden="true">
              {kinds[change.kind].sign}
            </span>
            <span className={styles.path} title={change.pointer}>
              <bdi>{visibleText(change.path.join(" › ")) || "the whole document"}</bdi>
            </span>
            <span className={styles.word}>{kinds[change.kind].word}</span>
          </p>
          <Values change={change} />
        </li>
      ))}
    </ul>
  );
}

function Values({ change }: { change: DocumentChange }) {
  const before = "before" in change ? <del className={styles.before}>{textOf(change.before)}</del> : null;
  const after = "after" in change ? <ins className={styles.after}>{textOf(change.after)}</ins> : null;
  if (before === null && after === null) return null;
  return (
    <div className={styles.values}>
      {before}
      {after}
    </div>
  );
}

const textOf = (value: unknown): string =>
  visibleLines(typeof value === "string" ? value : JSON.stringify(value, null, 2)) || '""';
