import { isJsonObject, MCP_ENDPOINT_NAME, safeHref } from "@app-registry/sdk";

/** Endpoint of a service's metadata. Values of other types are shown only in the raw JSON. */
export type EndpointView = {
  name?: string | undefined;
  endpoint?: string | undefined;
  schemaUrl?: string | undefined;
  /** `api:*` trait that describes this endpoint. */
  apiTrait?: string | undefined;
  interfaceVersions?: string[] | undefined;
  transport?: unknown;
  authentication?: unknown;
  defaultInputModes?: string[] | undefined;
  defaultOutputModes?: string[] | undefined;
  capabilities?: unknown;
  pricing?: unknown;
};

/** Returns a web URL in normal form (ASCII, without spaces or quotes), or `undefined` for any other value. */
function webUrl(url: unknown): string | undefined {
  const href = typeof url === "string" ? safeHref(url) : undefined;
  if (href === undefined) return undefined;
  const parsed = new URL(href);
  return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed.href : undefined;
}

/** Returns the address for MCP clients: the transport's URL if it has one, else the endpoint's. */
export function mcpUrl(endpoint: EndpointView): string | undefined {
  const transport = endpoint.transport as { http?: { url?: unknown } } | null | undefined;
  return webUrl(transport?.http?.url) ?? webUrl(endpoint.endpoint);
}

export const isMcpEndpoint = ({ name, apiTrait }: EndpointView): boolean =>
  name === MCP_ENDPOINT_NAME || apiTrait === "api:mcp";

/** Returns the address for an endpoint's clients, as declared unless it is an MCP server's. */
export const clientAddress = (endpoint: EndpointView): string | undefined =>
  (isMcpEndpoint(endpoint) ? mcpUrl(endpoint) : undefined) ?? endpoint.endpoint;

/** Line about authentication. `url` is set if the text is an address. */
type AuthenticationLine = { term: string; text: string; url?: string };

/** Parts of an endpoint's authentication, with the key and label of each member. */
const authenticationParts: { part?: string; access?: string; members: Record<string, string> }[] = [
  {
    part: "oauth2",
    access: "OAuth 2",
    members: { authorizationUrl: "Authorize at", tokenUrl: "Token from", scopes: "Scopes" },
  },
  {
    part: "apiKey",
    access: "API key",
    members: { in: "Key location", name: "Key name", description: "How to get a key" },
  },
  {
    part: "bearer",
    access: "Bearer token",
    members: { format: "Token format", description: "How to get a token" },
  },
  {
    part: "blockchain",
    access: "On-chain account",
    members: { chainId: "Chain", contractAddress: "Contract", requiredNFT: "Required NFT" },
  },
  { members: { methods: "Methods", jwksUrl: "Keys", issuer: "Issued by" } },
];

/** Returns an endpoint's authentication (OAuth 2, API key, bearer token, blockchain or an agent's methods) as lines of text. */
export function authenticationLines(authentication: unknown): AuthenticationLine[] {
  if (!isJsonObject(authentication)) return [];
  return authenticationParts.flatMap(({ part, access, members }) => {
    const declared = part === undefined ? authentication : authentication[part];
    if (!isJsonObject(declared)) return [];
    const lines = Object.entries(members).flatMap(([key, term]) => createLine(term, key, declared[key]));
    return access === undefined ? lines : [{ term: "Access", text: access }, ...lines];
  });
}

/** Returns the media types, extensions and prices of an A2A agent as lines of text. */
export function agentLines({ defaultInputModes, defaultOutputModes, capabilities, pricing }: EndpointView) {
  const { extensions } = isJsonObject(capabilities) ? capabilities : {};
  const listed = Array.isArray(extensions) ? extensions.filter(isJsonObject) : [];
  const values = {
    Input: defaultInputModes,
    Output: defaultOutputModes,
    Extensions: listed.map(({ uri }) => uri),
    Pricing: isJsonObject(pricing) ? JSON.stringify(pricing).slice(0, 300) : pricing,
  };
  return Object.entries(values).flatMap(([term, value]) => createLine(term, term, value));
}

function createLine(term: string, key: string, value: unknown): AuthenticationLine[] {
  if (key.endsWith("Url")) return typeof value === "string" ? [{ term, text: value, url: value }] : [];
  const list = (Array.isArray(value) ? value : [value]).filter(
    (item) => typeof item === "string" || typeof item === "number",
  );
  return list.length === 0 ? [] : [{ term, text: list.join(", ") }];
}
