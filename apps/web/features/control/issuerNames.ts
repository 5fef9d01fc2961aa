import "server-only";
import type { IssuerState } from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/TtlCache";
import type { AccountNames } from "../../components/record/FactLine.tsx";
import { registry } from "../../lib/server/registry.ts";

/** Milliseconds for which an answer is shown to everyone. */
const ANSWER_AGE = 30_000;

const answers = new TtlCache<IssuerState[]>(1);

/** The issuers that the resolver knows: authorised, retired and distrusted ones. */
export const readIssuers = (): Promise<IssuerState[]> =>
  answers.get(
    "issuers",
    () => ANSWER_AGE,
    () => registry().client.getIssuers(),
  );

/** What the operator calls the issuers, by checksummed address. */
export const issuerNames = (): AccountNames =>
  Object.fromEntries([...registry().issuerNames].map(([address, { name }]) => [address, name]));
