import type { JsonObject, JsonValue } from "@app-registry/sdk";
import { objectOf, textOf } from "./json.ts";

const WELL_KNOWN = "/.well-known/openid-configuration";

/** The names that A2A 1.0 gives to the kinds of schemes that OpenAPI and A2A 0.3 tell by `type`. */
const wrappers: Record<string, string> = {
  apiKeySecurityScheme: "apiKey",
  httpAuthSecurityScheme: "http",
  oauth2SecurityScheme: "oauth2",
  openIdConnectSecurityScheme: "openIdConnect",
  mtlsSecurityScheme: "mutualTLS",
};

/**
 * The `authentication` of an endpoint entry from security schemes, as OpenAPI 3, A2A 0.3 and A2A 1.0 write them: the
 * authorization code flow as `oauth2`, every scheme in `methods`, and the issuer that OpenID Connect names.
 */
export function authenticationOf(schemes: JsonValue | undefined): JsonObject | undefined {
  const methods = new Set<string>();
  let oauth2: JsonObject | undefined;
  let issuer: string | undefined;
  for (const written of Object.values(objectOf(schemes))) {
    const { type, scheme } = unwrapped(objectOf(written));
    const name = type === "http" ? textOf(scheme.scheme)?.toLowerCase() : type;
    if (name !== undefined) methods.add(name);
    oauth2 ??= type === "oauth2" ? codeFlowOf(scheme) : undefined;
    const configuration = type === "openIdConnect" ? textOf(scheme.openIdConnectUrl) : undefined;
    if (configuration?.endsWith(WELL_KNOWN)) issuer ??= configuration.slice(0, -WELL_KNOWN.length);
  }
  if (methods.size === 0) return undefined;
  return { ...(oauth2 && { oauth2 }), methods: [...methods], ...(issuer && { issuer }) };
}

function unwrapped(scheme: JsonObject): { type: string | undefined; scheme: JsonObject } {
  for (const [key, type] of Object.entries(wrappers)) {
    if (Object.hasOwn(scheme, key)) return { type, scheme: objectOf(scheme[key]) };
  }
  return { type: textOf(scheme.type), scheme };
}

function codeFlowOf(scheme: JsonObject): JsonObject | undefined {
  const { authorizationUrl, tokenUrl, scopes } = objectOf(objectOf(scheme.flows).authorizationCode);
  const [authorization, token] = [textOf(authorizationUrl), textOf(tokenUrl)];
  if (authorization === undefined || token === undefined) return undefined;
  const names = Object.keys(objectOf(scopes));
  return { authorizationUrl: authorization, tokenUrl: token, ...(names.length > 0 && { scopes: names }) };
}
