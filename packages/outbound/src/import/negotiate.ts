import { isJsonObject, type JsonObject, MAX_JSON_DEPTH } from "@app-registry/sdk";
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { FetchLike } from "../guardedFetch.ts";
import { printable } from "../printable.ts";
import { isDeeperThan } from "./isDeeperThan.ts";
import { readReply } from "./readReply.ts";

/** MCP revision in which each request states its revision, without an `initialize` handshake. The only one spoken here. */
const STATELESS_REVISION = "2026-07-28";

/** Error codes that only a server without the handshake may use (MCP 2026-07-28, error codes). */
const HEADER_MISMATCH = -32_020;
const MISSING_CAPABILITY = -32_021;
const UNSUPPORTED_REVISION = -32_022;

/** Milliseconds until `initialize` is tried with a server that ignores the method `server/discover`. */
const PATIENCE = 2_000;

const MAX_REDIRECTS = 3;

/** JSON-RPC answer to a handshake, and its HTTP status where known. */
export type HandshakeReply = { status?: number | undefined; result?: unknown; error?: unknown };

/** How to open a session: `prior` of the protocol client's `connect`. */
export type McpEra = PriorDiscovery;

type Decision = McpEra | { kind: "unknown"; revisions: string[] } | { kind: "invalid"; reason: string };

/** An MCP server that speaks no revision that is known here, or that breaks the handshake of one that is. */
export class McpHandshakeError extends Error {
  override readonly name = "McpHandshakeError";
  /** Revisions that the server offers instead; undefined if it breaks the protocol. */
  readonly revisions: readonly string[] | undefined;

  constructor(message: string, options: { revisions?: readonly string[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.revisions = options.revisions;
  }
}

/** A refusal of `server/discover` by HTTP status, from a server that also refuses `initialize`. */
class McpRefusal extends Error {
  override readonly name = "McpRefusal";
  readonly status: number;

  constructor(status: number, cause?: unknown) {
    super(`The server refused with HTTP ${status}.`, { cause });
    this.status = status;
  }
}

/**
 * Decides by the answer to `server/discover` or `initialize` how a server is spoken to. Only what a server of a known
 * revision can say decides against `initialize`: gateways and older servers answer an unknown method with anything.
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
    // Drafts of the revision had the server's name beside `_meta`.
    _meta: {
      ...(isJsonObject(serverInfo) && { "io.modelcontextprotocol/serverInfo": serverInfo }),
      ...(isJsonObject(_meta) && _meta),
    },
  };
  return { kind: "modern", discover } as McpEra;
}

/** Revisions are dates, so that they are compared as texts. */
const isLegacy = (revision: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(revision) && revision < STATELESS_REVISION;

const revisionsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [];

/** Returns the error for a server of unknown revisions, which it names as far as they are short. */
export function unknownRevision(revisions: readonly string[], cause?: unknown): McpHandshakeError {
  const named = revisions.slice(0, 5).map((one) => printable(one, 30));
  const offered = named.length > 0 ? `only ${named.join(", ")}` : "a revision that it doesn't name";
  return new McpHandshakeError(`The server supports ${offered}.`, { revisions, cause });
}

/**
 * Opens a session with an MCP server of any known revision: sends `server/discover`, and unless the server shows that it
 * has no `initialize`, tries that.
 *
 * @param options.open Opens the session; called once, or a second time with another era. What it throws for a server that
 * refuses `initialize` should have the HTTP status as `status`.
 * @param options.replyOf Reads the server's answer from what `open` threw.
 * @param options.fetch All requests go through it.
 * @throws {McpHandshakeError} for unknown revisions and broken handshakes, and what `open` or `fetch` throws.
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
  // Whoever is asked to wait is not asked again at once.
  if (told?.status === 429) throw new McpRefusal(429);
  if (decided.kind !== "legacy") return open(openable(decided));
  try {
    return await open(decided);
  } catch (error) {
    if (signal?.aborted || error instanceof McpHandshakeError) throw error;
    // It was slow, and has no `initialize` either.
    if (!told) {
      const late = decideEra(await ask());
      if (late.kind !== "legacy") return open(openable(late));
      throw error;
    }
    throw reasonOfRefusal(told, replyOf(error), error);
  }
}

/** @throws {McpHandshakeError} unless a session can be opened. */
function openable(decision: Decision): McpEra {
  if (decision.kind === "unknown") throw unknownRevision(decision.revisions);
  if (decision.kind === "invalid") throw new McpHandshakeError(decision.reason);
  return decision;
}

/** Chooses, of two refusals, the one that says more of the server. */
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

/** Returns the place that the protocol's client would follow a redirect to: one that keeps the request and the origin. */
function sameOriginRedirect({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get("location") ?? "";
  if (![307, 308].includes(status) || !URL.canParse(location, from.href)) return undefined;
  const to = new URL(location, from.href);
  return to.origin === from.origin ? to : undefined;
}

/** What this package calls itself in a handshake. */
export const CLIENT = { name: "app-registry", version: "0.1.0" };
