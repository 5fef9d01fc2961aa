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

/** UUID, or value after the name of a credential. */
const secret =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b(?:basic|bearer|key|password|secret|token)["'`:=\s]{1,4}(?!https?:)(?=\S{0,40}[\d=])\S{8}/i;

/** Returns a text of an import, or `undefined` if it may contain a secret, which must not become part of a record. */
export function readPublicText(value: JsonValue | undefined): string | undefined {
  const text = asString(value) ?? "";
  const hasKey = text.match(/\w{20,}/g)?.some((word) => /\d/.test(word) && /[a-z]/i.test(word));
  return text === "" || hasKey || secret.test(text) ? undefined : text;
}

/**
 * Converts security schemes of OpenAPI 3, A2A 0.3 or A2A 1.0 to the `authentication` of an endpoint entry: the
 * authorization code flow as `oauth2`, the first API key, the first bearer token and the OpenID Connect issuer. The
 * names of other schemes, such as `basic`, are in `methods`. Omits texts that may contain a secret.
 */
export function toAuthentication(schemes: JsonValue | undefined): JsonObject | undefined {
  const members: JsonObject = {};
  const methods = new Set<string>();
  for (const written of Object.values(Array.isArray(schemes) ? schemes : asObject(schemes))) {
    const { type, scheme } = unwrapScheme(asObject(written));
    const name = readPublicText(type === "http" ? asString(scheme.scheme)?.toLowerCase() : type);
    if (name !== undefined && /^no(?:ne|-?auth)$/i.test(name)) continue;
    const key = name === "openIdConnect" ? "issuer" : name;
    const member = readMember(key, scheme);
    if (key !== undefined && member !== undefined) members[key] ??= member;
    if (name !== undefined && (member === undefined || key === "issuer")) methods.add(name);
  }
  const others = [...methods].filter((name) => !Object.hasOwn(members, name));
  const authentication = { ...members, ...(others.length > 0 && { methods: others }) };
  return Object.keys(authentication).length > 0 ? authentication : undefined;
}

/** Reads a scheme as the member of `authentication` with this key. Returns `undefined` if it has no such member. */
function readMember(key: string | undefined, scheme: JsonObject): JsonValue | undefined {
  const description = readPublicText(scheme.description);
  const described = description !== undefined && { description };
  if (key === "oauth2") return findAuthorizationCodeFlow(scheme);
  if (key === "bearer") {
    const format = readPublicText(scheme.bearerFormat);
    return { ...(format !== undefined && { format }), ...described };
  }
  if (key === "apiKey") {
    const [place, name] = [
      asString(scheme.in ?? scheme.location)?.toLowerCase(),
      readPublicText(scheme.name),
    ];
    return place === undefined || name === undefined ? undefined : { in: place, name, ...described };
  }
  const configuration = key === "issuer" ? asString(scheme.openIdConnectUrl) : undefined;
  return configuration?.endsWith(WELL_KNOWN) ? configuration.slice(0, -WELL_KNOWN.length) : undefined;
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
