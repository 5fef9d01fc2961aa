import { formatVersion, type Version, type VersionRecord, visibleLines } from "@app-registry/sdk";
import Link from "next/link";
import { Claim } from "../../components/record/claims.tsx";
import { type DefinitionLine, DefinitionLines } from "../../components/record/documents.tsx";
import { Icon } from "../../components/record/Icon.tsx";
import {
  AppStatusText,
  DidText,
  interfaceText,
  TimeText,
  TraitChip,
} from "../../components/record/labels.tsx";
import { claimedName, replaceApprovalMarks, SHARED_NAME, soundsOfficial } from "../../lib/record/claims.ts";
import { listClaims, type ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { listHref } from "../explore/listQuery.ts";
import { PlacedLink, type ResolveLink } from "./links.tsx";
import styles from "./service.module.css";

type ServiceHeadProps = {
  record: Pick<VersionRecord, "did"> & { version: Version & { registeredAt?: number } };
  status: 0 | 1 | 2;
  /** Undefined if the document could not be read. The record is shown without it. */
  metadata: ServiceMetadata | undefined;
  /** Another service has the same name or a similar-looking one. */
  sharesName: boolean;
  /** Path of the publisher's icon on this server, if it may be shown. */
  icon?: string | undefined;
  placeOf: ResolveLink;
};

/** The publisher's claims in one labelled block, the registry's notes on them below it, and the record's status. */
export function ServiceHead({ record, status, metadata, sharesName, icon, placeOf }: ServiceHeadProps) {
  const { name, publisher, description } = metadata ?? {};
  return (
    <div className="stack3" style={{ gridArea: "head" }}>
      <div className="stack">
        {metadata === undefined ? null : <Claims {...{ did: record.did, metadata, icon, placeOf }} />}
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

type ClaimsProps = Pick<ServiceHeadProps, "icon" | "placeOf"> & { did: string; metadata: ServiceMetadata };

/** Icon, name, description, publisher, website and support, behind one rule. Renders nothing without any of them. */
function Claims({ did, metadata, icon, placeOf }: ClaimsProps) {
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
      <h2 className="minor small soft" data-claims-label>
        Claimed by the publisher · not verified
      </h2>
      {name === "" ? null : (
        <div className={styles.name}>
          <Icon name={name} seed={did} source={icon} size={40} />
          <p className="anywhere">
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

/**
 * Renders a text of the publisher with its line breaks. Each line begins with a quotation mark, so that none looks like
 * a sentence of this registry. A long text is shortened, and in a fold in full.
 */
export function ClaimedText({ kind, text }: ClaimedTextProps) {
  const full = replaceApprovalMarks(visibleLines(text)).replace(/\n(?=.)/g, "\n“");
  const isLong = full.length > LONG_TEXT || full.split("\n").length > 8;
  const start = full
    .slice(0, LONG_TEXT / 2)
    .split("\n")
    .slice(0, 4)
    .join("\n");
  return (
    <div className="stack">
      <p className="soft" style={{ maxWidth: "80ch", whiteSpace: "pre-line" }}>
        <Claim kind={kind} text={isLong ? `${start} …` : full} />
      </p>
      {isLong ? (
        <details className="fold">
          <summary>Show full {kind}</summary>
          <p className="soft" style={{ maxWidth: "80ch", whiteSpace: "pre-line" }}>
            <Claim kind={kind} text={full} />
          </p>
        </details>
      ) : null}
    </div>
  );
}
