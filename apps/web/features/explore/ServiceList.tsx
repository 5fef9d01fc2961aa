import { domainToUnicode } from "node:url";
import { getSite } from "@app-registry/outbound/site";
import {
  appPath,
  appStatusLabels,
  formatProvenLine,
  getProvenSubject,
  parseVersion,
  type SearchResult,
  visibleText,
} from "@app-registry/sdk";
import {
  type FactOutcomes,
  factNames,
  factTexts,
  getDidContract,
  getDidHost,
  getResultOutcomes,
} from "@app-registry/sdk/internal";
import Link from "next/link";
import { type ReactNode, Suspense } from "react";
import { Claim, ScriptWarning, SubdomainName } from "../../components/record/claims.tsx";
import { FactMarks, RowFacts } from "../../components/record/facts.tsx";
import { Icon, picturePath } from "../../components/record/Icon.tsx";
import { AppStatusText, kindText, TimeText } from "../../components/record/labels.tsx";
import {
  claimedName,
  internationalLabels,
  replaceApprovalMarks,
  SHARED_NAME,
  soundsOfficial,
} from "../../lib/record/claims.ts";
import styles from "./explore.module.css";
import { getPublisherPath } from "./listQuery.ts";
import { rowOutcomes, type ServiceEntry } from "./searchServices.ts";

type ServiceListProps = {
  rows: ServiceEntry[];
  /** Title or count of the list. */
  caption?: ReactNode;
  /** Facts to show: `lastKnown` if the chain doesn't respond, `none` for services that only resemble another one. */
  facts?: "checked" | "lastKnown" | "none";
};

type OrderLinksProps<Sort extends string> = {
  label?: string;
  orders: readonly { sort: Sort; label: string }[];
  current: Sort;
  toHref: (sort: Sort) => string;
};

/** Links to a list in each of its orders. */
export const OrderLinks = <Sort extends string>({
  label,
  orders,
  current,
  toHref,
}: OrderLinksProps<Sort>) => (
  <nav className="bar" aria-label="Order">
    {label === undefined ? null : <span className="quiet">{label}</span>}
    {orders.map(({ sort, label }) => (
      <Link
        key={label}
        className={sort === current ? "strong" : undefined}
        href={toHref(sort)}
        aria-current={sort === current ? "true" : undefined}
        prefetch={false}
        scroll={false}
      >
        {label}
      </Link>
    ))}
  </nav>
);

/** A list of services. Its heading says once which texts of the rows are claims, and names the six marks. */
export function ServiceList({ rows, caption, facts = "checked" }: ServiceListProps) {
  const alike = findLookalikeContracts(rows.map(({ result }) => result));
  return (
    <div className={styles.frame} data-list>
      <div className={styles.listHead}>
        <div className="row">{caption}</div>
        <p className="quiet" data-claims-label>
          Claimed by publishers, not verified: texts in “quotes”
        </p>
        {facts === "none" ? null : (
          <p className={`small soft ${styles.six}`} aria-hidden="true">
            {factNames.map((name) => (
              <span key={name}>{factTexts[name].label}</span>
            ))}
          </p>
        )}
      </div>
      <ol>
        {rows.map((entry) => (
          <ServiceRow
            key={entry.result.tokenId}
            entry={entry}
            alike={alike.get(entry.result.tokenId)}
            facts={facts}
          />
        ))}
      </ol>
    </div>
  );
}

type RowProps = {
  entry: ServiceEntry;
  alike?: LookalikeContract | undefined;
  facts: ServiceListProps["facts"];
};

