import "server-only";
import {
  appPath,
  formatVersion,
  getProvenSubject,
  MAX_NOTES_LENGTH,
  type Version,
  type VersionRecord,
  visibleLines,
} from "@app-registry/sdk";
import { withinTimeout } from "@app-registry/server/async";
import Link from "next/link";
import { TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { replaceApprovalMarks } from "../../lib/record/claims.ts";
import { readServiceDocument } from "../../lib/service/serviceDocument.ts";
import type { Service } from "./loadService.ts";
import styles from "./service.module.css";
import type { Succession } from "./succession.ts";
import { VersionChanges } from "./VersionChanges.tsx";

/** Links to a service by its proven name, in full. */
function ServiceLink({ did }: { did: string }) {
  return (
    <Link href={appPath(did)} prefetch={false} className="anywhere" translate="no">
      {getProvenSubject(did).name}
    </Link>
  );
}

/** Notes that a service is deprecated or replaced, or that the page shows an older version. */
export function VersionNotice({ service, succession }: { service: Service; succession: Succession }) {
  const { record, summary, highestVersion: highest } = service;
  const { did, version: shown } = record;
  const { latestVersion: newest, status } = summary;
  const { replacedBy, replaces } = succession;
  const isOlder = formatVersion(shown) !== formatVersion(newest);
  const hasHigherMajor = highest.major > shown.major;
  const link = (version: Version, text: string) => (
    <Link href={appPath(did, version)} prefetch={false}>
      {text} {formatVersion(version)}
    </Link>
  );
  const higher = hasHigherMajor ? link(highest, "See version") : null;
  const notices = [
    status === 1 && {
      title: "Deprecated",
      why: "The publisher advises against using this service.",
      action: higher,
    },
    status === 2 && {
      title: "Replaced",
      why:
        replacedBy === undefined ? (
          "The publisher marked this service as Replaced without naming a successor."
        ) : (
          <>
            According to the publisher, replaced by <ServiceLink did={replacedBy} />.
          </>
        ),
      action: higher,
    },
    isOlder && {
      title: "Older version",
      why: `You're viewing ${formatVersion(shown)} as it was registered.`,
      action: link(newest, "View current version"),
    },
    status === 0 &&
      hasHigherMajor && { title: "A newer major version exists", why: "Both are Active.", action: higher },
    replaces.length > 0 && {
      title: "Replaces another service",
      why: (
        <>
          Replaces{" "}
          {replaces.map((replaced, index) => (
            <span key={replaced}>
              {index > 0 ? ", " : ""}
              <ServiceLink did={replaced} />
            </span>
          ))}
          . The same account controls both DIDs.
        </>
      ),
    },
  ];
  return notices.every((notice) => !notice) ? null : (
    <div className={`stack ${styles.notices}`}>
      {notices.map((notice) => notice && <Problem key={notice.title} tone="neutral" {...notice} />)}
    </div>
  );
}

type VersionsSectionProps = {
  service: Service;
  /** Notes by version (major.minor.patch). */
  notes: Map<string, VersionNotes>;
};

/** Lists the versions of the record, newest first, and the service's other major versions. */
export function VersionsSection({ service, notes }: VersionsSectionProps) {
  const { record, versions, majors } = service;
  const shown = formatVersion(record.version);
  const place = versions.findIndex((entry) => formatVersion(entry.version) === shown);
  const previous = versions[place - 1];
  const others = majors.filter(({ major }) => major !== record.version.major);
  return (
    <LedgerSection title="Versions" id="versions" note={`Major version ${record.version.major}.`}>
      <ol className={styles.timeline}>
        {versions.toReversed().map((entry) => {
          const version = formatVersion(entry.version);
          const isShown = version === shown;
          return (
            <li key={version} data-shown={isShown || undefined}>
              <span className="row">
                {isShown ? (
                  <strong aria-current="page">{version}</strong>
                ) : (
                  <Link href={appPath(entry.did, entry.version)} prefetch={false}>
                    {version}
                  </Link>
                )}
                <TimeText seconds={entry.version.registeredAt} />
                <span className="quiet">{entry.current ? "current" : isShown ? "viewing" : ""}</span>
              </span>
              <VersionNotesText {...notes.get(version)} />
            </li>
          );
        })}
      </ol>
      {previous === undefined ? null : (
        <VersionChanges
          did={record.did}
          from={previous.version}
          to={record.version}
          title={`Changes from ${formatVersion(previous.version)} to ${shown}`}
        />
      )}
      {others.length > 0 ? (
        <p className="soft">
          Other major versions (separate records):{" "}
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

/** Quotes the publisher's notes on a version. */
function VersionNotesText({ releaseNotes, deprecation }: VersionNotes) {
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
    <span className="soft anywhere" style={{ whiteSpace: "pre-line" }}>
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

/** Publisher's notes on one version. */
export type VersionNotes = { releaseNotes?: string | undefined; deprecation?: string | undefined };

/** Maximum number of documents to read per page, newest versions first, and the time limit of each in milliseconds. */
const MAX_READ = 8;
const PATIENCE = 1_500;

/** Returns the notes of the newest versions by major.minor.patch. Omits documents that can't be read in time. */
export async function readVersionNotes(
  versions: readonly VersionRecord[],
): Promise<Map<string, VersionNotes>> {
  const read = versions.slice(-MAX_READ).map(async (record) => {
    const document = await withinTimeout(readServiceDocument(record), PATIENCE);
    if (!document?.ok) return [];
    const { releaseNotes, deprecation } = document.metadata;
    return releaseNotes === undefined && deprecation === undefined
      ? []
      : [[formatVersion(record.version), { releaseNotes, deprecation }] as const];
  });
  return new Map((await Promise.all(read)).flat());
}
