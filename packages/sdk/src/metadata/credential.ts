import { isJsonObject } from "../json.ts";
import { visibleText } from "../visibleText.ts";

/** Credential that callers of an endpoint need, according to its record. */
export type Credential = {
  /** Sentences for the reader. */
  needs: string[];
  /** Header for the credential with a placeholder value, or undefined if none is declared. */
  header?: { name: string; value: string };
  /** True if OAuth 2 is declared, with which MCP clients sign in by themselves. */
  signsIn: boolean;
};

/** Methods whose header is standardised (RFC 6750, RFC 7617). */
const headerMethods: Record<string, string> = {
  basic: "Basic YOUR_CREDENTIALS",
  bearer: "Bearer YOUR_TOKEN",
  jwt: "Bearer YOUR_TOKEN",
};

const NONE = new Set(["", "none", "public", "anonymous"]);

/**
 * Name of an HTTP header or of a cookie. Of the characters that RFC 9110 allows, those that no shell and no client
 * expands: `X-$SECRET` would send a variable of the reader to the publisher.
 */
const plainToken = /^[\w.-]+$/;

/** Parses an endpoint's `authentication`: oauth2, bearer, apiKey, blockchain, or a list of methods. */
export function parseCredential(authentication: unknown): Credential {
  if (!isJsonObject(authentication)) return { needs: [], signsIn: false };
  const { oauth2, bearer, apiKey, blockchain, methods } = authentication;
  const credential: Credential = { needs: [], signsIn: isJsonObject(oauth2) };
  if (isJsonObject(oauth2)) {
    credential.needs.push(oauth2Need(oauth2));
    credential.header = { name: "Authorization", value: "Bearer YOUR_ACCESS_TOKEN" };
  }
  if (isJsonObject(bearer)) {
    credential.needs.push("Requires a bearer token.");
    credential.header ??= { name: "Authorization", value: "Bearer YOUR_TOKEN" };
  }
  if (isJsonObject(apiKey)) addApiKey(credential, apiKey);
  if (isJsonObject(blockchain)) credential.needs.push(blockchainNeed(blockchain));
  const named = toList(methods).filter(
    (method) => !NONE.has(method.toLowerCase()) && !Object.hasOwn(authentication, method),
  );
  const standard = named.find((method) => Object.hasOwn(headerMethods, method.toLowerCase()));
  if (named.length > 0 && !credential.signsIn) {
    const list = visibleText(named.join(", "));
    if (standard === undefined) {
      credential.needs.push(`Requires ${list}. The record doesn't say where to send the credential.`);
    } else {
      credential.needs.push(`Requires ${list}.`);
      credential.header ??= { name: "Authorization", value: headerMethods[standard.toLowerCase()] ?? "" };
    }
  }
  return credential;
}

function oauth2Need({ authorizationUrl, tokenUrl, scopes }: Record<string, unknown>): string {
  const at = parseHost(authorizationUrl) ?? parseHost(tokenUrl);
  const scope = toList(scopes);
  const signIn = at === undefined ? "" : ` You sign in at ${at}.`;
  const asked = scope.length === 0 ? "" : ` Requested scopes: ${visibleText(scope.join(", "))}.`;
  return `Requires an OAuth 2 access token.${signIn}${asked}`;
}

function addApiKey(credential: Credential, { in: place, name }: Record<string, unknown>): void {
  const isPlaced = typeof place === "string" && typeof name === "string";
  const part = place === "query" ? "query parameter" : place;
  const where = isPlaced ? ` in the ${visibleText(`${part} ${name}`)}` : "";
  credential.needs.push(`Requires an API key${where}.`);
  if (!isPlaced || !plainToken.test(name)) return;
  if (place === "header") credential.header ??= { name, value: "YOUR_API_KEY" };
  if (place === "cookie") credential.header ??= { name: "Cookie", value: `${name}=YOUR_API_KEY` };
}

function blockchainNeed({ chainId, contractAddress, requiredNFT }: Record<string, unknown>): string {
  const [chain] = toList([chainId]);
  const [held] = toList([requiredNFT]);
  const [contract] = toList([contractAddress]);
  const on = chain === undefined ? "" : ` on chain ${visibleText(chain)}`;
  const what = held ?? contract;
  const holding = what === undefined ? "" : ` that holds ${visibleText(what)}`;
  return `Requires an account${on}${holding}. The record doesn't say how the account signs in.`;
}

function parseHost(url: unknown): string | undefined {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host || undefined : undefined;
}

function toList(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item) =>
    (typeof item === "string" && item.trim() !== "") || typeof item === "number" ? [String(item)] : [],
  );
}
