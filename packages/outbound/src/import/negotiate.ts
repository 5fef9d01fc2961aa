import { isJsonObject, type JsonObject, MAX_JSON_DEPTH } from "@app-registry/sdk";
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { FetchLike } from "../fetch/guardedFetch.ts";
import { printable } from "../fetch/printable.ts";
import { isDeeperThan } from "./isDeeperThan.ts";
import { readReply } from "./readReply.ts";

/**
 * MCP revision in which each request states its revision, without an `initialize` handshake. The only supported one.
 */
const STATELESS_REVISION = "2026-07-28";

/** Error codes reserved for servers without the handshake (MCP 2026-07-28, error codes). */
const HEADER_MISMATCH = -32_020;
const MISSING_CAPABILITY = -32_021;
const UNSUPPORTED_REVISION = -32_022;

/**
 * Time limit for `server/discover` before `initialize` is tried, in milliseconds. Some servers ignore unknown methods.
 */
const PATIENCE = 2_000;

const MAX_REDIRECTS = 3;

/** JSON-RPC reply to a handshake, and its HTTP status if known. */
export type HandshakeReply = { status?: number | undefined; result?: unknown; error?: unknown };

/** Result of the discovery: the option `prior` of the MCP client's `connect`. */
export type McpEra = PriorDiscovery;

type Decision = McpEra | { kind: "unknown"; revisions: string[] } | { kind: "invalid"; reason: string };

/** Error for an MCP server that supports none of our revisions, or that violates the handshake. */
export class McpHandshakeError extends Error {
  override readonly name = "McpHandshakeError";
  /** Revisions that the server supports instead, or `undefined` if it violates the protocol. */
  readonly revisions: readonly string[] | undefined;

