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
import { isSameSite } from "../isSameSite.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { mcpTransport } from "./createMcpFinding.ts";
import { asArray, asObject, asObjectArray, asString, asStringArray } from "./json.ts";
import { toTraits } from "./toTraits.ts";

/** Maximum number of ways to pay that are read from one response. */
const MAX_WAYS = 20;

/** Longest name of an asset, in UTF-16 code units. */
const MAX_SYMBOL = 40;

/** Most decimals of an asset. ERC-20 tokens have 18 at most in practice, and some ledgers 24. */
const MAX_DECIMALS = 36;

/** Networks of x402 version 1, which names them, by name. Version 2 uses CAIP-2. */
const namedNetworks = new Map([
  ["abstract", "eip155:2741"],
  ["abstract-testnet", "eip155:11124"],
  ["avalanche", "eip155:43114"],
  ["avalanche-fuji", "eip155:43113"],
  ["base", "eip155:8453"],
  ["base-sepolia", "eip155:84532"],
  ["ethereum", "eip155:1"],
  ["iotex", "eip155:4689"],
  ["peaq", "eip155:3338"],
  ["polygon", "eip155:137"],
  ["polygon-amoy", "eip155:80002"],
  ["sei", "eip155:1329"],
  ["sei-testnet", "eip155:1328"],
  ["sepolia", "eip155:11155111"],
  ["solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
  ["solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"],
]);

/** Payment terms that an HTTP resource states with the status 402. */
type PaymentTerms = { accepts: JsonValue[]; resource: JsonObject; input: JsonObject };

/**
 * Reads the x402 payment terms of a response: the header of version 2, or the body of version 1. Returns `undefined` if
 * it has neither.
 */
async function readTerms(response: Response): Promise<PaymentTerms | undefined> {
  const header = response.headers.get("payment-required") ?? "";
  const named = parseObject(Buffer.from(header, "base64").toString());
  if (named) await response.body?.cancel();
  const terms = named ?? parseObject(await response.text());
  if (!terms || !isJsonObject(asArray(terms.accepts)[0])) return undefined;
  const [first] = asObjectArray(terms.accepts);
  const { info } = asObject(asObject(terms.extensions).bazaar);
  // Version 1 describes the resource in each way to pay.
  const description = asString(first?.description);
  return {
    accepts: asArray(terms.accepts),
    resource: { ...(description && { description }), ...asObject(terms.resource) },
    input: asObject(asObject(info ?? first?.outputSchema).input),
  };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJsonStrict(text);
    return isJsonObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates the finding of a resource that requires payment (HTTP 402), with its ways to pay (x402). Returns `undefined`
 * if the response doesn't state them.
 *
 * @param options.isMcp True if the URL is declared to be an MCP server. Default: as the response says.
 */
export async function paymentFinding(
  response: Response,
  url: string,
  options: { isMcp: boolean },
): Promise<Finding | undefined> {
  const terms = await readTerms(response);
  if (!terms) return undefined;
  const { accepts, resource, input } = terms;
  const isMcp = options.isMcp || input.type === "mcp";
  const trait = isMcp ? "api:mcp" : "api:rest";
  const notes = new Set<string>();
  const read = asObjectArray(accepts.slice(0, MAX_WAYS)).map((way) => readWay(way, url, notes));
  if (accepts.length > MAX_WAYS) {
    notes.add(
      `Only the first ${MAX_WAYS} of ${accepts.length} ways to pay were read. Add others under Payments.`,
    );
  }
  const payments = [...new Map(read.map((payment) => [JSON.stringify(payment), payment])).values()];
  const method = asString(input.method)?.toUpperCase();
  const transport = isMcp ? mcpTransport("streamable-http", url) : method && { http: { url, method } };
  return {
    kind: isMcp ? "mcp" : "openapi",
    url,
    interfaces: Interfaces.Api,
    offers: [isMcp ? "tools that require payment" : "paid requests"],
    metadata: sanitizeMetadata({
      name: pickFirstValid("name", [resource.serviceName]),
      description: asString(resource.description),
      image: pickFirstValid("image", [resource.iconUrl]),
      traits: toTraits([trait, ...paymentTraits(payments)], asStringArray(resource.tags)),
      endpoints: [{ name: endpointName(trait), endpoint: url, ...(transport && { transport }) }],
      payments,
    }),
    ...(notes.size > 0 && { notes: [...notes] }),
  };
}

/** Returns the traits by which search finds services that accept x402, on any chain or on one. */
const paymentTraits = (payments: readonly JsonObject[]): string[] => [
  "pay:x402",
  ...payments.flatMap(({ chains }) => asStringArray(chains).map((chain) => `pay:x402:${chain}`)),
];

/** Converts a way to pay to an entry of `payments`. Adds a note for each part that is unreadable. */
function readWay(way: JsonObject, url: string, notes: Set<string>): JsonObject {
  const network = asString(way.network) ?? "";
  const chain = namedNetworks.get(network) ?? network;
  const chains = caip2Schema.safeParse(chain).success ? [chain] : [];
  if (chains.length === 0)
    notes.add("A way to pay names a network that we don't know. Add its chain under Payments.");
  const payTo = asIdentifier(way.payTo);
  const asset = asIdentifier(way.asset);
  const extra = asObject(way.extra);
  const token = findToken(chain, asset);
  const symbol = token?.symbol ?? asString(extra.name)?.slice(0, MAX_SYMBOL);
  const written = way.amount ?? way.maxAmountRequired;
  const units = typeof written === "object" ? "" : String(written);
  const amount = toDecimal(units, token?.decimals ?? extra.decimals);
  if (amount === undefined) {
    const price = unitsPattern.test(units)
      ? `It is ${units} in the smallest unit of ${asset ?? "an asset"}. `
      : "";
    notes.add(`The price of a request couldn't be read. ${price}Add it under Payments.`);
  }
  return {
    type: "x402",
    url,
    ...(chains.length > 0 && { chains }),
    ...(payTo && { payTo }),
    price: { ...(amount && { amount }), ...(asset && { asset }), ...(symbol && { symbol }) },
  };
}

/** Returns a value if it is an address, an asset code or a similar identifier. */
const asIdentifier = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" && /^[\w.:/%-]{1,128}$/.test(value) ? value : undefined;

/** Finds a well-known token by its contract, because x402 doesn't state the decimals of an asset. */
function findToken(chain: string, asset: string | undefined): Token | undefined {
  const chainId = Number(/^eip155:(\d+)$/.exec(chain)?.[1]);
  return (tokens.all as readonly Token[]).find(
    ({ addresses = {} }) => asset !== undefined && addresses[chainId]?.toLowerCase() === asset.toLowerCase(),
  );
}

/** Amount in the smallest unit of an asset: an unsigned integer of at most 256 bits. */
const unitsPattern = /^\d{1,78}$/;

/** Converts an amount in the smallest unit of an asset to a decimal. Returns `undefined` if either is not a number. */
function toDecimal(units: string, decimals: unknown): string | undefined {
  const isKnown = typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0;
  if (!isKnown || decimals > MAX_DECIMALS || !unitsPattern.test(units)) return undefined;
  return formatUnits(BigInt(units), decimals);
}

/**
 * Lists the URL of an API that tells the price of a request: the first operation without parameters that documents the
 * status 402, else the endpoint itself. Empty for an API on another site than its OpenAPI document.
 */
export function listPaidUrls(document: JsonObject, { metadata, url }: Finding): string[] {
  const endpoint = asString(asObjectArray(metadata.endpoints)[0]?.endpoint) ?? "";
  if (!URL.canParse(endpoint) || !isSameSite(new URL(endpoint), new URL(url))) return [];
  const paid = Object.entries(asObject(document.paths)).find(
    ([path, item]) => path.startsWith("/") && !path.includes("{") && hasPaidStatus(asObject(item).get),
  );
  return [paid ? endpoint.replace(/\/$/, "") + paid[0] : endpoint];
}

const hasPaidStatus = (operation: JsonValue | undefined): boolean =>
  Object.hasOwn(asObject(asObject(operation).responses), "402");

/** Adds the ways to pay of a paid resource to the finding of the API that it belongs to. */
export function addPayments(api: Finding, { metadata, notes = [] }: Finding): void {
  const { payments } = metadata;
  if (api.metadata.payments !== undefined || payments === undefined) return;
  const traits = toTraits(
    [...asStringArray(api.metadata.traits), ...paymentTraits(asObjectArray(payments))],
    [],
  );
  api.metadata = { ...api.metadata, payments, traits };
  if (notes.length > 0) api.notes = [...(api.notes ?? []), ...notes];
}
