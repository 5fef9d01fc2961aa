import "server-only";
import { type IssuerState, type IssuerStatus, toAppRegistryError } from "@app-registry/sdk";
import { TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { RecentAnswers } from "../../lib/server/RecentAnswers.ts";
import { registry } from "../../lib/server/registry.ts";
import { Statement, Statements } from "./statements.tsx";

/** Milliseconds for which an answer is shown to everyone. */
const ANSWER_AGE = 30_000;

const answers = new RecentAnswers<IssuerState[]>(1);

const words: Record<IssuerStatus, string> = {
  unknown: "Unknown",
  active: "Active",
  retired: "Retired",
  distrusted: "Distrusted",
};

/** The issuers that the resolver knows, with what each may do and since when. */
export async function IssuerList() {
  const issuers = await answers
    .get(
      "issuers",
      () => ANSWER_AGE,
      () => registry().client.getIssuers(),
    )
    .catch((error: unknown) => toAppRegistryError(error));
  if (!Array.isArray(issuers)) {
    return (
      <Problem level={3} tone="unknown" title="The issuers can't be read now" why={issuers.shortMessage} />
    );
  }
  if (issuers.length === 0) return <p>There is no issuer, so nothing can be attested.</p>;
  return (
    <Statements label="Issuers">
      {issuers.map((issuer) => (
        <Statement
          key={issuer.issuer}
          word={words[issuer.status]}
          account={issuer.issuer}
          live={issuer.status === "active"}
        >
          <Dates issuer={issuer} />
        </Statement>
      ))}
    </Statements>
  );
}

function Dates({ issuer: { addedAt, distrustedSince, seatFreeAt } }: { issuer: IssuerState }) {
  return (
    <>
      {addedAt === undefined ? null : (
        <>
          added <TimeText seconds={addedAt} />
        </>
      )}
      {distrustedSince === undefined ? null : distrustedSince === 0 ? (
        "; all that it stated is void"
      ) : (
        <>
          ; what it stated since <TimeText seconds={distrustedSince} /> is void
        </>
      )}
      {seatFreeAt === undefined || seatFreeAt === 0 ? null : (
        <>
          ; its seat is free from <TimeText seconds={seatFreeAt} />
        </>
      )}
    </>
  );
}
