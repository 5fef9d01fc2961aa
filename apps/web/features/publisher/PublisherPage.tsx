import { getProvenSubject } from "@app-registry/sdk";
import Link from "next/link";
import { getPublisherPath } from "../../lib/service/getPublisherPath.ts";
import type { ServiceEntry } from "../explore/searchServices.ts";
import { isEmpty, type PublisherCursors, type PublisherRecords } from "./findByPublisher.ts";
import styles from "./publisher.module.css";
import { RecordsSection } from "./RecordsSection.tsx";

const nouns = { host: "host", path: "path", contract: "contract" } as const;

const underText = {
  host: "Services registered for this host. Each row says whether control is currently proven.",
  path: "Services registered for this path. This proves nothing about the rest of the host.",
  contract: "Services registered for this contract.",
} as const;

type PublisherPageProps = { did: string; records: PublisherRecords; cursors: PublisherCursors };

/** Lists the services under a host, a port, a path or a contract. */
export function PublisherPage({ did, records: { exact, ports, paths }, cursors }: PublisherPageProps) {
  const { kind, name } = getProvenSubject(did);
  const noun = nouns[kind];
  const isFirst = Object.keys(cursors).length === 0;
  const isUnknown = isFirst && [exact, ports, paths].every(isEmpty);
  const next = (section: keyof PublisherCursors) => (cursor: string) =>
    `${getPublisherPath(did)}?${new URLSearchParams({ [section]: cursor })}`;
  const isAtPath = ({ result }: ServiceEntry) => getProvenSubject(result.did).kind === "path";
  return (
    <div className="stack2">
      <h1 className={styles.title}>
        <span className="soft">Registered under</span>{" "}
        <bdi dir="ltr" translate="no">
          {name}
        </bdi>
      </h1>
      {isUnknown ? <NothingRegistered name={name} /> : null}
      {isUnknown || !shows(cursors, "exact") ? null : (
        <RecordsSection
          title={`Under this ${noun}`}
          note={underText[kind]}
          found={exact}
          nextHref={next("exact")}
          empty={`No services are registered for this ${noun} itself.`}
        />
      )}
      {ports && !isUnknown && shows(cursors, "ports") ? (
        <>
          <RecordsSection
            title="Under ports of this host"
            note="Each port has its own DID, so another account may control it."
            found={ports}
            only={(entry) => !isAtPath(entry)}
            nextHref={next("ports")}
          />
          {ports.ok ? (
            <RecordsSection
              title="Under paths on ports of this host"
              note="Registered by whoever can publish files at that path."
              found={ports}
              only={isAtPath}
              nextHref={next("ports")}
            />
          ) : null}
        </>
      ) : null}
      {paths && !isUnknown && shows(cursors, "paths") ? (
        <RecordsSection
          title={kind === "path" ? "Under longer paths" : "Under paths on this host"}
          note={`Registered by whoever can publish files at that path, who need not control the ${noun}.`}
          found={paths}
          nextHref={next("paths")}
        />
      ) : null}
    </div>
  );
}

/** Returns true if a section is shown. The next page of a section shows only that section. */
const shows = (cursors: PublisherCursors, section: keyof PublisherCursors): boolean =>
  Object.keys(cursors).length === 0 || cursors[section] !== undefined;

function NothingRegistered({ name }: { name: string }) {
  return (
    <div className="stack">
      <p>
        This registry lists no services, in any status, under <bdi dir="ltr">{name}</bdi>. They may be
        registered on another chain.
      </p>
      <ul className="row">
        <li>
          <Link href="/apps">Search services</Link>
        </li>
        <li>
          <Link href="/register" prefetch={false}>
            Register a service
          </Link>
        </li>
      </ul>
    </div>
  );
}
