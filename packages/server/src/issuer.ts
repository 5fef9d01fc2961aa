import { createIssuer, type Issuer, type IssuerEvent, type RevalidationEvent } from "@app-registry/issuer";
import { createTxtResolver } from "@app-registry/outbound";
import type { Connections } from "./connections.ts";
import { InvalidEnvironmentError } from "./environment.ts";

/**
 * Starts the issuer of a configuration.
 * @throws {InvalidEnvironmentError} without a key.
 * @throws {AccountError} if the key can't be opened.
 * @throws {NotAnIssuerError} if the account may not attest, unless it is retired and revalidates.
 */
export async function startIssuer(connections: Connections): Promise<Issuer> {
  const { environment, deployment, publicClient, guardedFetch, chainClient, database } = connections;
  if (!environment.issuerAccount) throw new InvalidEnvironmentError(["No issuer key is configured"]);
  const period = environment.issuerRevalidationPeriod;
  return createIssuer({
    account: await environment.issuerAccount(),
    deployment,
    publicClient,
    guardedFetch,
    chainClient,
    allowLoopback: environment.allowLoopback,
    mode: environment.issuerMode,
    maxFeePerGas: environment.issuerMaxFeePerGas,
    spendingCap: environment.issuerSpendingCap,
    clientSpendingCap: environment.issuerClientSpendingCap,
    lowBalance: environment.issuerLowBalance,
    onEvent: logEvent,
    database,
    revalidation: period === undefined ? undefined : { period },
    resolveTxt: environment.didWebTxt ? createTxtResolver() : undefined,
  });
}

function logEvent(event: IssuerEvent | RevalidationEvent): void {
  const usual =
    event.event === "attestation renewed" ||
    (event.event === "attestation checked" && (event.outcome === "holds" || event.outcome === "lapses"));
  if (usual) console.info(JSON.stringify({ level: "info", ...event }));
  else console.warn(JSON.stringify({ level: "warn", ...event }));
}
