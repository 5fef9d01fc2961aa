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

/** Text to paste, and where it belongs. */
type Snippet = { caption: string; text: string };

/** Quotes a URL for a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

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

/** A key for a configuration file: "Harbour Weather" becomes "harbour-weather". */
function configKey(serviceName: string): string {
  const key = serviceName
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return key.slice(0, 40) || "service";
}

/**
 * What a person pastes to use an endpoint, by the `api:*` trait that describes it: a client configuration for MCP,
 * a command for the others. Empty when the endpoint has no web URL.
 */
export function connectSnippets(
  endpoint: EndpointView,
  apiTrait: string | undefined,
  serviceName: string,
): Snippet[] {
  if (endpoint.name === "MCP" || apiTrait === "api:mcp") {
    const url = mcpUrl(endpoint);
    if (url === undefined) return [];
    const config = { mcpServers: { [configKey(serviceName)]: { type: "http", url } } };
    return [{ caption: "MCP client configuration", text: JSON.stringify(config, null, 2) }];
  }
  const url = webUrl(endpoint.endpoint);
  if (url === undefined) return [];
  if (endpoint.name === "Contract") return [];
  if (apiTrait === "api:a2a") return [{ caption: "Read the agent card", text: `curl ${shellQuote(url)}` }];
  if (apiTrait === "api:graphql") {
    const body = shellQuote('{"query":"{ __schema { queryType { name } } }"}');
    return [
      {
        caption: "First query",
        text: `curl ${shellQuote(url)} \\\n  -H 'content-type: application/json' \\\n  -d ${body}`,
      },
    ];
  }
  return apiTrait === undefined || apiTrait === "api:rest"
    ? [{ caption: "First request", text: `curl ${shellQuote(url)}` }]
    : [];
}

/** One line about how callers authenticate; `url` is set where the text is an address. */
type AuthenticationLine = { term: string; text: string; url?: string };

const record = (value: unknown) => (isJsonObject(value) ? value : undefined);

function texts(value: unknown): string | undefined {
  const list = Array.isArray(value) ? value : [value];
  const strings = list.filter((item) => typeof item === "string" || typeof item === "number").map(String);
  return strings.length > 0 ? strings.join(", ") : undefined;
}

function line(term: string, value: unknown): AuthenticationLine[] {
  const text = texts(value);
  return text === undefined ? [] : [{ term, text }];
}

function link(term: string, value: unknown): AuthenticationLine[] {
  return typeof value === "string" ? [{ term, text: value, url: value }] : [];
}

/** What an endpoint declares about authentication (oauth2, blockchain, or an agent's methods), in lines to read. */
export function authenticationLines(authentication: unknown): AuthenticationLine[] {
  const declared = record(authentication);
  if (declared === undefined) return [];
  const oauth2 = record(declared.oauth2);
  const blockchain = record(declared.blockchain);
  return [
    ...(oauth2 === undefined
      ? []
      : [
          { term: "Access", text: "OAuth 2" },
          ...link("Authorize at", oauth2.authorizationUrl),
          ...link("Token from", oauth2.tokenUrl),
          ...line("Scopes", oauth2.scopes),
        ]),
    ...(blockchain === undefined
      ? []
      : [
          { term: "Access", text: "An account on a chain" },
          ...line("Chain", blockchain.chainId),
          ...line("Contract", blockchain.contractAddress),
          ...line("Required NFT", blockchain.requiredNFT),
        ]),
    ...line("Methods", declared.methods),
    ...link("Keys", declared.jwksUrl),
    ...line("Issued by", declared.issuer),
  ];
}
