import {
  formatVersion,
  type Version,
  type VersionRecord,
  visibleLines,
  visibleText,
} from "@app-registry/sdk";
import Link from "next/link";
import { Claim } from "../../components/record/Claim.tsx";
import { type DefinitionLine, DefinitionLines } from "../../components/record/documents.tsx";
import { DidText } from "../../components/record/identifiers.tsx";
import { AppStatusText, interfaceText, TimeText, TraitChip } from "../../components/record/labels.tsx";
import { claimedName, replaceApprovalMarks, soundsOfficial } from "../../lib/record/claims.ts";
import { listClaims, type ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { listHref } from "../explore/listQuery.ts";
import { SHARED_NAME } from "../explore/sharedNameText.ts";
import type { ResolveLink } from "./createLinkResolver.ts";
import { PlacedLink } from "./PlacedLink.tsx";
import styles from "./service.module.css";

type ServiceHeadProps = {
  record: Pick<VersionRecord, "did"> & { version: Version & { registeredAt?: number } };
  status: 0 | 1 | 2;
  /** Undefined if the document could not be read. The record is shown without it. */
  metadata: ServiceMetadata | undefined;
  /** Another service has the same name or a similar-looking one. */
  sharesName: boolean;
  placeOf: ResolveLink;
};

/** The publisher's claims in one labelled block, the registry's notes on them below it, and the record's status. */
export function ServiceHead({ record, status, metadata, sharesName, placeOf }: ServiceHeadProps) {
  const { name, publisher, description } = metadata ?? {};
  return (
    <div className={`stack3 ${styles.head}`}>
      <div className="stack">
        {metadata === undefined ? null : <Claims did={record.did} metadata={metadata} placeOf={placeOf} />}
        {sharesName ? (
          <p className="small soft" data-note="shared-name">
            {SHARED_NAME} <Link href={listHref({ q: name ?? "" })}>Compare</Link>
          </p>
        ) : null}
        {[name, publisher, description].some((text) => soundsOfficial(text ?? "")) ? (
          <p className="small soft" data-note="own-words">
            Words such as “verified” or “official” in the text above come from the publisher. See
            “Verification” for what this registry checked.
          </p>
        ) : null}
      </div>
      <StatusLines record={record} status={status} />
    </div>
  );
}

type ClaimsProps = { did: string; metadata: ServiceMetadata; placeOf: ResolveLink };

/** Icon, name, description, publisher, website and support, behind one rule. Renders nothing without any of them. */
function Claims({ did, metadata, placeOf }: ClaimsProps) {
  const { description } = metadata;
  const name = claimedName(metadata.name ?? "");
  const link = (url: string) => (
    <span data-claim="link">
      <PlacedLink url={url} placeOf={placeOf} />
    </span>
  );
  const shown = listClaims(metadata).map(({ term, text, isUrl }) => ({
    term,
    value: isUrl ? link(text) : <Claim kind={term.toLowerCase()} text={claimedName(text)} />,
  }));
  if (name === "" && description === undefined && shown.length === 0) return null;
  return (
    <div className={`stack2 ${styles.claims}`} data-claims>
      <h2 className={styles.claimsLabel} data-claims-label>
        Claimed by the publisher · not verified
      </h2>
      {name === "" ? null : (
        <div className={styles.name}>
          <Monogram name={name} seed={did} />
          <p className={styles.claimedName}>
            <Claim kind="name" text={name} />
          </p>
        </div>
      )}
      {description === undefined ? null : <ClaimedText kind="description" text={description} />}
      <DefinitionLines lines={shown} />
    </div>
  );
}

/** Status, version and DID of a record. */
function StatusLines({ record: { did, version }, status }: Pick<ServiceHeadProps, "record" | "status">) {
  return (
    <div>
      <p className="bar">
        <AppStatusText status={status} />
        <span>
          Version <code>{formatVersion(version)}</code>,{" "}
          {version.registeredAt === undefined ? (
            "not published yet"
          ) : (
            <>
              published <TimeText seconds={version.registeredAt} dateOnly />
            </>
          )}
        </span>
      </p>
      <DidText did={did} />
    </div>
  );
}

/** Returns the interfaces and traits that the publisher declares in a record. */
export const declaredLines = (interfaces: number, traits: readonly string[]): DefinitionLine[] => [
  { term: "Interfaces", value: interfaceText(interfaces) },
  ...(traits.length === 0
    ? []
    : [
        {
          term: "Traits",
          value: (
            <span className="bar">
              {traits.map((trait) => (
                <TraitChip key={trait} trait={trait} href={listHref({ traits: [trait] })} />
              ))}
            </span>
          ),
        },
      ]),
];

/** Longer texts are folded, in characters, so that the rest of the page stays near. */
const LONG_TEXT = 600;

type ClaimedTextProps = { kind: string; text: string };

/** Renders a text of the publisher with its line breaks. A long one is shortened, and in a fold in full. */
export function ClaimedText({ kind, text }: ClaimedTextProps) {
  const full = replaceApprovalMarks(visibleLines(text));
  const isLong = full.length > LONG_TEXT || full.split("\n").length > 8;
  const start = full
    .slice(0, LONG_TEXT / 2)
    .split("\n")
    .slice(0, 4)
    .join("\n");
  return (
    <div className="stack">
      <p className={styles.description}>
        <Claim kind={kind} text={isLong ? `${start} …` : full} />
      </p>
      {isLong ? (
        <details className="fold">
          <summary>Show full {kind}</summary>
          <p className={styles.description}>
            <Claim kind={kind} text={full} />
          </p>
        </details>
      ) : null}
    </div>
  );
}

type MonogramProps = {
  /** Claimed name, for the initials. */
  name: string;
  /** The DID. It selects the pattern, so that services with the same name differ. */
  seed: string;
};

function initials(name: string): string {
  const [first = "–", second] = visibleText(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const [initial = "", next = ""] = first;
  const [other] = second ?? "";
  return initial.toLocaleUpperCase("en") + (other?.toLocaleUpperCase("en") ?? next);
}

/** Returns the 32-bit FNV-1a hash of a text, so that similar DIDs get different patterns. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/**
 * Initials over hatching, in place of the service's icon. The DID selects the angle and spacing of the hatching. The
 * icon itself is never loaded: its host would learn who views the page.
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
