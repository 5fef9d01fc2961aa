import { MAX_TRAITS } from "@app-registry/sdk";
import { GuardedFetchError } from "../fetch/guardedFetchError.ts";
import { ImportError } from "../import/importError.ts";
import type { DiscoverySession } from "./discoverySession.ts";
import type { Finding } from "./finding.ts";
import { asObjectArray, asStringArray } from "./read/json.ts";
import { UNREAD_PRICE } from "./read/openApiFinding.ts";
import { initializeRequest, paymentFinding } from "./read/paymentFinding.ts";

export const isPaymentRequired = (error: unknown): boolean =>
  (error instanceof GuardedFetchError || error instanceof ImportError) && error.status === 402;

/**
 * Reads the price of a resource that responded with HTTP 402, to GET or to the request of an MCP client.
 * @throws GuardedFetchError if it states no price that can be read.
 */
export async function readPaidResource(
  url: URL,
  { guardedFetch, signal }: DiscoverySession,
  mcp?: { isExpected: boolean },
): Promise<Finding> {
  const response = await guardedFetch.fetch(url, { ...(mcp && initializeRequest), signal });
  const finding = await paymentFinding(response, url.href, mcp?.isExpected === true);
  if (finding) return finding;
  const message = `${url.href} requires payment (HTTP 402), but doesn't state its price as x402 defines. Add the price under Payments.`;
  throw new GuardedFetchError("http-status", url, message, { status: 402 });
}

/** Adds the price of a resource to the services of which it is a part. Returns false if there are none. */
export function addPrice(findings: readonly Finding[], paid: Finding): boolean {
  const { origin } = new URL(paid.url);
  const isPaidPart = ({ kind, url, metadata }: Finding) =>
    url === paid.url ||
    (kind === "openapi" &&
      asObjectArray(metadata.endpoints).some(
        ({ endpoint }) => URL.canParse(String(endpoint)) && new URL(String(endpoint)).origin === origin,
      ));
  const terms = asStringArray(paid.metadata.traits).filter((trait) => trait.startsWith("pay:"));
  const services = findings.filter(isPaidPart);
  for (const service of services) {
    const traits = [...new Set([...asStringArray(service.metadata.traits), ...terms])].slice(0, MAX_TRAITS);
    service.metadata = { ...service.metadata, payments: paid.metadata.payments ?? [], traits };
    const { notes = [] } = service;
    const all = [...new Set([...notes.filter((note) => note !== UNREAD_PRICE), ...(paid.notes ?? [])])];
    if (all.length > 0) service.notes = all;
    else delete service.notes;
  }
  return services.length > 0;
}
