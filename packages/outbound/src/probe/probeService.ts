import {
  type Did,
  type EndpointProbe,
  getEndpoints,
  Interfaces,
  isContractEndpoint,
  isJsonObject,
  type JsonObject,
  liveOutcomes,
  type Metadata,
  normalizeAddress,
  type ProbedService,
  parseDid,
  type ServiceProbe,
  safeHref,
} from "@app-registry/sdk";
import { getDidContract } from "@app-registry/sdk/internal";
import { initializeRequest, readWaysToPay, type WayToPay } from "../discover/read/paymentFinding.ts";
import type { GuardedFetch } from "../fetch/guardedFetch.ts";
import { printable } from "../fetch/guardedFetchError.ts";
import { probeEndpoint } from "./probeEndpoint.ts";

/** Terms of x402 that say who is paid: a document may leave any of them open. */
type Terms = { chains?: string[]; payTo?: string; asset?: string; price: string };

/**
 * Compares the terms that an endpoint states for its payment (HTTP 402, x402) with those of its document. Another
 * recipient, network or asset is a change; another amount is only said. Requests the terms without paying.
 *
 * @returns The probe, with the comparison if the document registers payments of this endpoint.
 */
async function comparePayments(
  probe: EndpointProbe,
  { payments }: Metadata,
  guardedFetch: GuardedFetch,
): Promise<EndpointProbe> {
  const { status, url, protocol } = probe;
  if (status !== 402 || listRegistered(payments, url).length === 0) return probe;
  // A GraphQL server refuses any unpaid request.
  const isPosted = protocol === "mcp" || protocol === "graphql";
  const response = await guardedFetch.fetch(url, isPosted ? initializeRequest : {}).catch(() => undefined);
  const compared =
    response?.status === 402 ? await compareTerms(payments, url, response).catch(() => undefined) : undefined;
  if (!compared) return probe;
  const { changes, otherPrice } = compared;
  if (changes.length > 0) return { ...probe, comparison: { outcome: "changed", changes } };
  return {
    ...probe,
    ...(otherPrice !== undefined && {
      reason: `${probe.reason} It asks for ${otherPrice}, another price than registered.`,
    }),
    // The lists of an MCP server or agent stay unknown behind a payment.
    ...(protocol !== "mcp" &&
      protocol !== "a2a" && { comparison: { outcome: "same" as const, changes: [] } }),
  };
}

/**
 * Compares terms of x402, or a response that states them, with the registered payments of an endpoint.
 *
 * @param payments `payments` of the registered document.
 * @returns Terms with another recipient, network or asset as changes, and a price that differs. `undefined` if the
 * document registers no payment of this endpoint, or the response has no terms.
 */
export async function compareTerms(payments: unknown, url: string, source: Response | JsonObject) {
  const registered = listRegistered(payments, url);
  const ways = registered.length > 0 ? await readWaysToPay(source, url) : undefined;
  if (!ways) return undefined;
  const served = ways.map(toTerms);
  const changes = served
    .filter((terms) => !registered.some((one) => isSameRecipient(one, terms)))
    .map((terms) => ({
      kind: "payment" as const,
      name: terms.payTo ?? "x402",
      change: "changed" as const,
      diff: [...registered.map((one) => `- ${formatTerms(one)}`), `+ ${formatTerms(terms)}`],
    }));
  const other = served.find(({ price }) => !registered.some((one) => one.price === price));
  return { changes, otherPrice: other?.price };
}

/** Lists the x402 payments of a document for a URL, also those of a document that was not validated. */
function listRegistered(payments: unknown, url: string): Terms[] {
  return (Array.isArray(payments) ? payments : [])
    .filter((one) => isJsonObject(one) && /^x402$/i.test(String(one.type)))
    .filter(({ url: paid }) => paid === undefined || normalizeAddress(String(paid)) === normalizeAddress(url))
    .map(toTerms);
}

function toTerms({ chains, payTo, price }: WayToPay): Terms {
  const { amount, symbol, asset } = price ?? {};
  const text = (value: unknown) => (typeof value === "string" ? printable(value, 128) : undefined);
  const [recipient, token] = [text(payTo), text(asset)];
  return {
    ...(Array.isArray(chains) && { chains: chains.map((chain) => printable(String(chain), 64)) }),
    ...(recipient !== undefined && { payTo: recipient }),
    ...(token !== undefined && { asset: token }),
    price: [text(amount) ?? "an unknown amount", text(symbol)].filter(Boolean).join(" "),
  };
}

const isEqual = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || one === other || (/^0x/i.test(one) && one.toLowerCase() === other?.toLowerCase());

