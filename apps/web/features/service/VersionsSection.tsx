import { appPath, formatVersion, type Version } from "@app-registry/sdk";
import Link from "next/link";
import type { ReactNode } from "react";
import { TimeText } from "../../components/record/labels.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import type { Service } from "./loadService.ts";
import styles from "./service.module.css";
import { VersionChanges } from "./VersionChanges.tsx";

type VersionNoticeProps = {
  did: string;
  shown: Version;
  /** The newest version of the same major. */
  newest: Version;
  /** The newest version of the highest major. */
  highest: Version;
  status: 0 | 1 | 2;
};

function Notice({ children }: { children: ReactNode }) {
  return <p className={styles.notice}>{children}</p>;
}

/** Says before anything else that a service is deprecated or replaced, or that the page shows an older version. */
export function VersionNotice({ did, shown, newest, highest, status }: VersionNoticeProps) {
  const isOlder = formatVersion(shown) !== formatVersion(newest);
  const hasHigherMajor = highest.major > shown.major;
  const higherLink = (
    <Link href={appPath(did, highest)} prefetch={false}>
      version {formatVersion(highest)}
    </Link>
  );
  return (
    <>
      {status === 1 ? (
        <Notice>
          <strong>Deprecated.</strong> Its publisher advises against new use.
          {hasHigherMajor ? <> See {higherLink}.</> : null}
        </Notice>
      ) : null}
      {status === 2 ? (
        <Notice>
          <strong>Replaced.</strong> Its publisher offers something else in its place.
          {hasHigherMajor ? <> See {higherLink}.</> : null}
        </Notice>
      ) : null}
      {isOlder ? (
        <Notice>
          <strong>Older version.</strong> This page shows {formatVersion(shown)} as it was recorded; the
          current one is{" "}
          <Link href={appPath(did, newest)} prefetch={false}>
            {formatVersion(newest)}
          </Link>
          .
        </Notice>
      ) : null}
      {status === 0 && hasHigherMajor ? (
        <Notice>
          <strong>A newer major version exists:</strong> {higherLink}. Both are in use.
        </Notice>
      ) : null}
    </>
  );
}

/** The versions of the record, newest first, and the service's other major versions. */
export function VersionsSection({ service }: { service: Service }) {
  const { record, versions, majors } = service;
  const shown = formatVersion(record.version);
  const place = versions.findIndex((entry) => formatVersion(entry.version) === shown);
  const previous = versions[place - 1];
  const others = majors.filter(({ major }) => major !== record.version.major);
  const timeline = versions.toReversed().map((entry) => {
    const version = formatVersion(entry.version);
    return {
      version,
      registeredAt: entry.version.registeredAt,
      href: appPath(entry.did, entry.version),
      current: entry.current,
      shown: version === shown,
    };
  });
  return (
    <LedgerSection title="Versions" id="versions" note={`Of major version ${record.version.major}.`}>
      <VersionTimeline versions={timeline} />
      {previous === undefined ? null : (
        <VersionChanges
          did={record.did}
          from={previous.version}
          to={record.version}
          title={`What ${shown} changed after ${formatVersion(previous.version)}`}
        />
      )}
      {others.length > 0 ? (
        <p className="soft">
          Other major versions, each a record of its own:{" "}
          {others.map((major, index) => (
            <span key={major.major}>
              {index > 0 ? ", " : ""}
              <Link href={appPath(record.did, major.latest)} prefetch={false}>
                {formatVersion(major.latest)}
              </Link>
            </span>
          ))}
        </p>
      ) : null}
    </LedgerSection>
  );
}

type TimelineVersion = {
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
function VersionTimeline({ versions }: { versions: TimelineVersion[] }) {
  return (
    <ol className={styles.timeline}>
      {versions.map((entry) => (
        <li key={entry.version} className={styles.entry} data-shown={entry.shown}>
          {entry.shown ? (
            <span className={styles.versionTimelineVersion} aria-current="page">
              {entry.version}
            </span>
          ) : (
            <Link className={styles.versionTimelineVersion} href={entry.href} prefetch={false}>
              {entry.version}
            </Link>
          )}
          <span className="soft">
            <TimeText seconds={entry.registeredAt} />
          </span>
          <span className="quiet">
            {entry.current ? "current" : ""}
            {entry.shown && !entry.current ? "shown here" : ""}
          </span>
        </li>
      ))}
    </ol>
  );
}
