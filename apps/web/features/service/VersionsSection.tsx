import { appPath, formatVersion } from "@app-registry/sdk";
import Link from "next/link";
import { VersionTimeline } from "../../components/record/VersionTimeline.tsx";
import { LedgerSection } from "../../components/shell/LedgerSection.tsx";
import type { Service } from "./loadService.ts";
import { VersionChanges } from "./VersionChanges.tsx";
import styles from "./VersionsSection.module.css";

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
        <p className={styles.others}>
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
