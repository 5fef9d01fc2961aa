import "server-only";
import { issuerAttestations, issuerAttestationsQuerySchema } from "@app-registry/index/control";
import { appPath, type IssuerState, type IssuerStatus, toAppRegistryError } from "@app-registry/sdk";
import Link from "next/link";
import type { Address } from "viem";
import { AddressText, ExternalLink, HashText, TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { readIndex } from "../../lib/server/readIndex.ts";
import { registry } from "../../lib/server/registry.ts";
import styles from "./control.module.css";
import { readIssuers } from "./readControl.ts";
import { Statement, Statements } from "./statements.tsx";

/** Labels of the issuer statuses. */
export const issuerWords: Record<IssuerStatus, string> = {
  unknown: "Unknown",
  active: "Active",
  retired: "Retired",
  distrusted: "Distrusted",
};

/** Lists the issuers of the resolver with their status and dates. */
export async function IssuerList() {
  const issuers = await readIssuers().catch((error: unknown) => toAppRegistryError(error));
  if (!Array.isArray(issuers)) {
    return <Problem level={3} tone="unknown" title="Couldn't load issuers" why={issuers.shortMessage} />;
  }
  if (issuers.length === 0) return <p>There are no issuers, so nothing can be attested.</p>;
  return (
    <Statements label="Issuers">
      {issuers.map((issuer) => (
        <Statement
          key={issuer.issuer}
          word={issuerWords[issuer.status]}
          account={issuer.issuer}
          live={issuer.status === "active"}
        >
          <IssuerName address={issuer.issuer} />
          <Dates issuer={issuer} />{" "}
          <Link href={`/issuers/${issuer.issuer}`} prefetch={false}>
            Attestations
          </Link>
        </Statement>
      ))}
    </Statements>
  );
}

/** Shows the operator's name for an issuer on its own line. */
export function IssuerName({ address }: { address: Address }) {
  const named = registry().issuerNames.get(address);
  if (named === undefined) {
    return (
      <span className="anywhere" style={{ display: "block" }}>
        This registry's operator hasn't named it.
      </span>
    );
  }
  return (
    <span className="anywhere" style={{ display: "block" }}>
      <bdi className="strong">{named.name}</bdi>{" "}
      {named.url === undefined ? null : <ExternalLink url={named.url} />}
      {named.note === undefined ? null : <bdi style={{ display: "block" }}>{named.note}</bdi>}
    </span>
  );
}

/** Shows the dates of an issuer's status. */
export function Dates({ issuer: { addedAt, distrustedSince, seatFreeAt } }: { issuer: IssuerState }) {
  return (
    <>
      {addedAt === undefined ? null : (
        <>
          Added <TimeText seconds={addedAt} />
        </>
      )}
      {distrustedSince === undefined ? null : distrustedSince === 0 ? (
        "; all statements are void"
      ) : (
        <>
          ; statements since <TimeText seconds={distrustedSince} /> are void
        </>
      )}
      {seatFreeAt === undefined || seatFreeAt === 0 ? null : (
        <>
          ; seat becomes free on <TimeText seconds={seatFreeAt} />
        </>
      )}
    </>
  );
}

type Stated = Awaited<ReturnType<typeof issuerAttestations>>["attestations"][number];

/** Kind of attestation: who controls a DID, or which hash a record has. */
type AttestationKind = "controllers" | "hashes";

type IssuerAttestationsProps = { issuer: string; of: AttestationKind; cursor: string | undefined };

/** Shows one page of an issuer's statements, newest first. */
export async function IssuerAttestations({ issuer, of, cursor }: IssuerAttestationsProps) {
  const query = issuerAttestationsQuerySchema.safeParse({ address: issuer, of, cursor });
  const page =
    query.data && (await readIndex(registry(), (session) => issuerAttestations(session, query.data)));
  if (!page) {
    return (
      <Problem
        level={3}
        tone="unknown"
        title={query.success ? "Couldn't load attestations" : "This page of the list no longer exists"}
        why={
          query.success
            ? "The search index is unavailable. Try again."
            : "The link doesn't match a page of this list."
        }
      />
    );
  }
  const { attestations, nextCursor } = page;
  if (attestations.length === 0) return <p>None.</p>;
  return (
    <>
      <ul className={`ruled ${styles.list}`} aria-label={of === "controllers" ? "Controllers" : "Hashes"}>
        {attestations.map((stated) => (
          <StatedLine
            key={`${stated.didHash} ${"controller" in stated ? stated.controller : stated.dataHash}`}
            stated={stated}
          />
        ))}
      </ul>
      {nextCursor === null ? null : (
        <p>
          <Link href={`/issuers/${issuer}?${new URLSearchParams({ [of]: nextCursor })}`} prefetch={false}>
            Older
          </Link>
        </p>
      )}
    </>
  );
}

function StatedLine({ stated }: { stated: Stated }) {
  const { didHash, startedAt, statedAt, expiresAt, endedAt, live } = stated;
  // Only the page of a hidden service may name it.
  const did = registry().hidden.reasonOf(stated.did ?? "") === undefined ? stated.did : null;
  return (
    <li data-live={live}>
      <span className="strong">{live ? "Live" : endedAt === null ? "Not live" : "Ended"}</span>
      <span style={{ display: "grid", justifyItems: "start" }}>
        {did === null ? (
          <HashText hash={didHash} label="didHash" />
        ) : (
          <Link href={appPath(did)} prefetch={false} className="anywhere" translate="no">
            {did}
          </Link>
        )}
        {"controller" in stated ? (
          <AddressText address={stated.controller} />
        ) : (
          <HashText hash={stated.dataHash} label="dataHash" />
        )}
      </span>
      <span className="soft">
        {startedAt === null ? (
          "never attested"
        ) : (
          <>
            since <TimeText seconds={startedAt} />
          </>
        )}
        , last statement <TimeText seconds={statedAt} />
        {live && expiresAt !== null ? (
          <span style={{ display: "block" }}>
            valid until <TimeText seconds={expiresAt} dateOnly />
          </span>
        ) : null}
        {endedAt === null ? null : (
          <>
            , ended <TimeText seconds={endedAt} />
          </>
        )}
      </span>
    </li>
  );
}
