import {
  type Did,
  type EndpointProbe,
  getEndpoints,
  Interfaces,
  isContractEndpoint,
  isJsonObject,
  liveOutcomes,
  type Metadata,
  type ProbedService,
  parseDid,
  type ServiceProbe,
  safeHref,
} from "@app-registry/sdk";
import type { GuardedFetch } from "../fetch/guardedFetch.ts";
import { comparePayments } from "./comparePayments.ts";
import { probeEndpoint } from "./probeEndpoint.ts";

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
  if (parsed.method === "pkh" && (interfaces & Interfaces.Contract) !== 0)
    endpoints.push(await probeContract(parsed, hasCode));
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
