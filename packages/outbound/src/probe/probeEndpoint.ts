import {
  compareTools,
  type EndpointEntry,
  type EndpointProbe,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LiveOutcome,
  MCP_ENDPOINT_NAME,
  type ProbeProtocol,
} from "@app-registry/sdk";
import { detectDocument } from "../discover/detectDocument.ts";
import { isAgentCard, supportedInterfaces } from "../discover/read/agentCardFinding.ts";
import { MAX_OPENAPI_SIZE } from "../discover/read/openApiFinding.ts";
import type { GuardedFetch } from "../fetch/guardedFetch.ts";
import { GuardedFetchError, type GuardedFetchErrorCode } from "../fetch/guardedFetchError.ts";
import { ImportError } from "../import/importError.ts";
import { importMcp } from "../import/importMcp.ts";
import { asString, parseJsonObject } from "../import/json.ts";

type Probe = (url: string, guardedFetch: GuardedFetch, entry: JsonObject) => Promise<ProbeResult>;

/**
 * Checks whether an endpoint responds, in the protocol of its entry. Sends only a few requests, which are read-only and
 * free of charge. Compares an MCP server or A2A agent with the lists of the entry.
 *
 * @param entry Element of `endpoints` in a registered document.
 * @returns The outcome; `unknown` for an entry without a URL. Never throws because of the endpoint's behavior.
 * @example
 * const { outcome } = await probeEndpoint({ name: "MCP", endpoint: mcpUrl }, { guardedFetch });
 * outcome; // "answers"
 */
export async function probeEndpoint(
  entry: EndpointEntry,
  { guardedFetch }: { guardedFetch: GuardedFetch },
): Promise<EndpointProbe> {
  const { name, endpoint: url = "" } = entry;
  const protocol = detectProtocol(entry);
  const about = { name, url, protocol };
  if (url === "") return { ...about, outcome: "unknown", reason: "The entry has no URL.", latencyMs: 0 };
  const startedAt = performance.now();
  const answer = await probesByProtocol[protocol](url, guardedFetch, entry as JsonObject).catch(
    (error: unknown) => errorToProbeResult(url, error),
  );
  return { ...about, ...answer, latencyMs: Math.round(performance.now() - startedAt) };
}

/** Detects the protocol of an entry by its conventional name or its fields. */
function detectProtocol(entry: EndpointEntry): Exclude<ProbeProtocol, "contract"> {
  const { name, tools, schemaUrl } = entry;
  const { skills, supportedInterfaces } = entry as JsonObject;
  if (name === MCP_ENDPOINT_NAME || Array.isArray(tools)) return "mcp";
  if (/^a2a\b/i.test(name) || Array.isArray(supportedInterfaces) || Array.isArray(skills)) return "a2a";
  if (/^graphql\b/i.test(name)) return "graphql";
  return schemaUrl !== undefined || /^rest\b/i.test(name) ? "openapi" : "http";
}

const probeMcp: Probe = async (url, guardedFetch, entry) => {
  const read = await importMcp(url, { guardedFetch });
  const { protocolVersion, tools, resources, resourceTemplates, prompts } = read;
  // Compare what was left out too: elements which no document could register count as differences.
  const listed = Object.entries({ tools, resources, resourceTemplates, prompts }).map(([list, kept]) => [
    list,
    [...kept, ...read.leftOut.flatMap((one) => (one.list === list ? [one.element] : []))],
  ]);
  const served = { ...Object.fromEntries(listed), instructions: read.server.instructions ?? "" };
  return {
    outcome: "answers",
    reason: `It speaks MCP${protocolVersion === undefined ? "" : ` ${protocolVersion}`}.`,
    ...(protocolVersion !== undefined && { protocolVersion }),
    comparison: compareTools(entry, served as JsonObject, { brief: true }),
  };
};

/** Task ID that does not exist at any agent. */
const NONEXISTENT_TASK_ID = "00000000-0000-4000-8000-000000000000";

