import {
  caip2Schema,
  endpointName,
  Interfaces,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonStrict,
} from "@app-registry/sdk";
import { formatUnits } from "viem";
import { type Token, tokens } from "viem/tokens";
import type { Finding } from "../finding.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { mcpTransport } from "./createMcpFinding.ts";
import { asArray, asObject, asObjectArray, asString, asStringArray } from "./json.ts";
import { toTraits } from "./toTraits.ts";

/** Limits of what is read from one response. Assets usually have 18 decimals or fewer. */
const most = { ways: 20, symbolLength: 40, decimals: 36 };

/**
 * Creates the finding of a resource that requires payment (HTTP 402), with its ways to pay: the x402 terms in the header
 * of version 2, or in the body of version 1. Returns `undefined` if the response has neither.
 */
export async function paymentFinding(
  response: Response,
  url: string,
  isExpectedMcp: boolean,
): Promise<Finding | undefined> {
  const header = Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString();
  const terms = parseTerms(header) ?? parseTerms(await response.text());
  if (!terms) return undefined;
  const ways = asObjectArray(terms.accepts);
  const payments = await Promise.all(ways.slice(0, most.ways).map((way) => readWay(way, url)));
  const traits = payments.flatMap(({ chains }) => (chains || []).map((chain) => `pay:x402:${chain}`));
  // Version 1 describes the resource in each way to pay.
  const { description, outputSchema } = asObject(ways[0]);
  const resource = asObject(terms.resource);
  const { type, method } = asObject(
    asObject(asObject(asObject(terms.extensions).bazaar).info ?? outputSchema).input,
  );
  const isMcp = isExpectedMcp || type === "mcp";
  const trait = isMcp ? "api:mcp" : "api:rest";
  const http = asString(method) && { http: { url, method: String(method).toUpperCase() } };
  const transport = isMcp ? mcpTransport("streamable-http", url) : http;
  const isComplete = !ways[most.ways] && payments.every(({ chains, price }) => chains && price.amount);
  return {
    kind: isMcp ? "mcp" : "openapi",
    url,
    interfaces: Interfaces.Api,
    offers: [isMcp ? "tools that require payment" : "paid requests"],
    metadata: sanitizeMetadata({
      name: pickFirstValid("name", [resource.serviceName]),
      description: asString(resource.description) ?? asString(description),
      image: pickFirstValid("image", [resource.iconUrl]),
      traits: toTraits([trait, "pay:x402", ...traits], asStringArray(resource.tags)),
      endpoints: [{ name: endpointName(trait), endpoint: url, transport }],
      payments,
    }),
    ...(!isComplete && { notes: ["Some terms of payment couldn't be read. Add them under Payments."] }),
  };
}

function parseTerms(text: string): JsonObject | undefined {
  try {
    const terms = parseJsonStrict(text);
    return isJsonObject(terms) && isJsonObject(asArray(terms.accepts)[0]) ? terms : undefined;
  } catch {
    return undefined;
  }
}

/** Converts a way to pay to an entry of `payments`. Parts that are unreadable are undefined. */
async function readWay(way: JsonObject, url: string) {
  const chain = await toChain(asString(way.network) ?? "");
  const [asset, payTo] = [asIdentifier(way.asset), asIdentifier(way.payTo)];
  const { name, decimals } = asObject(way.extra);
  const token = findToken(chain, asset);
  const symbol = token?.symbol ?? asString(name)?.slice(0, most.symbolLength);
  const amount = toDecimal(way.amount ?? way.maxAmountRequired, token?.decimals ?? decimals);
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

/** Converts an amount in the smallest unit of an asset to a decimal. Returns `undefined` if either is no such number. */
function toDecimal(amount: JsonValue | undefined, decimals: unknown): string | undefined {
  const isUnits = typeof amount !== "object" && /^\d{1,78}$/.test(String(amount));
  const isKnown = typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0;
  if (!isUnits || !isKnown || decimals > most.decimals) return undefined;
  return formatUnits(BigInt(String(amount)), decimals);
}

/** Lists the URL at which an API states its price: an operation that documents the status 402, else the endpoint. */
export function listPaidUrls({ paths }: JsonObject, { metadata, url }: Finding): string[] {
  const endpoint = asString(asObjectArray(metadata.endpoints)[0]?.endpoint) ?? "";
  if (!URL.canParse(endpoint) || new URL(endpoint).origin !== new URL(url).origin) return [];
  const isPaid = (item: JsonValue) => Object.hasOwn(asObject(asObject(asObject(item).get).responses), "402");
  const [path] =
    Object.entries(asObject(paths)).find(([key, item]) => /^\/[^{]*$/.test(key) && isPaid(item)) ?? [];
  return [path === undefined ? endpoint : endpoint.replace(/\/$/, "") + path];
}
