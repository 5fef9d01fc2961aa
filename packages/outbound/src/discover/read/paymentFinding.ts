import {
  caip2Schema,
  endpointName,
  Interfaces,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_TRAITS,
} from "@app-registry/sdk";
import { formatUnits } from "viem";
import { type Token, tokens } from "viem/tokens";
import { GuardedFetchError } from "../../fetch/guardedFetchError.ts";
import { ImportError } from "../../import/importError.ts";
import {
  asArray,
  asObject,
  asObjectArray,
  asString,
  asStringArray,
  parseJsonObject,
} from "../../import/json.ts";
import { CLIENT } from "../../import/mcpClient.ts";
import { pickFirstValid, sanitizeMetadata, toTraits } from "../../import/sanitizeMetadata.ts";
import type { DiscoverySession } from "../discoverySession.ts";
import type { Finding } from "../finding.ts";
import { mcpTransport } from "./createMcpFinding.ts";
import { UNREAD_PRICE } from "./openApiFinding.ts";

/** Limits of what is read from one response. Assets usually have 18 decimals or fewer. */
const most = { ways: 20, symbolLength: 40, decimals: 36 };

/** Way to pay for a resource, as `payments` of a document has it. Parts that can't be read are undefined. */
export type WayToPay = Awaited<ReturnType<typeof readWay>>;

/** First request of an MCP client, which a server that requires payment refuses. */
export const initializeRequest = {
  method: "POST",
  headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
  body: JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT },
  }),
};

const UNREAD_TERMS = "Some terms of payment couldn't be read. Complete them under Payments.";

/**
 * Reads the ways to pay in terms of x402, or in a response with status 402 that has them in the header of version 2 or
 * in the body of version 1. Returns `undefined` if it has neither.
 */
export async function readWaysToPay(
  source: Response | JsonObject,
  url: string,
): Promise<WayToPay[] | undefined> {
  const terms = source instanceof Response ? await readTerms(source) : source;
  if (!terms) return undefined;
  return Promise.all(
    asObjectArray(terms.accepts)
      .slice(0, most.ways)
      .map((way) => readWay(way, url)),
  );
}

async function readTerms(response: Response): Promise<JsonObject | undefined> {
  const header = Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString();
  return parseTerms(header) ?? parseTerms(await response.text());
}

/**
 * Creates the finding of a resource that requires payment (HTTP 402), with its ways to pay. Returns `undefined` if the
 * response has no terms of x402.
 */
export async function paymentFinding(
  response: Response,
  url: string,
  isExpectedMcp: boolean,
): Promise<Finding | undefined> {
  const terms = await readTerms(response);
  if (!terms) return undefined;
  const ways = asObjectArray(terms.accepts);
  const payments = (await readWaysToPay(terms, url)) ?? [];
  // A trait is in lower case, which would change the identifiers of some chains.
  const chains = payments.flatMap(({ chains }) => chains || []).filter((one) => one === one.toLowerCase());
  // Version 1 describes the resource in each way to pay.
  const { description, outputSchema } = asObject(ways[0]);
  const resource = asObject(terms.resource);
  const info = asObject(asObject(asObject(terms.extensions).bazaar).info ?? outputSchema);
  const { type, method } = asObject(info.input);
  const isMcp = isExpectedMcp || type === "mcp";
  const trait = isMcp ? "api:mcp" : "api:rest";
  const http = asString(method) && { http: { url, method: String(method).toUpperCase() } };
  const transport = isMcp ? mcpTransport("streamable-http", url) : http;
  const isUnread = ({ chains, price }: WayToPay) => chains === undefined || price.amount === undefined;
  return {
    kind: isMcp ? "mcp" : "openapi",
    url,
    interfaces: Interfaces.Api,
    offers: [isMcp ? "tools that require payment" : "paid requests"],
    metadata: sanitizeMetadata({
      name: pickFirstValid("name", [resource.serviceName, info.name]),
      description: asString(resource.description) ?? asString(description),
      image: pickFirstValid("image", [resource.iconUrl]),
      traits: toTraits(
        [trait, "pay:x402", ...chains.map((chain) => `pay:x402:${chain}`)],
        asStringArray(resource.tags),
      ),
      endpoints: [{ name: endpointName(trait), endpoint: url, transport }],
      payments,
    }),
    ...((ways[most.ways] || payments.some(isUnread)) && { notes: [UNREAD_TERMS] }),
  };
}

function parseTerms(text: string): JsonObject | undefined {
  const terms = parseJsonObject(text);
  return terms && isJsonObject(asArray(terms.accepts)[0]) ? terms : undefined;
}

/** Converts a way to pay to an entry of `payments`. */
async function readWay(way: JsonObject, url: string) {
  const chain = await toChain(asString(way.network) ?? "");
  const [asset, payTo] = [asIdentifier(way.asset), asIdentifier(way.payTo)];
  const { name, decimals: written } = asObject(way.extra);
  const token = findToken(chain, asset);
  const symbol = token?.symbol ?? asString(name)?.slice(0, most.symbolLength);
  const decimals = token?.decimals ?? written;
  const units = way.amount ?? way.maxAmountRequired ?? null;
  const isUnits = /^(?:"\d{1,78}"|\d{1,78})$/.test(JSON.stringify(units));
  const isKnown = Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= most.decimals;
  const amount = isUnits && isKnown ? formatUnits(BigInt(String(units)), Number(decimals)) : undefined;
  return { type: "x402", url, chains: chain && [chain], payTo, price: { amount, symbol, asset } };
}

/** Converts a network to CAIP-2: version 1 has names such as `base-sepolia`. Loads all chains only for such a name. */
async function toChain(network: string): Promise<string | undefined> {
  if (caip2Schema.safeParse(network).success) return network;
  if (network === "solana") return "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
  const name = network.replace(/-([a-z])/g, (_, next) => next.toUpperCase());
  const id = ((await import("viem/chains")) as Record<string, { id?: unknown }>)[name]?.id;
  return typeof id === "number" ? `eip155:${id}` : undefined;
}

/** Returns a value if it is an address, an asset code or a similar identifier. */
const asIdentifier = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" && /^[\w.:/%-]{1,128}$/.test(value) ? value : undefined;

/** Finds a well-known token by its contract, because x402 doesn't state the decimals of an asset. */
const findToken = (chain = "", asset = ""): Token | undefined =>
  (tokens.all as readonly Token[]).find(
    ({ addresses = {} }) =>
      addresses[Number(chain.replace("eip155:", ""))]?.toLowerCase() === asset.toLowerCase(),
  );

/** Lists the URL at which an API states its price: an operation that documents the status 402, else the endpoint. */
export function listPaidUrls({ paths }: JsonObject, { metadata, url }: Finding): string[] {
  const endpoint = asString(asObjectArray(metadata.endpoints)[0]?.endpoint) ?? "";
  if (!URL.canParse(endpoint) || new URL(endpoint).origin !== new URL(url).origin) return [];
  const isPaid = (item: JsonValue) => Object.hasOwn(asObject(asObject(asObject(item).get).responses), "402");
  const [path] =
    Object.entries(asObject(paths)).find(([key, item]) => /^\/[^{]*$/.test(key) && isPaid(item)) ?? [];
  return [path === undefined ? endpoint : endpoint.replace(/\/$/, "") + path];
}

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