const probeA2a: Probe = async (url, guardedFetch, entry) => {
  const { text } = await guardedFetch.fetchDocument(url);
  const card = parseJsonObject(text);
  if (!card || !isAgentCard(card)) {
    return { outcome: "other-protocol", reason: `${url} did not return an agent card.` };
  }
  const comparison = compareTools(entry, { skills: card.skills ?? [] }, { brief: true });
  const called = supportedInterfaces(card).flatMap((one) => {
    const [binding, address] = [asString(one.protocolBinding), asString(one.url)];
    const version = asString(one.protocolVersion) ?? "";
    // Validate the version, because it is sent as a header.
    const protocolVersion = /^[\d.]{1,20}$/.test(version) ? version : "0.3";
    return address !== undefined && (binding === "JSONRPC" || binding === "HTTP+JSON")
      ? [{ binding, address, protocolVersion }]
      : [];
  })[0];
  if (!called)
    return { outcome: "unknown", reason: "Its agent card loads but lists no HTTP interface.", comparison };
  const { protocolVersion } = called;
  const answer = await requestUnknownTask(called, guardedFetch).catch((error: unknown) =>
    errorToProbeResult(called.address, error),
  );
  return { ...answer, protocolVersion, comparison };
};

/**
 * Requests a nonexistent task from an agent. The agent must reply with an error, and the request has no side effect.
 */
async function requestUnknownTask(
  { binding, address, protocolVersion }: { binding: string; address: string; protocolVersion: string },
  guardedFetch: GuardedFetch,
): Promise<ProbeResult> {
  const isOld = protocolVersion.startsWith("0.");
  const method = isOld ? "tasks/get" : "GetTask";
  const headers = { "a2a-version": protocolVersion, accept: "application/json" };
  const response =
    binding === "JSONRPC"
      ? await guardedFetch.fetch(address, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { id: NONEXISTENT_TASK_ID } }),
        })
      : await guardedFetch.fetch(
          `${address.replace(/\/$/, "")}/${isOld ? "v1/" : ""}tasks/${NONEXISTENT_TASK_ID}`,
          { headers },
        );
  const body = parseJsonObject(await response.text());
  // Check the status first: a gate may reject the request in JSON-RPC, as x402 does.
  if ([401, 402, 403].includes(response.status)) return statusToProbeResult(address, response.status);
  const isAnswer =
    binding === "JSONRPC" ? body?.jsonrpc === "2.0" : response.status === 404 && body !== undefined;
  if (isAnswer) return { outcome: "answers", reason: `It speaks A2A ${protocolVersion}.` };
  if (response.ok)
    return { outcome: "other-protocol", reason: `${address} did not respond as an A2A agent.` };
  return statusToProbeResult(address, response.status);
}

/** Describes the result of reading the document at an API's `schemaUrl`. */
async function checkOpenApiDocument(
  schemaUrl: JsonValue | undefined,
  guardedFetch: GuardedFetch,
): Promise<string> {
  if (schemaUrl === undefined) return "Its entry names no OpenAPI document";
  try {
    const options = { accept: "application/json, application/yaml", maxBytes: MAX_OPENAPI_SIZE };
    const document = await detectDocument(await guardedFetch.fetchDocument(String(schemaUrl), options));
    const isOpenApi = document?.type === "finding" && document.finding.kind === "openapi";
    if (isOpenApi) return "Its OpenAPI document is available";
  } catch (error) {
    const isForbidden = error instanceof GuardedFetchError && error.code === "robots-disallowed";
    if (isForbidden) return "robots.txt doesn't allow reading its OpenAPI document";
  }
  return "Its schemaUrl doesn't serve an OpenAPI document";
}

const probeOpenApi: Probe = async (url, guardedFetch, { schemaUrl }) => {
  const schema = await checkOpenApiDocument(schemaUrl, guardedFetch);
  const { status } = await requestHead(url, guardedFetch);
  // Accept 404 and similar statuses: an API need not have an operation at its root.
  const isAlive = status < 500 && ![401, 402, 403, 429].includes(status);
  if (!isAlive) return statusToProbeResult(url, status);
  return { outcome: "answers", reason: `Returned HTTP ${status}. ${schema}.`, status };
};

