import "server-only";
import type { IssuerState } from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/async";
import type { AccountNames } from "../../components/record/facts.tsx";
import { registry } from "../../lib/server/registry.ts";

/** Cache time shared by all visitors, in milliseconds. */
const ANSWER_AGE = 30_000;

const answers = new TtlCache<IssuerState[]>(1);

/** Returns all issuers of the resolver: active, retired and distrusted ones. */
export const readIssuers = (): Promise<IssuerState[]> =>
  answers.get(
    "issuers",
    () => ANSWER_AGE,
    () => registry().client.getIssuers(),
  );

/** Returns the operator's names for issuers, by checksummed address. */
export const issuerNames = (): AccountNames =>
  Object.fromEntries([...registry().issuerNames].map(([address, { name }]) => [address, name]));
