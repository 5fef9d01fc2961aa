import { endpointName, Interfaces } from "@app-registry/sdk";
import { findAddressProblem } from "@app-registry/sdk/internal";
import { printable } from "../../fetch/printable.ts";
import type { Finding } from "../finding.ts";
import { sanitizeMetadata } from "../sanitizeMetadata.ts";
import { mcpTransport } from "./createMcpFinding.ts";
import type { NamedAddress, NamedKind } from "./namedAddresses.ts";
import { type fillVariables, toSample } from "./urlVariables.ts";

const traits: Record<NamedKind, string> = {
  mcp: "api:mcp",
  a2a: "api:a2a",
  openapi: "api:rest",
  rest: "api:rest",
};

const NO_CARD = "The address of an agent is that of its agent card. Enter it as the endpoint.";
const NO_ADDRESS = "This is only the description of an API. Enter the API's own address as the endpoint.";

/**
 * Creates the finding of an address at which nothing answered. It has the address alone. Returns `undefined` if the kind
 * is unknown, or if the address can't be that of a running service.
 */
export function namedFinding(
  { template, kind, isSse, authentication }: NamedAddress,
  { url, variables }: ReturnType<typeof fillVariables>,
): Finding | undefined {
  if (kind === undefined) return undefined;
  const trait = traits[kind];
  const name = endpointName(trait);
  const isCard = kind !== "a2a" || /card|\.json$/i.test(template);
  if (findAddressProblem(url?.href ?? toSample(template), kind === "openapi" ? "" : name)) return undefined;
  const address = url && {
    ...(kind === "openapi" ? { schemaUrl: url.href } : isCard && { endpoint: url.href }),
    ...(kind === "mcp" && { transport: mcpTransport(isSse ? "sse" : "streamable-http", url.href) }),
  };
  return {
    kind: kind === "rest" ? "openapi" : kind,
    url: url?.href ?? template,
    interfaces: Interfaces.Api,
    offers: [],
    isUnchecked: true,
    ...(variables.length > 0 && { variables }),
    metadata: sanitizeMetadata({ traits: [trait], endpoints: [{ name, ...address, authentication }] }),
    notes: [...(isCard ? [] : [NO_CARD]), ...(kind === "openapi" ? [NO_ADDRESS] : [])],
  };
}

/** Says that nothing was checked, and why. */
export const describeUnchecked = ({ field }: NamedAddress, from: URL, reason: string): string =>
  `Named in the document at ${printable(from.href)} (${printable(field, 100)}); nothing was checked. ${reason}`.trim();