  constructor(message: string, options: { revisions?: readonly string[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.revisions = options.revisions;
  }
}

/** Rejection of `server/discover` by HTTP status, from a server that also rejects `initialize`. */
class McpRefusal extends Error {
  override readonly name = "McpRefusal";
  readonly status: number;

  constructor(status: number, cause?: unknown) {
    super(`The server refused with HTTP ${status}.`, { cause });
    this.status = status;
  }
}

/**
 * Chooses the kind of session from a server's reply to `server/discover` or `initialize`. Falls back to `initialize`
 * unless the reply is specific to a newer revision, because gateways and older servers reply to unknown methods in any
 * way.
 */
export function decideEra({ result, error }: HandshakeReply): Decision {
  if (isJsonObject(error)) {
    const { code, data } = error as JsonObject;
    if (code === HEADER_MISMATCH || code === MISSING_CAPABILITY)
      return { kind: "invalid", reason: `The server refused server/discover with the error ${code}.` };
    if (code !== UNSUPPORTED_REVISION) return { kind: "legacy" };
    const supported = revisionsIn(isJsonObject(data) ? (data as JsonObject).supported : undefined);
    if (supported.some(isLegacy)) return { kind: "legacy" };
    if (supported.includes(STATELESS_REVISION))
      return { kind: "invalid", reason: `The server refused ${STATELESS_REVISION}, which it supports.` };
    return { kind: "unknown", revisions: supported };
  }
  if (!isJsonObject(result)) return { kind: "legacy" };
  const {
    supportedVersions,
    resultType = "complete",
    capabilities,
    _meta,
    serverInfo,
  } = result as JsonObject;
  if (!Array.isArray(supportedVersions) || isDeeperThan(MAX_JSON_DEPTH, result)) return { kind: "legacy" };
  if (resultType !== "complete")
    return { kind: "invalid", reason: "The server answered server/discover with an incomplete result." };
  const supported = revisionsIn(supportedVersions);
  if (!supported.includes(STATELESS_REVISION))
    return supported.some(isLegacy) ? { kind: "legacy" } : { kind: "unknown", revisions: supported };
  const discover = {
    ...(result as JsonObject),
    supportedVersions: [STATELESS_REVISION],
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    // Drafts of the revision have the server's name beside `_meta`.
    _meta: {
      ...(isJsonObject(serverInfo) && { "io.modelcontextprotocol/serverInfo": serverInfo }),
      ...(isJsonObject(_meta) && _meta),
    },
  };
  return { kind: "modern", discover } as McpEra;
}

/** Returns true if a revision uses `initialize`. Revisions are ISO dates, so they sort as strings. */
const isLegacy = (revision: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(revision) && revision < STATELESS_REVISION;

const revisionsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [];

/** Creates the error for a server of unsupported revisions. Lists at most five of them, truncated. */
export function unknownRevision(revisions: readonly string[], cause?: unknown): McpHandshakeError {
  const named = revisions.slice(0, 5).map((one) => printable(one, 30));
  const offered = named.length > 0 ? `only ${named.join(", ")}` : "a revision that it doesn't name";
  return new McpHandshakeError(`The server supports ${offered}.`, { revisions, cause });
}

/**
 * Opens a session with an MCP server of any supported revision. Sends `server/discover`, then tries `initialize` unless
 * the reply shows that the server does not have it.
 *
 * @param options.open Opens the session. Called once, or a second time with another era. If the server rejects
 * `initialize`, its error should have the HTTP status in `status`.
 * @param options.replyOf Reads the server's reply from an error of `open`.
 * @param options.fetch `fetch` for all requests.
 * @throws {McpHandshakeError} for unsupported revisions and invalid handshakes. Also throws errors of `open` and
 * `fetch`.
 */
export async function negotiateMcp<Session>(
  url: URL,
  options: {
    fetch: FetchLike;
    signal?: AbortSignal | undefined;
    open: (era: McpEra) => Promise<Session>;
    replyOf: (error: unknown) => HandshakeReply;
  },
): Promise<Session> {
  const { fetch, signal, open, replyOf } = options;
  const ask = (limit?: AbortSignal) => {
    const signals = [signal, limit].filter((one) => one !== undefined);
    return discover(url, { fetch, signal: AbortSignal.any(signals) });
  };
  const limit = AbortSignal.timeout(PATIENCE);
  const told = await ask(limit).catch((error: unknown) => {
    if (!limit.aborted || signal?.aborted) throw error;
    return undefined;
  });
  const decided = decideEra(told ?? {});
  // Don't send `initialize` to a server that has just asked us to wait.
  if (told?.status === 429) throw new McpRefusal(429);
  if (decided.kind !== "legacy") return open(openable(decided));
  try {
    return await open(decided);
  } catch (error) {
    if (signal?.aborted || error instanceof McpHandshakeError) throw error;
    // The server may be slow rather than old, so retry `server/discover` without the short time limit.
    if (!told) {
      const late = decideEra(await ask());
      if (late.kind !== "legacy") return open(openable(late));
      throw error;
    }
    throw reasonOfRefusal(told, replyOf(error), error);
  }
}

/** Returns the decision if it allows a session. @throws {McpHandshakeError} if it does not. */
function openable(decision: Decision): McpEra {
  if (decision.kind === "unknown") throw unknownRevision(decision.revisions);
  if (decision.kind === "invalid") throw new McpHandshakeError(decision.reason);
  return decision;
}

/** Returns the more informative of two rejections. */
function reasonOfRefusal(discovered: HandshakeReply, initialized: HandshakeReply, error: unknown): unknown {
  const decided = decideEra({ error: initialized.error });
  if (decided.kind === "unknown") return unknownRevision(decided.revisions, error);
  const code = isJsonObject(discovered.error) && (discovered.error as JsonObject).code;
  if (code === UNSUPPORTED_REVISION) return unknownRevision([], error);
  const { status = 0 } = discovered;
  const isGate = [401, 402, 403].includes(status);
  if (isGate || (status >= 400 && decided.kind === "invalid")) return new McpRefusal(status, error);
  if (decided.kind === "invalid") return new McpHandshakeError(decided.reason, { cause: error });
  return error;
}

async function discover(
  url: URL,
  { fetch, signal }: { fetch: FetchLike; signal: AbortSignal },
): Promise<HandshakeReply> {
  const id = "discover-1";
  const method = "server/discover";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": STATELESS_REVISION,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const init = {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": STATELESS_REVISION,
      "mcp-method": method,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: meta } }),
    redirect: "manual",
    signal,
  } as const;
  let response = await fetch(url, init);
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
    const to = sameOriginRedirect(response, url);
    if (!to) break;
    await response.body?.cancel();
    response = await fetch(to, init);
  }
  return { status: response.status, ...(await readReply(response, id)) };
}

/** Returns the target of a redirect that preserves both method and origin, as the MCP client follows them. */
function sameOriginRedirect({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get("location") ?? "";
  if (![307, 308].includes(status) || !URL.canParse(location, from.href)) return undefined;
  const to = new URL(location, from.href);
  return to.origin === from.origin ? to : undefined;
}

/** Client name and version that this package sends in handshakes. */
export const CLIENT = { name: "app-registry", version: "0.1.0" };
