import "server-only";
import { appPath } from "@app-registry/sdk";
import { fetchFromIndexer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import Link from "next/link";
import { z } from "zod";
import { AddressText, HashText } from "../../components/record/identifiers.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import styles from "./control.module.css";

const hex = z.templateLiteral(["0x", z.string()]);

/** Response of the index to GET /issuers/{address}/attestations. */
const pageSchema = z.object({
  attestations: z.array(
    z.object({
      didHash: hex,
      did: z.string().nullable(),
      controller: hex.optional(),
      dataHash: hex.optional(),
      startedAt: z.int().nullable(),
      statedAt: z.int(),
      expiresAt: z.int().nullable(),
      endedAt: z.int().nullable(),
      live: z.boolean(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

type Stated = z.output<typeof pageSchema>["attestations"][number];

/** Kind of attestation: who controls a DID, or which hash a record has. */
type AttestationKind = "controllers" | "hashes";

type IssuerAttestationsProps = { issuer: string; of: AttestationKind; cursor: string | undefined };

/** Shows one page of an issuer's statements, newest first. */
export async function IssuerAttestations({ issuer, of, cursor }: IssuerAttestationsProps) {
  const query = new URLSearchParams({ of, ...(cursor ? { cursor } : {}) });
  const path = `/issuers/${issuer}/attestations?${query}`;
  const answer = await fetchFromIndexer(registry().environment.indexerUrls, path);
  if (answer?.status !== 200) {
    const isWrong = answer?.status === 400;
    return (
      <Problem
        level={3}
        tone="unknown"
        title={isWrong ? "This page of the list no longer exists" : "Couldn't load attestations"}
        why={
          isWrong
            ? "The link doesn't match a page of this list."
            : "The search index is unavailable. Try again."
        }
      />
    );
  }
  const { attestations, nextCursor } = pageSchema.parse(parseAnswer(answer));
  if (attestations.length === 0) return <p>None.</p>;
  return (
    <>
      <ul className={`ruled ${styles.list}`} aria-label={of === "controllers" ? "Controllers" : "Hashes"}>
        {attestations.map((stated) => (
          <StatedLine key={`${stated.didHash} ${stated.controller ?? stated.dataHash}`} stated={stated} />
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
  const { didHash, controller, dataHash, startedAt, statedAt, expiresAt, endedAt, live } = stated;
  // Only the page of a hidden service may name it.
  const did = registry().hidden.reasonOf(stated.did ?? "") === undefined ? stated.did : null;
  return (
    <li data-live={live}>
      <span className="strong">{live ? "Live" : endedAt === null ? "Not live" : "Ended"}</span>
      <span className={styles.stated}>
        {did === null ? (
          <HashText hash={didHash} label="didHash" />
        ) : (
          <Link href={appPath(did)} prefetch={false} className="anywhere" translate="no">
            {did}
          </Link>
        )}
        {controller === undefined ? null : <AddressText address={controller} />}
        {dataHash === undefined ? null : <HashText hash={dataHash} label="dataHash" />}
      </span>
      <span className={styles.dates}>
        {startedAt === null ? (
          "never attested"
        ) : (
          <>
            since <TimeText seconds={startedAt} />
          </>
        )}
        , last statement <TimeText seconds={statedAt} />
        {live && expiresAt !== null ? (
          <span className={styles.issuerNote}>
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