/** A service in a list. The link of the proven name covers the row. */
function ServiceRow({ entry, alike, facts }: RowProps) {
  const { result, outcomes, others } = entry;
  return (
    <li className={styles.row}>
      <div style={{ gridArea: "where" }}>
        {outcomes === undefined ? (
          <Suspense fallback={<ProvenText result={result} alike={alike} />}>
            <StreamedProvenText result={result} alike={alike} />
          </Suspense>
        ) : (
          <ProvenText result={result} outcomes={outcomes} alike={alike} />
        )}
      </div>
      <Claims result={result} />
      <Notes entry={entry} alike={alike} />
      <div className="small" style={{ gridArea: "record", lineHeight: "20px" }}>
        {facts === "none" ? null : outcomes === undefined ? (
          <Suspense fallback={<FactMarks outcomes={getResultOutcomes(result)} summary="Checking…" />}>
            <StreamedFacts result={result} />
          </Suspense>
        ) : (
          <RowFacts outcomes={outcomes} result={result} isLastKnown={facts === "lastKnown"} />
        )}
        <p className="bar quiet">
          {result.status === 0 ? null : <AppStatusText status={result.status} />}
          <span className="mono">{result.version}</span>
          {result.updatedAt > 0 ? <TimeText seconds={result.updatedAt} dateOnly /> : null}
        </p>
      </div>
      <details className={styles.menu}>
        <summary>
          <span aria-hidden="true">⋯</span>
          <span className="visuallyHidden">More of {getProvenSubject(result.did).name}</span>
        </summary>
        <ul className="box">
          <li>
            <Link href={getPublisherPath(result.did)} prefetch={false}>
              All services registered here
            </Link>
          </li>
          {result.status === 0 && result.latest === false ? (
            <li>
              <Link href={appPath(result.did)} prefetch={false}>
                Newest version
              </Link>
            </li>
          ) : null}
          {others.map((other) => (
            <li key={other.tokenId}>
              <Link href={versionHref(other)} prefetch={false}>
                Version {other.version}
              </Link>
              {other.status === 0 ? "" : ` ${appStatusLabels[other.status].toLowerCase()}`}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

type ProvenTextProps = {
  result: SearchResult;
  outcomes?: FactOutcomes;
  alike: LookalikeContract | undefined;
};

/** The proven name, in full. While *control* is being checked, it is not called controlled. */
function ProvenText({ result, outcomes, alike }: ProvenTextProps) {
  const { control } = outcomes ?? getResultOutcomes(result);
  const { kind, name, before, after } = formatProvenLine(result.did, control ?? "unknown");
  const site = kind === "host" ? getSite(name) : undefined;
  return (
    <p className="anywhere">
      <span className={`small soft ${styles.words}`}>{before} </span>
      <Link className={styles.provenName} href={versionHref(result)} prefetch={false}>
        <bdi dir="ltr" translate="no" data-proven={kind}>
          {site && name !== site ? <SubdomainName name={name} site={site} /> : marked(name, alike)}
        </bdi>
      </Link>
      {outcomes === undefined && control === undefined ? null : <span className="soft">{after}</span>}
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

async function StreamedProvenText({ result, alike }: Omit<ProvenTextProps, "outcomes">) {
  return <ProvenText result={result} outcomes={await rowOutcomes(result)} alike={alike} />;
}

async function StreamedFacts({ result }: Pick<ProvenTextProps, "result">) {
  return <RowFacts outcomes={await rowOutcomes(result)} result={result} />;
}

/** Warnings about letters of the host that look like other letters. */
function ScriptWarnings({ did }: { did: string }) {
  const host = getDidHost(did);
  if (host === undefined) return null;
  return internationalLabels(domainToUnicode(host))
    .filter(({ warning }) => warning !== undefined)
    .map((label) => <ScriptWarning key={label.label} {...label} />);
}

/** The publisher's claims. They are no links: the text of a link could pass for a host. */
function Claims({ result }: { result: SearchResult }) {
  const name = claimedName(result.name ?? "");
  const description = replaceApprovalMarks(visibleText(result.description ?? ""));
  return (
    <div className={styles.claims} data-claims>
      <Icon
        name={name}
        seed={result.did}
        source={result.image && picturePath(result.did, parseVersion(result.version), "/image")}
        size={40}
      />
      <div className="anywhere" style={{ gridArea: "claims" }}>
        <p className={styles.named}>
          {name === "" ? null : (
            <span className={styles.line}>
              <Claim kind="name" text={name} />
            </span>
          )}
          <span className="quiet">{kindText(result)}</span>
        </p>
        {description === "" ? null : (
          <p className={`soft ${styles.line}`}>
            <Claim kind="description" text={description} />
          </p>
        )}
      </div>
    </div>
  );
}

/** The registry's notes on names that could deceive, and on newer records. */
function Notes({ entry: { result, sharesName }, alike }: Pick<RowProps, "entry" | "alike">) {
  const { did, name, publisher, description } = result;
  const warnings: [string, string][] = [];
  if (alike)
    warnings.push([
      "Look-alike address.",
      `It looks like the one in record ${alike.tokenId}. Differences are underlined.`,
    ]);
  if (sharesName) warnings.push(["Shared name.", SHARED_NAME]);
  if ([name, publisher, description].some((text) => soundsOfficial(text ?? "")))
    warnings.push(["Not our words.", "“Verified”, “official” and the like come from the publisher."]);
  if (result.owner !== result.minter)
    warnings.push([
      "Different holder.",
      "Its token is held by another account than the one that registered it.",
    ]);
  const notes = [
    !name && !description && withoutLabels(result),
    result.status === 0 && result.latest === false && "A newer major version is Active.",
  ];
  return (
    <div style={{ gridArea: "notes" }}>
      <ScriptWarnings did={did} />
      {warnings.map(([lead, text]) => (
        <p key={lead}>
          <strong>{lead}</strong> {text}
        </p>
      ))}
      {notes.map((note) =>
        note ? (
          <p key={note} className="small soft">
            {note}
          </p>
        ) : null,
      )}
    </div>
  );
}

/** Path of the service's page at this major version. Without the version it would show the highest major. */
const versionHref = ({ did, version }: SearchResult): string => appPath(did, parseVersion(version));

/** Returns the reason that a record has no name and no description. The facts name the document's problem. */
function withoutLabels({ document }: SearchResult): string {
  if (document?.reason !== undefined) return "Couldn't load its description. See Content.";
  if (document?.source === "chain") return "No name in its metadata.";
  return "Metadata is not on the chain. Open the page to load it from its host.";
}

/** A contract with an address that looks like another one in the same list. */
export type LookalikeContract = {
  /** Token ID of the first similar contract's record. */
  tokenId: string;
  /** Positions in the 40 digits at which the address differs from a similar one. */
  places: ReadonlySet<number>;
};

/** Number of equal digits, at both ends together, from which two addresses look alike. Few readers compare more. */
const MIN_SHARED_DIGITS = 6;

/** Finds the contracts of a list with similar addresses, by token ID. */
export function findLookalikeContracts(
  listed: readonly { tokenId: string; did: string }[],
): Map<string, LookalikeContract> {
  const contracts = listed.flatMap(({ tokenId, did }) => {
    const contract = getDidContract(did);
    return contract ? [{ tokenId, digits: contract.address.slice(2) }] : [];
  });
  const alike = new Map<string, LookalikeContract>();
  for (const { tokenId, digits } of contracts) {
    const others = contracts.filter((other) => other.digits !== digits && looksLike(digits, other.digits));
    const [first] = others;
    if (first === undefined) continue;
    const places = [...digits].flatMap((digit, place) =>
      others.some((other) => other.digits[place] !== digit) ? [place] : [],
    );
    alike.set(tokenId, { tokenId: first.tokenId, places: new Set(places) });
  }
  return alike;
}

function looksLike(one: string, other: string): boolean {
  const places = [...one].flatMap((digit, place) => (other[place] === digit ? [] : [place]));
  return (places.at(0) ?? 0) + one.length - 1 - (places.at(-1) ?? 0) >= MIN_SHARED_DIGITS;
}
