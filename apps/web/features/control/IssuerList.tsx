import "server-only";
import { type IssuerState, type IssuerStatus, toAppRegistryError } from "@app-registry/sdk";
import Link from "next/link";
import type { Address } from "viem";
import { ExternalLink, TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import styles from "./control.module.css";
import { readIssuers } from "./issuerNames.ts";
import { Statement, Statements } from "./statements.tsx";

/** What the resolver says of an issuer, in a word. */
export const issuerWords: Record<IssuerStatus, string> = {
  unknown: "Unknown",
  active: "Active",
  retired: "Retired",
  distrusted: "Distrusted",
};

/** The issuers that the resolver knows, with what each may do and since when. */
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

/** What the operator calls an issuer, on a line of its own. */
export function IssuerName({ address }: { address: Address }) {
  const named = registry().issuerNames.get(address);
  if (named === undefined) {
    return <span className={styles.issuerName}>not named by this registry's operator</span>;
  }
  return (
    <span className={styles.issuerName}>
      <bdi className="strong">{named.name}</bdi>{" "}
      {named.url === undefined ? null : <ExternalLink url={named.url} />}
      {named.note === undefined ? null : <bdi className={styles.issuerNote}>{named.note}</bdi>}
    </span>
  );
}

/** Since when an issuer is what it is. */
export function Dates({ issuer: { addedAt, distrustedSince, seatFreeAt } }: { issuer: IssuerState }) {
  return (
    <>
      {addedAt === undefined ? null : (
        <>
          added <TimeText seconds={addedAt} />
        </>
      )}
      {distrustedSince === undefined ? null : distrustedSince === 0 ? (
        "; all its statements are void"
      ) : (
        <>
          ; its statements since <TimeText seconds={distrustedSince} /> are void
        </>
      )}
      {seatFreeAt === undefined || seatFreeAt === 0 ? null : (
        <>
          ; its seat becomes free on <TimeText seconds={seatFreeAt} />
        </>
      )}
    </>
  );
}
