import "server-only";
import { issuerAttestations, issuerAttestationsQuerySchema } from "@app-registry/index/control";
import { appPath } from "@app-registry/sdk";
import Link from "next/link";
import { AddressText, HashText, TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { readIndex } from "../../lib/server/readIndex.ts";
import { registry } from "../../lib/server/registry.ts";
import styles from "./control.module.css";

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
