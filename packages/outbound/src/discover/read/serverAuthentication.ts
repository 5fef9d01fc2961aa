import type { JsonObject } from "@app-registry/sdk";
import { asArray, asObject, asObjectArray, asString, asStringArray, camelCase } from "./json.ts";
import { readPublicText, toAuthentication } from "./toAuthentication.ts";

/** Headers of the protocol itself. */
const protocolHeaders = /^(?:accept|content-type|mcp-[a-z-]+)$/i;

/**
 * Converts what an MCP server card says about credentials to the `authentication` of an endpoint entry: the required
 * headers of a remote, `authentication` as a word, `{ type }` or `{ required, schemes }`, and `securitySchemes`.
 *
 * @returns The authentication, and a note with the other required headers.
 */
export function toServerAuthentication(
  card: JsonObject,
  remote: JsonObject,
): { authentication: JsonObject; notes: string[] } {
  const written = remote.authentication ?? remote.auth ?? card.authentication ?? card.auth;
  const { type, scheme, required, ...declared } = camelCase(asObject(written));
  const authentication: JsonObject = {
    ...toAuthentication(declared.securitySchemes ?? card.securitySchemes),
  };
  const headers = asObjectArray(asArray(remote.headers).slice(0, 100)).map(camelCase);
  const methods = new Set(asStringArray(authentication.methods));
  const words = [written, type === "http" ? scheme : type, ...asArray(declared.schemes).slice(0, 20)];
  for (const item of required === false ? [] : words) {
    const word = asString(item) ?? (item === written ? undefined : asString(asObject(item).type));
    const name = word?.toLowerCase().replace(/[^a-z\d]/g, "") ?? "none";
    const header = /bearer/.test(name) ? "Authorization" : (declared.header ?? declared.headerName);
    if (header && /^(?:(?:http)?bearer(?:token)?|apikey|header)$/.test(name)) {
      headers.push({ name: header, isSecret: true, description: declared.description ?? "" });
    } else if (!/^(?:none|public|open|anonymous)$/.test(name)) {
      const method = readPublicText(word?.slice(0, 100));
      if (method !== undefined) methods.add(method);
    }
  }
  const others: string[] = [];
  for (const { name: written, isSecret = false, isRequired = isSecret, ...header } of headers) {
    const name = asString(written) ?? "";
    if (isRequired !== true || !/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) || protocolHeaders.test(name))
      continue;
    const value = asString(header.value) ?? asString(header.placeholder) ?? "";
    const description = readPublicText(header.description);
    const described: JsonObject = description === undefined ? {} : { description };
    if (/^authorization$/i.test(name) && !value.startsWith("{")) {
      if (/^basic\b/i.test(value)) methods.add("basic");
      else authentication.bearer ??= described;
    } else if (!authentication.apiKey && (isSecret === true || /auth|key|secret|token/i.test(name))) {
      authentication.apiKey = { in: "header", name, ...described };
    } else others.push(name);
  }
  const [issuer = authentication.issuer] = asStringArray(declared.authorizationServers);
  if (methods.size > 0) authentication.methods = [...methods];
  if (issuer) authentication.issuer = issuer;
  const note = `Callers must also send these headers: ${others.join(", ")}.`;
  return { authentication, notes: others.length > 0 ? [note] : [] };
}
