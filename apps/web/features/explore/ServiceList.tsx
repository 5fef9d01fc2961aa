import { appPath, parseVersion, type SearchResult } from "@app-registry/sdk";
import Link from "next/link";
import { type ReactNode, Suspense } from "react";
import { FactMarks, FactMarksWaiting, factNames, factTexts } from "../../components/record/facts.tsx";
import { DidText } from "../../components/record/identifiers.tsx";
import { AppStatusText, interfaceText, TimeText, TraitChip } from "../../components/record/labels.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import styles from "./explore.module.css";
import { listHref } from "./listQuery.ts";
import { rowOutcomes, type ServiceEntry } from "./searchServices.ts";

type ServiceListProps = {
  rows: ServiceEntry[];
  /** What the list is: a count, a title. */
  caption: ReactNode;
};

/** Records as dense rows, with the order of the marks said once. */
export function ServiceList({ rows, caption }: ServiceListProps) {
  return (
    <div className={styles.frame}>
      <div className={styles.head}>
        {caption}
        <p className="quiet" aria-hidden="true">
          Marks: {factNames.map((name) => factTexts[name].label.toLowerCase()).join(", ")}
        </p>
      </div>
      <ol className={styles.list}>
        {rows.map((entry) => (
          <ServiceRow key={entry.result.tokenId} entry={entry} />
        ))}
      </ol>
    </div>
  );
}

/** Traits that a row shows; the rest are on the service's page. */
const SHOWN_TRAITS = 3;

/** Why a record has no labels. */
function withoutLabels({ document }: SearchResult): string {
  if (document?.reason !== undefined) return visibleText(document.reason);
  if (document?.source === "chain") return "Its metadata on the chain has no name.";
  return "Its metadata is not on the chain; the page asks its host.";
}

/** One record in a list: its number in the register, what it is, where it stands, and its facts. */
function ServiceRow({ entry: { result, outcomes } }: { entry: ServiceEntry }) {
  const name = visibleText(result.name ?? "");
  const publisher = visibleText(result.publisher ?? "");
  const description = visibleText(result.description ?? "");
  const traits = result.traits.slice(0, SHOWN_TRAITS);
  return (
    <li className={styles.row}>
      <p className={styles.entry}>
        <span className="visuallyHidden">Record number </span>
        {result.tokenId}
      </p>
      <div>
        <p className="row">
          {/* The version stands in the link: without it the address means the newest major version. */}
          <Link
            className={styles.rowName}
            href={appPath(result.did, parseVersion(result.version))}
            prefetch={false}
          >
            <bdi>{name || result.did}</bdi>
          </Link>
          {publisher === "" ? null : <bdi className="soft">{publisher}</bdi>}
        </p>
        <p className={styles.description}>
          <bdi>{description || (name ? "" : withoutLabels(result))}</bdi>
        </p>
      </div>
      <div className={styles.where}>
        <p className="soft">
          <DidText did={result.did} inRow />
        </p>
        <ul className="bar" aria-label="Interfaces and traits">
          <li className="strong small">{interfaceText(result.interfaces)}</li>
          {traits.map((trait) => (
            <li key={trait}>
              <TraitChip trait={trait} href={listHref({ traits: [trait] })} />
            </li>
          ))}
          {result.traits.length > SHOWN_TRAITS ? (
            <li className="quiet">{result.traits.length - SHOWN_TRAITS} more</li>
          ) : null}
        </ul>
      </div>
      <div className={styles.record}>
        {outcomes === undefined ? (
          <Suspense fallback={<FactMarksWaiting />}>
            <RowFacts result={result} />
          </Suspense>
        ) : (
          <FactMarks outcomes={outcomes} />
        )}
        <p className={`bar quiet ${styles.version}`}>
          {result.status === 0 ? null : <AppStatusText status={result.status} />}
          <span className="mono">{result.version}</span>
          {result.updatedAt > 0 ? <TimeText seconds={result.updatedAt} dateOnly /> : null}
        </p>
      </div>
    </li>
  );
}

/** The marks of one row, as soon as they are known. */
async function RowFacts({ result }: { result: SearchResult }) {
  return <FactMarks outcomes={await rowOutcomes(result)} />;
}
