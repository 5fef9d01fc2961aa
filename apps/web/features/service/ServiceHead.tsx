import { formatVersion, type VersionRecord } from "@app-registry/sdk";
import { type DefinitionLine, DefinitionLines } from "../../components/record/documents.tsx";
import { AddressText, DidText } from "../../components/record/identifiers.tsx";
import {
  AppStatusText,
  ExternalLink,
  interfaceText,
  TimeText,
  TraitChip,
} from "../../components/record/labels.tsx";
import { visibleLines, visibleText } from "../../components/record/visibleText.ts";
import { listHref } from "../explore/listQuery.ts";
import type { Account } from "./loadService.ts";
import styles from "./service.module.css";
import type { ServiceMetadata } from "./serviceMetadata.ts";

type ServiceHeadProps = {
  record: VersionRecord;
  status: 0 | 1 | 2;
  holder: Account;
  /** Undefined when the document could not be read; the record stands without it. */
  metadata: ServiceMetadata | undefined;
};

/** Names of more characters are set smaller on a phone. */
const LONG_NAME = 40;

/** Who a service is: its name, what it says of itself, its publisher, its version and its status. */
export function ServiceHead({ record, status, holder, metadata }: ServiceHeadProps) {
  const name = visibleText(metadata?.name ?? "");
  const description = visibleLines(metadata?.description ?? "");
  const { publisher, traits = [], external_url: websiteUrl, supportUrl } = metadata ?? {};
  const lines: (DefinitionLine | false)[] = [
    { term: "DID", value: <DidText did={record.did} /> },
    publisher !== undefined && { term: "Publisher", value: <bdi>{visibleText(publisher)}</bdi> },
    {
      term: "Version",
      value: (
        <span className="bar">
          <code>{formatVersion(record.version)}</code>
          <AppStatusText status={status} />
          <span className="quiet">
            published <TimeText seconds={record.version.registeredAt} dateOnly />
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
    websiteUrl !== undefined && { term: "Website", value: <ExternalLink url={websiteUrl} /> },
    supportUrl !== undefined && { term: "Support", value: <ExternalLink url={supportUrl} /> },
    { term: "Holder", value: <AddressText address={holder.address} ensName={holder.ensName} /> },
  ];
  return (
    <div className={`stack2 ${styles.head}`}>
      <div className={styles.name}>
        <Monogram name={name || record.did} seed={record.did} />
        {name === "" ? (
          <h1 className={styles.unnamed}>{record.did}</h1>
        ) : (
          <h1 className={name.length > LONG_NAME ? styles.long : undefined}>
            <bdi>{name}</bdi>
          </h1>
        )}
      </div>
      {description === "" ? null : (
        <p className={styles.description} dir="auto">
          {description}
        </p>
      )}
      <DefinitionLines lines={lines.filter((line) => line !== false)} />
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
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/**
 * Drawn in place of a service's icon, which is never loaded: its host would learn who looks. Initials over hatching
 * whose angle and spacing come from the DID.
 */
function Monogram({ name, seed }: MonogramProps) {
  const hash = hashOf(seed);
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
