import { domainToUnicode } from "node:url";
import { getSite } from "@app-registry/outbound/site";
import {
  appPath,
  appStatusLabels,
  formatProvenLine,
  getProvenSubject,
  parseDid,
  parseVersion,
  type SearchResult,
  visibleText,
} from "@app-registry/sdk";
import { type FactOutcomes, getResultOutcomes } from "@app-registry/sdk/internal";
import Link from "next/link";
import { type ReactNode, Suspense } from "react";
import { Claim } from "../../components/record/Claim.tsx";
import { Icon, picturePath } from "../../components/record/Icon.tsx";
import { AppStatusText, interfaceText, TimeText, TraitChip } from "../../components/record/labels.tsx";
import { ScriptWarning } from "../../components/record/ScriptWarning.tsx";
import { SubdomainName } from "../../components/record/SubdomainName.tsx";
import { claimedName, replaceApprovalMarks, soundsOfficial } from "../../lib/record/claims.ts";
import { internationalLabels } from "../../lib/record/hostScripts.ts";
import styles from "./explore.module.css";
import type { LookalikeContract } from "./findLookalikeContracts.ts";
import { getPublisherPath } from "./getPublisherPath.ts";
import { listHref } from "./listQuery.ts";
import { RowFacts } from "./RowFacts.tsx";
import { rowOutcomes, type ServiceEntry } from "./searchServices.ts";
import { SHARED_NAME } from "./sharedNameText.ts";

/** Maximum number of traits in a row. The service's page shows all. */
const SHOWN_TRAITS = 3;

type EntryProps = { entry: ServiceEntry; alike?: LookalikeContract | undefined };

