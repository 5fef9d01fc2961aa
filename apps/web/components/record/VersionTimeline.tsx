import Link from "next/link";
import { TimeText } from "./TimeText.tsx";
import styles from "./VersionTimeline.module.css";

export type TimelineVersion = {
  /** "1.0.2" */
  version: string;
  /** Unix seconds of the block that published it. */
  registeredAt: number;
  /** The page of this version. */
  href: string;
  /** The newest version of its record. */
  current: boolean;
  /** The version that this page shows. */
  shown: boolean;
};

/** A record's versions, newest first. */
export function VersionTimeline({ versions }: { versions: TimelineVersion[] }) {
  return (
    <ol className={styles.timeline}>
      {versions.map((entry) => (
        <li key={entry.version} className={styles.entry} data-shown={entry.shown}>
          {entry.shown ? (
            <span className={styles.version} aria-current="page">
              {entry.version}
            </span>
          ) : (
            <Link className={styles.version} href={entry.href} prefetch={false}>
              {entry.version}
            </Link>
          )}
          <span className={styles.time}>
            <TimeText seconds={entry.registeredAt} />
          </span>
          <span className={styles.note}>
            {entry.current ? "current" : ""}
            {entry.shown && !entry.current ? "shown here" : ""}
          </span>
        </li>
      ))}
    </ol>
  );
}