/** Returns true if terms name the network, recipient and asset that are registered. */
const isSameRecipient = (registered: Terms, served: Terms): boolean =>
  isEqual(registered.payTo, served.payTo) &&
  isEqual(registered.asset, served.asset) &&
  (registered.chains === undefined ||
    (served.chains ?? [""]).every((chain) => registered.chains?.includes(chain)));

const formatTerms = ({ chains = [], payTo = "anybody", asset, price }: Terms): string =>
  [
    price,
    ...(asset === undefined ? [] : [`in ${asset}`]),
    `to ${payTo}`,
    `on ${chains.join(", ") || "any chain"}`,
  ].join(" ");

export type ProbeServiceOptions = {
  guardedFetch: GuardedFetch;
  /**
   * Returns true if the contract has code, or `undefined` if its chain can't be read. Default: no chain can be read.
   */
  hasCode?: (contract: { chainId: number; address: string }) => Promise<boolean | undefined>;
  now?: () => number;
};

/** Maximum number of endpoints to check per service. */
const MAX_ENDPOINTS = 5;

/**
 * Checks one after the other whether the endpoints of a service respond. Checks the website of an app for people, and
 * the code of a contract. Sends no request if the metadata has `"probe": false`.
 *
 * @param service DID, registered document, and interfaces of the record.
 * @example
 * const tools = { ...metadata, endpoints: [{ name: "MCP", endpoint: mcpUrl }] };
 * const asked = await probeService({ did, metadata: tools, interfaces: Interfaces.Api }, { guardedFetch });
 * asked.outcome; // "answers"
 */
export async function probeService(
  { did, metadata, interfaces }: ProbedService,
  { guardedFetch, hasCode = async () => undefined, now = Date.now }: ProbeServiceOptions,
): Promise<ServiceProbe> {
  const probedAt = now();
  if (metadata.probe === false) {
    const reason = "The publisher opted out of live checks.";
    return { outcome: "unknown", drift: "not-comparable", probedAt, reason, endpoints: [] };
  }
  const parsed = parseDid(did);
  const endpoints: EndpointProbe[] = [];
  const contract = getDidContract(parsed);
  if (contract && (interfaces & Interfaces.Contract) !== 0)
    endpoints.push(await probeContract(contract, hasCode));
  for (const entry of listProbeTargets(parsed, metadata).slice(0, MAX_ENDPOINTS)) {
    const probe = await probeEndpoint(entry, { guardedFetch });
    endpoints.push(await comparePayments(probe, metadata, guardedFetch));
  }
  const asked = endpoints.filter(({ outcome }) => outcome !== "unknown");
  const places = asked.map(({ outcome }) => liveOutcomes.indexOf(outcome));
  const outcomes = endpoints.map(({ comparison }) => comparison?.outcome);
  const isUncompared = endpoints.some(
    ({ protocol, comparison }) => (protocol === "mcp" || protocol === "a2a") && !comparison,
  );
  const drift = outcomes.includes("same") && !isUncompared ? "same" : "not-comparable";
  return {
    ...(endpoints.length === 0 && { reason: "Its document lists nothing that can be checked." }),
    outcome: liveOutcomes[Math.max(...places)] ?? "unknown",
    drift: outcomes.includes("changed") ? "changed" : drift,
    probedAt,
    endpoints,
  };
}

/** Lists the endpoints to check, or the website if there are none. */
function listProbeTargets(did: Did, metadata: Metadata) {
  // Skip the RPC endpoint of a contract: it is a recommendation and not part of the service.
  const entries = getEndpoints(metadata).filter((entry) => !isContractEndpoint(did, entry));
  if (entries.length > 0) return entries;
  const { platforms, external_url: externalUrl } = metadata;
  const web = isJsonObject(platforms) && isJsonObject(platforms.web) ? platforms.web.launchUrl : undefined;
  const page = [web, externalUrl].find((url) => typeof url === "string" && safeHref(url) !== undefined);
  return page === undefined ? [] : [{ name: "Website", endpoint: String(page) }];
}

async function probeContract(
  { chainId, address }: { chainId: number; address: string },
  hasCode: NonNullable<ProbeServiceOptions["hasCode"]>,
): Promise<EndpointProbe> {
  const about = { name: "Contract", url: `eip155:${chainId}:${address}`, protocol: "contract" } as const;
  const startedAt = performance.now();
  const found = await hasCode({ chainId, address }).catch(() => undefined);
  const answer =
    found === undefined
      ? ({ outcome: "unknown", reason: `This registry can't read chain ${chainId}.` } as const)
      : found
        ? ({ outcome: "answers", reason: "The contract exists." } as const)
        : ({ outcome: "unreachable", reason: "No contract exists at this address." } as const);
  return { ...about, ...answer, latencyMs: Math.round(performance.now() - startedAt) };
}
