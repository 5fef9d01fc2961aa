import { isJsonObject, safeHref } from "@app-registry/sdk";

/** An endpoint out of a service's metadata, as the pages read it; what is not of these types is left to the JSON. */
export type EndpointView = {
  name?: string | undefined;
  endpoint?: string | undefined;
  schemaUrl?: string | undefined;
  interfaceVersions?: string[] | undefined;
  transport?: unknown;
  authentication?: unknown;
};

/** A web URL in its normal form, which is ASCII without spaces or quotes' surprises; else undefined. */
function webUrl(url: unknown): string | undefined {
  const href = typeof url === "string" ? safeHref(url) : undefined;
  if (href === undefined) return undefined;
  const parsed = new URL(href);
  return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed.href : undefined;
}

/** The address that an MCP client connects to: the transport's own URL where it names one. */
export function mcpUrl(endpoint: EndpointView): string | undefined {
  const transport = endpoint.transport as { http?: { url?: unknown } } | null | undefined;
  return webUrl(transport?.http?.url) ?? webUrl(endpoint.endpoint);
}

/** One line about how callers authenticate; `url` is set where the text is an address. */
type AuthenticationLine = { term: string; text: string; url?: string };

/** What an endpoint may declare, part by part: the key of each member, and what it is called. */
const authenticationParts: { part?: string; access?: string; members: Record<string, string> }[] = [
  {
    part: "oauth2",
    access: "OAuth 2",
    members: { authorizationUrl: "Authorize at", tokenUrl: "Token from", scopes: "Scopes" },
  },
  {
    part: "blockchain",
    access: "On-chain account",
    members: { chainId: "Chain", contractAddress: "Contract", requiredNFT: "Required NFT" },
  },
  { members: { methods: "Methods", jwksUrl: "Keys", issuer: "Issued by" } },
];

/** What an endpoint declares about authentication (oauth2, blockchain, or an agent's methods), in lines to read. */
export function authenticationLines(authentication: unknown): AuthenticationLine[] {
  if (!isJsonObject(authentication)) return [];
  return authenticationParts.flatMap(({ part, access, members }) => {
    const declared = part === undefined ? authentication : authentication[part];
    if (!isJsonObject(declared)) return [];
    const lines = Object.entries(members).flatMap(([key, term]) => createLine(term, key, declared[key]));
    return access === undefined ? lines : [{ term: "Access", text: access }, ...lines];
  });
}

function createLine(term: string, key: string, value: unknown): AuthenticationLine[] {
  if (key.endsWith("Url")) return typeof value === "string" ? [{ term, text: value, url: value }] : [];
  const list = (Array.isArray(value) ? value : [value]).filter(
    (item) => typeof item === "string" || typeof item === "number",
  );
  return list.length === 0 ? [] : [{ term, text: list.join(", ") }];
}
