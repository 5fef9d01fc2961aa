import { MAX_NOTES_LENGTH, visibleLines } from "@app-registry/sdk";
import { replaceApprovalMarks } from "../../lib/record/claims.ts";
import styles from "./service.module.css";
import type { VersionNotes } from "./versionNotes.ts";

/** Quotes the publisher's notes on a version. */
export function VersionNotesText({ releaseNotes, deprecation }: VersionNotes) {
  return (
    <>
      {deprecation === undefined ? null : (
        <Quoted label="Deprecation reason (publisher):" text={deprecation} />
      )}
      {releaseNotes === undefined ? null : <Quoted label="Release notes (publisher):" text={releaseNotes} />}
    </>
  );
}

/** Length from which notes are folded, in characters. */
const LONG = 280;

function Quoted({ label, text }: { label: string; text: string }) {
  const notes = replaceApprovalMarks(visibleLines(text.slice(0, MAX_NOTES_LENGTH)));
  if (notes === "") return null;
  const quote = (
    <span className={styles.notes}>
      “<bdi>{notes}</bdi>”
    </span>
  );
  const isLong = notes.length > LONG || notes.split("\n").length > 5;
  return isLong ? (
    <details className="fold">
      <summary>{label}</summary>
      {quote}
    </details>
  ) : (
    <p className="small prose">
      <span className="quiet">{label}</span> {quote}
    </p>
  );
}
