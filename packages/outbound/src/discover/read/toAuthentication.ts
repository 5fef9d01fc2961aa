import type { JsonObject, JsonValue } from "@app-registry/sdk";
import { asObject, asString } from "../../import/json.ts";

const WELL_KNOWN = "/.well-known/openid-configuration";

/** Values of `type` in OpenAPI and A2A 0.3, by the name of the wrapper field in A2A 1.0. */
const wrappers: Record<string, string> = {
  apiKeySecurityScheme: "apiKey",
  httpAuthSecurityScheme: "http",
  oauth2SecurityScheme: "oauth2",
  openIdConnectSecurityScheme: "openIdConnect",
  mtlsSecurityScheme: "mutualTLS",
};

/** Returns the name of a scheme or a parameter. A text with more digits may be a secret, which must not be published. */
const asName = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" && /^[\w-]{1,40}$/.test(value) && !/(?:\d\D*){5}/.test(value) ? value : undefined;

/**
 * Converts security schemes of OpenAPI 3, A2A 0.3 or A2A 1.0 to the `authentication` of an endpoint entry: the
 * authorization code flow as `oauth2`, the first API key, the first bearer token and the OpenID Connect issuer. The
 * names of other schemes, such as `basic`, are in `methods`. Omits descriptions, which may contain a secret.
 */
export function toAuthentication(schemes: JsonValue | undefined): JsonObject | undefined {
  const members: JsonObject = {};
  const methods = new Set<string>();
  for (const written of Object.values(Array.isArray(schemes) ? schemes : asObject(schemes)).map(asObject)) {
    const [wrapper] = Object.keys(written).filter((key) => Object.hasOwn(wrappers, key));
    const scheme = wrapper === undefined ? written : asObject(written[wrapper]);
    const type = wrapper === undefined ? written.type : wrappers[wrapper];
    const name = asName(type === "http" ? asString(scheme.scheme)?.toLowerCase() : type);
    if (name === undefined || /^no(?:ne|-?auth)$/i.test(name)) continue;
    const member = readMember(name, scheme);
    if (member !== undefined) members[name === "openIdConnect" ? "issuer" : name] ??= member;
    if (member === undefined || name === "openIdConnect") methods.add(name);
  }
  const others = [...methods].filter((name) => !Object.hasOwn(members, name));
  const authentication = { ...members, ...(others.length > 0 && { methods: others }) };
  return Object.keys(authentication).length > 0 ? authentication : undefined;
}

/** Reads a scheme as a member of `authentication`. Returns `undefined` if it has no such member. */
function readMember(name: string, scheme: JsonObject): JsonValue | undefined {
  if (name === "oauth2") {
    const { authorizationUrl, tokenUrl, scopes } = asObject(asObject(scheme.flows).authorizationCode);
    if (asString(authorizationUrl) === undefined || asString(tokenUrl) === undefined) return undefined;
    const names = Object.keys(asObject(scopes));
    return { authorizationUrl, tokenUrl, ...(names.length > 0 && { scopes: names }) } as JsonObject;
  }
  if (name === "bearer") {
    const format = asName(scheme.bearerFormat);
    return format === undefined ? {} : { format };
  }
  if (name === "apiKey") {
    const place = asString(scheme.in ?? scheme.location)?.toLowerCase();
    const parameter = asName(scheme.name);
    return place === undefined || parameter === undefined ? undefined : { in: place, name: parameter };
  }
  const configuration = name === "openIdConnect" ? asString(scheme.openIdConnectUrl) : undefined;
  return configuration?.endsWith(WELL_KNOWN) ? configuration.slice(0, -WELL_KNOWN.length) : undefined;
}
