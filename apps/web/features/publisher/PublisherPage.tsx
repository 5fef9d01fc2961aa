import { provenBy } from "@app-registry/sdk";
import Link from "next/link";
import type { ServiceEntry } from "../explore/searchServices.ts";
import { isEmpty, type PublisherCursors, type PublisherRecords } from "./findByPublisher.ts";
import styles from "./publisher.module.css";
import { publisherPath } from "./publisherPath.ts";
import { RecordsSection } from "./RecordsSection.tsx";

const nouns = { host: "host", path: "path", contract: "contract" } as const;

const underText = {
  host: "Published by accounts that control this host, while their control lasts.",
  path: "Published by accounts that control this path. That says nothing about the rest of the host.",
  contract: "Published by accounts that own this contract.",
} as const;

type PublisherPageProps = { did: string; records: PublisherRecords; cursors: PublisherCursors };

/** What is registered under a host, a port, a path or a contract. */
export function PublisherPage({ did, records: { exact, ports, paths }, cursors }: PublisherPageProps) {
  const { kind, name } = provenBy(did);
  const noun = nouns[kind];
  const isFirst = Object.keys(cursors).length === 0;
  const isUnknown = isFirst && [exact, ports, paths].every(isEmpty);
  const next = (section: keyof PublisherCursors) => (cursor: string) =>
    `${publisherPath(did)}?${new URLSearchParams({ [section]: cursor })}`;
  const isAtPath = ({ result }: ServiceEntry) => provenBy(result.did).kind === "path";
  return (
    <div className="stack2">
      <h1 className={styles.title}>
        <span className="soft">Registered under</span>{" "}
        <bdi dir="ltr" translate="no">
          {name}
        </bdi>
      </h1>
      {isUnknown ? <NothingRegistered name={name} noun={noun} /> : null}
      {isUnknown || !shows(cursors, "exact") ? null : (
        <RecordsSection
          title={`Under this ${noun}`}
          note={underText[kind]}
          found={exact}
          nextHref={next("exact")}
          empty={`Nothing is registered under this ${noun} itself.`}
        />
      )}
      {ports && !isUnknown && shows(cursors, "ports") ? (
        <>
          <RecordsSection
            title="Under ports of this host"
            note="A port is a place of its own, which others may hold."
            found={ports}
            only={(entry) => !isAtPath(entry)}
            nextHref={next("ports")}
          />
          {ports.ok ? (
            <RecordsSection
              title="By accounts at paths of ports of this host"
              note="Whoever may write below a path registers these."
              found={ports}
              only={isAtPath}
              nextHref={next("ports")}
            />
          ) : null}
        </>
      ) : null}
      {paths && !isUnknown && shows(cursors, "paths") ? (
        <RecordsSection
          title={
            kind === "path" ? "By accounts at paths below this one" : "By accounts at paths of this host"
          }
          note={`Whoever may write below a path registers these. They are not the ${noun}'s own.`}
          found={paths}
          nextHref={next("paths")}
        />
      ) : null}
    </div>
  );
}

/** A further page of one list shows that list alone. */
const shows = (cursors: PublisherCursors, section: keyof PublisherCursors): boolean =>
  Object.keys(cursors).length === 0 || cursors[section] !== undefined;

function NothingRegistered({ name, noun }: { name: string; noun: string }) {
  return (
    <div className="stack">
      <p>
        The register holds nothing under <bdi dir="ltr">{name}</bdi>, neither Active nor out of use. It may be
        registered on another chain, or not at all.
      </p>
      <ul className="row">
        <li>
          <Link href="/apps">Search the services</Link>
        </li>
        <li>
          <Link href="/register" prefetch={false}>
            Register a service of this {noun}
          </Link>
        </li>
      </ul>
    </div>
  );
}