/** A service in a list, in three columns: the proven name, the publisher's claims, and the facts. */
export function ServiceRow({ entry, alike }: EntryProps) {
  const { result, outcomes } = entry;
  return (
    <li className={styles.row}>
      <p className={styles.entry}>
        <span className="visuallyHidden">Record number </span>
        {result.tokenId}
      </p>
      <div className={styles.where}>
        <ProvenService entry={entry} alike={alike} />
      </div>
      <Claims entry={entry} />
      <div className={styles.record}>
        {outcomes === undefined ? (
          <Suspense fallback={<RowFacts outcomes={getResultOutcomes(result)} result={result} />}>
            <StreamedFacts result={result} />
          </Suspense>
        ) : (
          <RowFacts outcomes={outcomes} result={result} />
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

/** The proven name, warnings on similar-looking names, and links to the service's pages. */
export function ProvenService({ entry, alike }: EntryProps) {
  const { result, outcomes } = entry;
  return (
    <>
      {outcomes === undefined ? (
        <Suspense fallback={<ProvenText did={result.did} alike={alike} />}>
          <StreamedProvenText result={result} alike={alike} />
        </Suspense>
      ) : (
        <ProvenText did={result.did} outcomes={outcomes} alike={alike} />
      )}
      <div className={styles.warnings}>
        <ScriptWarnings did={result.did} />
        {alike === undefined ? null : (
          <p className={styles.note}>
            This address looks like the one in record {alike.tokenId}. Differences are underlined.
          </p>
        )}
      </div>
      <ServiceLinks entry={entry} />
    </>
  );
}

type ProvenTextProps = { did: string; outcomes?: FactOutcomes; alike: LookalikeContract | undefined };

/** The proven name, in full. While *control* is being checked, it is not called controlled. */
function ProvenText({ did, outcomes, alike }: ProvenTextProps) {
  const { kind, name, before, after } = formatProvenLine(did, outcomes?.control ?? "unknown");
  const site = kind === "host" ? getSite(name) : undefined;
  return (
    <p className={styles.proven}>
      <span className={styles.words}>{outcomes === undefined ? "Registered under" : before} </span>
      <Link className={styles.provenName} href={getPublisherPath(did)} prefetch={false}>
        <bdi dir="ltr" translate="no" data-proven={kind}>
          {site && name !== site ? <SubdomainName name={name} site={site} /> : marked(name, alike)}
        </bdi>
      </Link>
      {outcomes === undefined ? null : <span className="soft">{after}</span>}
    </p>
  );
}

/** Marks the digits in which a contract's address differs from one that looks like it. */
function marked(name: string, alike: LookalikeContract | undefined): ReactNode {
  if (alike === undefined) return name;
  const start = name.length - ADDRESS_DIGITS;
  const differs = (place: number) => alike.places.has(place - start);
  const runs = [...name].reduce<string[]>((found, char, place) => {
    if (place > 0 && differs(place) === differs(place - 1)) found.push((found.pop() ?? "") + char);
    else found.push(char);
    return found;
  }, []);
  // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a name have no identity and never change
  return runs.map((run, index) => (index % 2 === 0 ? run : <mark key={index}>{run}</mark>));
}

const ADDRESS_DIGITS = 40;

type LateProps = { result: SearchResult; alike: LookalikeContract | undefined };

async function StreamedProvenText({ result, alike }: LateProps) {
  return <ProvenText did={result.did} outcomes={await rowOutcomes(result)} alike={alike} />;
}

async function StreamedFacts({ result }: Pick<LateProps, "result">) {
  return <RowFacts outcomes={await rowOutcomes(result)} result={result} />;
}

/** Warnings about letters of the host that look like other letters. */
function ScriptWarnings({ did }: { did: string }) {
  const parsed = parseDid(did);
  if (parsed.method !== "web") return null;
  return internationalLabels(domainToUnicode(parsed.host))
    .filter(({ warning }) => warning !== undefined)
    .map((label) => <ScriptWarning key={label.label} className={styles.note} {...label} />);
}

type ClaimsProps = {
  entry: ServiceEntry;
  /** Shows only the name and the publisher. */
  isShort?: boolean;
};

/**
 * The publisher's claims, alone behind a rule, and the registry's notes on them outside it. Claims are no links: the
 * text of a link could pass for a host.
 */
export function Claims({ entry: { result, sharesName }, isShort = false }: ClaimsProps) {
  const name = claimedName(result.name ?? "");
  const publisher = claimedName(result.publisher ?? "");
  const description = replaceApprovalMarks(visibleText(result.description ?? ""));
  const traits = result.traits.slice(0, SHOWN_TRAITS);
  return (
    <div className={styles.claims}>
      <div className={styles.claimed} data-claims>
        <p className={styles.tag} data-claims-label>
          Claimed
        </p>
        {isShort || result.image === undefined ? null : (
          <Icon
            name={name}
            seed={result.did}
            source={picturePath(result.did, parseVersion(result.version), "/image")}
            size={32}
          />
        )}
        <p className={styles.named}>
          {name === "" ? null : <Claim kind="name" text={name} className={styles.claimedName} />}
          {name === "" || publisher === "" ? null : " · "}
          {publisher === "" ? null : <Claim kind="publisher" text={publisher} />}
        </p>
        {isShort || description === "" ? null : (
          <p className={styles.description}>
            <Claim kind="description" text={description} />
          </p>
        )}
        {isShort ? null : (
          <ul className={`bar ${styles.kinds}`} aria-label="Interfaces and traits">
            <li>{interfaceText(result.interfaces)}</li>
            {traits.map((trait) => (
              <li key={trait}>
                <TraitChip trait={trait} href={listHref({ traits: [trait] })} />
              </li>
            ))}
            {result.traits.length > SHOWN_TRAITS ? (
              <li className="quiet">{result.traits.length - SHOWN_TRAITS} more</li>
            ) : null}
          </ul>
        )}
      </div>
      {sharesName ? <p className={styles.note}>{SHARED_NAME}</p> : null}
      {[result.name, result.publisher, result.description].some((text) => soundsOfficial(text ?? "")) ? (
        <p className={styles.note}>Words such as “verified” or “official” come from the publisher.</p>
      ) : null}
      {result.owner === result.minter ? null : (
        <p className={styles.note}>Its token is held by another account than the one that registered it.</p>
      )}
      {name === "" && description === "" ? <p className={styles.note}>{withoutLabels(result)}</p> : null}
    </div>
  );
}

/** Links to the service's page and to its other major versions. */
function ServiceLinks({ entry: { result, others } }: { entry: ServiceEntry }) {
  return (
    <div className={`bar small ${styles.links}`}>
      <Link href={versionHref(result)} prefetch={false}>
        View service<span className="visuallyHidden"> under {getProvenSubject(result.did).name}</span>
      </Link>
      {others.length === 0 ? null : (
        <ul className={`bar ${styles.majors}`} aria-label="Other major versions">
          {others.map((other) => (
            <li key={other.tokenId}>
              <Link href={versionHref(other)} prefetch={false}>
                {other.version}
              </Link>
              {other.status === 0 ? "" : ` ${appStatusLabels[other.status].toLowerCase()}`}
            </li>
          ))}
        </ul>
      )}
      {result.status === 0 && result.latest === false ? (
        <Link href={appPath(result.did)} prefetch={false}>
          A newer major version is Active.
        </Link>
      ) : null}
    </div>
  );
}

/** Path of the service's page at this major version. Without the version it would show the highest major. */
const versionHref = ({ did, version }: SearchResult): string => appPath(did, parseVersion(version));

/** Returns the reason that a record has no name and no description. The facts name the document's problem. */
function withoutLabels({ document }: SearchResult): string {
  if (document?.reason !== undefined) return "Its document can't be shown. See Content.";
  if (document?.source === "chain") return "No name in its metadata.";
  return "Metadata is not on the chain. Open the page to load it from its host.";
}