const probeGraphql: Probe = async (url, guardedFetch) => {
  const response = await guardedFetch.fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/graphql-response+json, application/json",
    },
    body: JSON.stringify({ query: "{ __typename }" }),
  });
  const body = parseJsonObject(await response.text());
  const isAnswer = isJsonObject(body?.data) || (Array.isArray(body?.errors) && response.status < 500);
  if (isAnswer && ![401, 402, 403].includes(response.status))
    return { outcome: "answers", reason: "It speaks GraphQL." };
  if (response.ok)
    return { outcome: "other-protocol", reason: `${url} did not respond as a GraphQL endpoint.` };
  return statusToProbeResult(url, response.status);
};

/** Checks a website or another HTTP interface by the status of its URL. */
const probeHttp: Probe = async (url, guardedFetch) => {
  const { status } = await requestHead(url, guardedFetch);
  if (status < 400 || status === 405)
    return { outcome: "answers", reason: `Returned HTTP ${status}.`, status };
  const answer = statusToProbeResult(url, status);
  return answer.outcome === "other-protocol" ? { ...answer, outcome: "failing" } : answer;
};

const probesByProtocol: Record<Exclude<ProbeProtocol, "contract">, Probe> = {
  mcp: probeMcp,
  a2a: probeA2a,
  openapi: probeOpenApi,
  graphql: probeGraphql,
  http: probeHttp,
};

/** Sends HEAD, or GET if the host does not support HEAD. */
async function requestHead(url: string, guardedFetch: GuardedFetch): Promise<{ status: number }> {
  const head = await guardedFetch.fetch(url, { method: "HEAD" });
  if (![404, 405, 501].includes(head.status)) return head;
  const response = await guardedFetch.fetch(url);
  await response.body?.cancel();
  return response;
}

type ProbeResult = Pick<
  EndpointProbe,
  "outcome" | "reason" | "protocolVersion" | "status" | "retryAfter" | "comparison"
>;

/** Converts an unexpected HTTP status of an endpoint to a result. */
function statusToProbeResult(url: string, status: number, retryAfter?: number): ProbeResult {
  const said = { status, ...(retryAfter !== undefined && { retryAfter }) };
  const reason = `${url} returned HTTP ${status}`;
  if (status === 402) return { outcome: "gated", reason: `${reason}: payment required.`, ...said };
  if (status === 401 || status === 403)
    return { outcome: "gated", reason: `${reason}: credentials required.`, ...said };
  if (status === 429) return { outcome: "unknown", reason: `${reason}: it asked us to try later.`, ...said };
  if (status < 400)
    return { outcome: "failing", reason: `${reason}, a redirect that was not followed.`, ...said };
  return { outcome: status >= 500 ? "failing" : "other-protocol", reason: `${reason}.`, ...said };
}

/** Outcomes of failed requests, by error code. The default is `failing`, for a host that was reached. */
const outcomes: Partial<Record<GuardedFetchErrorCode, LiveOutcome>> = {
  unreachable: "unreachable",
  "name-not-found": "unreachable",
  "tls-failed": "unreachable",
  "url-not-allowed": "unknown",
  "address-not-public": "unknown",
  "redirect-not-allowed": "unknown",
  "too-many-requests": "unknown",
  "robots-disallowed": "unknown",
  "content-type": "other-protocol",
  "not-utf8": "other-protocol",
};

/** Returns true if the host accepted the connection and then closed it. */
const isConnectionReset = ({ cause }: GuardedFetchError): boolean =>
  cause instanceof Error && "code" in cause && /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(cause.code));

/** Converts the error of a request to a result. Rethrows errors that the host did not cause. */
function errorToProbeResult(url: string, error: unknown): ProbeResult {
  if (error instanceof ImportError) {
    if (error.code === "mcp-revision-unknown") return { outcome: "unknown", reason: error.shortMessage };
    if (error.status !== undefined) return statusToProbeResult(url, error.status);
    return { outcome: error.speaks ? "failing" : "other-protocol", reason: error.shortMessage };
  }
  if (!(error instanceof GuardedFetchError)) throw error;
  const { code, status, retryAfter, shortMessage: reason } = error;
  if (status !== undefined) return statusToProbeResult(url, status, retryAfter);
  const outcome = (!isConnectionReset(error) && outcomes[code]) || "failing";
  return { outcome, reason };
}
