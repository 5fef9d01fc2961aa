import {
  createIssuer,
  createTxtResolver,
  type Issuer,
  type IssuerEvent,
  type RevalidationEvent,
} from "@app-registry/sdk/issuer";
import { privateKeyToAccount } from "viem/accounts";
import { issuerStores } from "./issuerStores.ts";
import { ApiProblem } from "./problem.ts";
import { type Registry, registry } from "./registry.ts";

/**
 * Starts the issuer of a registry.
 * @throws ApiProblem `issuer-not-configured` without a key, NotAnIssuerError for a key that may not attest, and has
 * nothing to revoke.
 */
export function startIssuer(source: Registry): Promise<Issuer> {
  const { environment, deployment, publicClient, guardedFetch, chainClient } = source;
  if (!environment.issuerPrivateKey) {
    throw new ApiProblem(503, "issuer-not-configured", "This server attests nothing", {
      detail: "Its operator has set no ISSUER_PRIVATE_KEY.",
    });
  }
  const { openTransactions, openAttestations } = issuerStores(source);
  const period = environment.issuerRevalidationPeriod;
  return createIssuer({
    account: privateKeyToAccount(environment.issuerPrivateKey),
    deployment,
    publicClient,
    guardedFetch,
    chainClient,
    allowLoopback: environment.allowLoopback,
    mode: environment.issuerMode,
    maxFeePerGas: environment.issuerMaxFeePerGas,
    spendingCap: environment.issuerSpendingCap,
    lowBalance: environment.issuerLowBalance,
    onEvent: logEvent,
    openStore: openTransactions,
    revalidation: period === undefined ? undefined : { period, openStore: openAttestations },
    resolveTxt: environment.didWebTxt ? createTxtResolver() : undefined,
  });
}

/** One line of JSON. */
function logEvent(event: IssuerEvent | RevalidationEvent): void {
  const usual =
    event.event === "attestation renewed" ||
    (event.event === "attestation checked" && (event.outcome === "holds" || event.outcome === "lapses"));
  if (usual) console.info(JSON.stringify({ level: "info", ...event }));
  else console.warn(JSON.stringify({ level: "warn", ...event }));
}

let current: Promise<Issuer> | undefined;

/** The issuer of this process. A start that fails is tried again at the next call. */
export async function issuer(): Promise<Issuer> {
  current ??= startIssuer(registry());
  try {
    return await current;
  } catch (error) {
    current = undefined;
    throw error;
  }
}
