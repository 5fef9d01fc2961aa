import {
  formatVersion,
  type Version,
  type VersionRecord,
  visibleLines,
  visibleText,
} from "@app-registry/sdk";
import Link from "next/link";
import { claimedName, replaceApprovalMarks, soundsOfficial } from "../../components/record/claims.ts";
import { type DefinitionLine, DefinitionLines } from "../../components/record/documents.tsx";
import { AddressText, DidText } from "../../components/record/identifiers.tsx";
import { AppStatusText, interfaceText, TimeText, TraitChip } from "../../components/record/labels.tsx";
import { listHref } from "../explore/listQuery.ts";
import { SHARED_NAME } from "../explore/sharedNameText.ts";
import type { ResolveLink } from "./createLinkResolver.ts";
import type { Account } from "./loadService.ts";
import { PlacedLink } from "./PlacedLink.tsx";
import claims from "./proven.module.css";
import styles from "./service.module.css";
import type { ServiceMetadata } from "./serviceMetadata.ts";

type ServiceHeadProps = {
  record: Pick<VersionRecord, "did" | "interfaces"> & { version: Version & { registeredAt?: number } };
  status: 0 | 1 | 2;
  /** Undefined while nobody holds it: the page is a preview. */
  holder: Account | undefined;
  /** Undefined when the document could not be read; the record stands without it. */
  metadata: ServiceMetadata | undefined;
  /** Whether another service has its name, or one that looks like it. */
  sharesName: boolean;
  placeOf: ResolveLink;
};

/** What a service says of itself, each part marked as a claim; its version and its status. */
export function ServiceHead({ record, status, holder, metadata, sharesName, placeOf }: ServiceHeadProps) {
  const name = claimedName(metadata?.name ?? "");
  const { publisher, description, traits = [], external_url: websiteUrl, supportUrl } = metadata ?? {};
  const lines: (DefinitionLine | false)[] = [
    { term: "DID", value: <DidText did={record.did} /> },
    publisher !== undefined && {
      term: "Publisher",
      value: (
        <>
          <span className={claims.says}>Claimed:</span> “
          <bdi data-claim="publisher">{claimedName(publisher)}</bdi>”
        </>
      ),
    },
    {
      term: "Version",
      value: (
        <span className="bar">
          <code>{formatVersion(record.version)}</code>
          <AppStatusText status={status} />
          <span className="quiet">
            {record.version.registeredAt === undefined ? (
              "not published yet"
            ) : (
              <>
                published <TimeText seconds={record.version.registeredAt} dateOnly />
              </>
            )}
          </span>
        </span>
      ),
    },
    { term: "Interfaces", value: interfaceText(record.interfaces) },
    traits.length > 0 && {
      term: "Traits",
      value: (
        <span className="bar">
          {traits.map((trait) => (
            <TraitChip key={trait} trait={trait} href={listHref({ traits: [trait] })} />
          ))}
        </span>
      ),
    },
    websiteUrl !== undefined && { term: "Website", value: <PlacedLink url={websiteUrl} placeOf={placeOf} /> },
    supportUrl !== undefined && { term: "Support", value: <PlacedLink url={supportUrl} placeOf={placeOf} /> },
    holder !== undefined && {
      term: "Holder",
      value: <AddressText address={holder.address} ensName={holder.ensName} />,
    },
  ];
  return (
    <div className={`stack2 ${styles.head}`}>
      {name === "" ? null : (
        <div className={styles.name}>
          <Monogram name={name} seed={record.did} />
          <h2 className={claims.claimedName}>
            <span className={claims.says}>Claimed name</span> “<bdi data-claim="name">{name}</bdi>”
          </h2>
        </div>
      )}
      {sharesName ? (
        <p className="small soft" data-note="shared-name">
          {SHARED_NAME} <Link href={listHref({ q: metadata?.name ?? "" })}>Compare</Link>
        </p>
      ) : null}
      {description === undefined ? null : <Description text={description} />}
      {[metadata?.name, publisher, description].some((text) => soundsOfficial(text ?? "")) ? (
        <p className="small soft" data-note="own-words">
          Words such as “verified” or “official” in the text above come from the publisher. See “Verification”
          for what this registry checked.
        </p>
      ) : null}
      <DefinitionLines lines={lines.filter((line) => line !== false)} />
    </div>
  );
}

/** Prose of more characters is folded, so that the facts stay in sight. */
const LONG_DESCRIPTION = 600;

function Description({ text }: { text: string }) {
  const description = replaceApprovalMarks(visibleLines(text));
  const isLong = description.length > LONG_DESCRIPTION || description.split("\n").length > 8;
  if (!isLong) {
    return (
      <p className={styles.description}>
        <span className={claims.says}>Claimed:</span> “<bdi data-claim="description">{description}</bdi>”
      </p>
    );
  }
  const start = description
    .slice(0, LONG_DESCRIPTION / 2)
    .split("\n")
    .slice(0, 4)
    .join("\n");
  return (
    <div className="stack">
      <p className={styles.description}>
        <span className={claims.says}>says:</span> “<bdi data-claim="description">{start} …</bdi>”
      </p>
      <details className="fold">
        <summary>Show full description</summary>
        <p className={styles.description}>
          <bdi>{description}</bdi>
        </p>
      </details>
    </div>
  );
}

type MonogramProps = {
  /** The service's name; its initials are drawn. */
  name: string;
  /** Draws the pattern, so that two services of one name differ: the DID. */
  seed: string;
};

function initials(name: string): string {
  const [first = "–", second] = visibleText(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const [initial = "", next = ""] = first;
  const [other] = second ?? "";
  return initial.toLocaleUpperCase("en") + (other?.toLocaleUpperCase("en") ?? next);
}

/** FNV-1a, 32 bit: spreads similar DIDs over different patterns. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/**
 * Drawn in place of a service's icon, which is never loaded: its host would learn who looks. Initials over hatching
 * whose angle and spacing come from the DID.
 */
function Monogram({ name, seed }: MonogramProps) {
  const hash = computeHash(seed);
  const angle = (hash % 12) * 15;
  const gap = 3 + ((hash >>> 8) % 4);
  const id = `hatch-${hash.toString(36)}`;
  return (
    <svg
      style={{ flex: "none" }}
      width={56}
      height={56}
      viewBox="0 0 40 40"
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <pattern
          id={id}
          width={gap}
          height={gap}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${angle})`}
        >
          <path d={`M0 0V${gap}`} stroke="var(--rule-strong)" strokeWidth={0.8} />
        </pattern>
      </defs>
      <rect x=".5" y=".5" width="39" height="39" rx="3" fill="var(--paper-raised)" />
      <rect x=".5" y=".5" width="39" height="39" rx="3" fill={`url(#${id})`} stroke="var(--rule-strong)" />
      <rect x="6" y="11" width="28" height="18" fill="var(--paper-raised)" />
      <text x="20" y="25" textAnchor="middle" fill="var(--ink)" fontSize={14} fontWeight={700}>
        {initials(name)}
      </text>
    </svg>
  );
}
