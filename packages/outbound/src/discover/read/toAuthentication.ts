import type { JsonObject, JsonValue } from "@app-registry/sdk";
import { asObject, asString } from "./json.ts";

const WELL_KNOWN = "/.well-known/openid-configuration";

/** Values of `type` in OpenAPI and A2A 0.3, by the name of the wrapper field in A2A 1.0. */
const wrappers: Record<string, string> = {
  apiKeySecurityScheme: "apiKey",
  httpAuthSecurityScheme: "http",
  oauth2SecurityScheme: "oauth2",
  openIdConnectSecurityScheme: "openIdConnect",
  mtlsSecurityScheme: "mutualTLS",
};

/**
 * Converts security schemes of OpenAPI 3, A2A 0.3 or A2A 1.0 to the `authentication` of an endpoint entry: the
 * authorization code flow as `oauth2`, every scheme in `methods`, and the OpenID Connect issuer.
 */
export function toAuthentication(schemes: JsonValue | undefined): JsonObject | undefined {
  const methods = new Set<string>();
  let oauth2: JsonObject | undefined;
  let issuer: string | undefined;
  for (const written of Object.values(asObject(schemes))) {
    const { type, scheme } = unwrapScheme(asObject(written));
    const name = type === "http" ? asString(scheme.scheme)?.toLowerCase() : type;
    if (name !== undefined) methods.add(name);
    oauth2 ??= type === "oauth2" ? findAuthorizationCodeFlow(scheme) : undefined;
    const configuration = type === "openIdConnect" ? asString(scheme.openIdConnectUrl) : undefined;
    if (configuration?.endsWith(WELL_KNOWN)) issuer ??= configuration.slice(0, -WELL_KNOWN.length);
  }
  if (methods.size === 0) return undefined;
  return { ...(oauth2 && { oauth2 }), methods: [...methods], ...(issuer && { issuer }) };
}

function unwrapScheme(scheme: JsonObject): { type: string | undefined; scheme: JsonObject } {
  for (const [key, type] of Object.entries(wrappers)) {
    if (Object.hasOwn(scheme, key)) return { type, scheme: asObject(scheme[key]) };
  }
  return { type: asString(scheme.type), scheme };
}

function findAuthorizationCodeFlow(scheme: JsonObject): JsonObject | undefined {
  const { authorizationUrl, tokenUrl, scopes } = asObject(asObject(scheme.flows).authorizationCode);
  const [authorization, token] = [asString(authorizationUrl), asString(tokenUrl)];
  if (authorization === undefined || token === undefined) return undefined;
  const names = Object.keys(asObject(scopes));
  return { authorizationUrl: authorization, tokenUrl: token, ...(names.length > 0 && { scopes: names }) };
}
