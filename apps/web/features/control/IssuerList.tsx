import "server-only";
import { type IssuerState, type IssuerStatus, toAppRegistryError } from "@app-registry/sdk";
import Link from "next/link";
import type { Address } from "viem";
import { ExternalLink, TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import { readIssuers } from "./issuerNames.ts";
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
        not named by this registry's operator
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
          added <TimeText seconds={addedAt} />
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
