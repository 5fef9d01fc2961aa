import { endpointName, Interfaces, type JsonObject } from "@app-registry/sdk";
import type { ImportError } from "../../import/importError.ts";
import type { Finding } from "../finding.ts";
import { isSameSite } from "../isSameSite.ts";
import { sanitizeMetadata } from "../sanitizeMetadata.ts";
import { mcpTransport } from "./createMcpFinding.ts";
import { asString, asStringArray } from "./json.ts";

/** Function that fetches a JSON object, or returns `undefined` if the URL does not serve one. */
export type ReadJson = (url: URL) => Promise<JsonObject | undefined>;

/**
 * Creates the finding of an MCP server that requires credentials, with its OAuth endpoints: the protected resource
 * metadata (RFC 9728) names an authorization server, whose metadata (RFC 8414) has the URLs. Without it, the server's
 * origin is the authorization server (MCP 2025-03-26). Endpoints without metadata are never guessed.
 *
 * @param isExpected True if the URL is known to be an MCP server. Then the metadata is optional.
 * @throws The given error if there is no evidence that the URL is an MCP server.
 */
export async function createGatedMcpFinding(
  url: URL,
  error: ImportError,
  { readJson, isExpected }: { readJson: ReadJson; isExpected: boolean },
): Promise<Finding> {
  const resource = await readResource(url, error.challenge, readJson);
  if (!resource && !isExpected) throw error;
  const [server] = asStringArray(resource?.authorization_servers);
  const scopes = asStringArray(resource?.scopes_supported);
  const found = await readServer(server ?? url.origin, readJson);
  const [authorizationUrl, tokenUrl] = [
    asString(found?.authorization_endpoint),
    asString(found?.token_endpoint),
  ];
  const oauth2 = authorizationUrl !== undefined &&
    tokenUrl !== undefined && { authorizationUrl, tokenUrl, ...(scopes.length > 0 && { scopes }) };
  const issuer = server ?? asString(found?.issuer);
  const authentication = {
    ...(oauth2 ? { oauth2 } : /^\s*bearer\b/i.test(error.challenge) && { bearer: {} }),
    ...(issuer !== undefined && { issuer }),
  };
  return {
    kind: "mcp",
    url: url.href,
    interfaces: Interfaces.Api,
    offers: ["tools that require credentials"],
    metadata: sanitizeMetadata({
      name: asString(resource?.resource_name),
      external_url: asString(resource?.resource_documentation),
      traits: ["api:mcp"],
      endpoints: [
        {
          name: endpointName("api:mcp"),
          endpoint: url.href,
          transport: mcpTransport("streamable-http", url.href),
          ...(Object.keys(authentication).length > 0 && { authentication }),
        },
      ],
    }),
  };
}

/** Reads the resource metadata (RFC 9728) from the URL in the challenge, else from the well-known URLs. */
async function readResource(
  url: URL,
  challenge: string,
  readJson: ReadJson,
): Promise<JsonObject | undefined> {
  const [, named] = /resource_metadata\s*=\s*"?([^",\s]+)/i.exec(challenge) ?? [];
  const wellKnown = "/.well-known/oauth-protected-resource";
  const path = url.pathname === "/" ? "" : url.pathname;
  const places = new Set(
    [named, `${wellKnown}${path}`, wellKnown].flatMap((place) =>
      place !== undefined && URL.canParse(place, url.href) ? [new URL(place, url).href] : [],
    ),
  );
  for (const place of places) {
    if (!isSameSite(new URL(place), url)) continue;
    const document = await readJson(new URL(place));
    const resource = asString(document?.resource);
    // RFC 9728, section 3.3, forbids the metadata of another resource. Compare origins, because many servers name
    // theirs.
    if (resource !== undefined && URL.canParse(resource) && new URL(resource).origin === url.origin)
      return document;
  }
  return undefined;
}

/**
 * Reads the metadata of an authorization server from the places of MCP 2026-07-28, in its order: RFC 8414, section 3.1,
 * and OpenID Connect Discovery with the path of the issuer inserted and appended. Ignores metadata of another issuer,
 * which would lead users to sign in elsewhere (RFC 8414, section 3.3).
 */
async function readServer(issuer: string, readJson: ReadJson): Promise<JsonObject | undefined> {
  if (!URL.canParse(issuer)) return undefined;
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, "");
  const openId = "/.well-known/openid-configuration";
  const places = [`/.well-known/oauth-authorization-server${path}`, openId + path, path + openId];
  for (const place of new Set(places)) {
    const document = await readJson(new URL(place, url));
    const named = asString(document?.issuer) ?? "";
    const isSame = URL.canParse(named) && new URL(named).href === url.href;
    if (isSame && asString(document?.authorization_endpoint) !== undefined) return document;
  }
  return undefined;
}
