import * as z from "zod/mini";
import { checkArguments } from "./arguments.ts";
import { caip10Schema } from "./caip.ts";
import { type CanonicalDid, InvalidDidError, parseDid } from "./did.ts";
import { AppRegistryError, withoutKey } from "./errors/appRegistryError.ts";
import { isLocalhostName } from "./local.ts";
import { parseLocation } from "./origin.ts";
import { requestJson, type ServiceOptions } from "./requestJson.ts";
import { countSchema, described } from "./schemas.ts";
import { searchResultSchema } from "./search/searchResult.ts";
import { parseServerName } from "./toServerName.ts";
import { parseVersion, parseVersionSelector, type VersionSelector } from "./version.ts";

/**
 * Subject that a person names: a service, an address of one, or an account. `text` is its normalized spelling, by which
 * subjects are compared.
 */
export type Subject =
  | { kind: "did"; text: string; did: CanonicalDid; version?: VersionSelector }
  /** Address of a service. `named` is the DID if the text is also a name in the MCP registry's form. */
  | { kind: "url"; text: string; named?: CanonicalDid }
  /** Host, also as the URL of its root, with its port unless it is 443. `did` is the DID of the whole host. */
  | { kind: "domain"; text: string; did: CanonicalDid }
  /** Contract or other account: a CAIP-10 id, or an address without its chain. Lower case on EVM chains. */
  | { kind: "account"; text: string }
  /** Token of the registry; decimal. */
  | { kind: "token"; text: string; tokenId: string };

/** Thrown when a text names nothing that a registry can look up. */
export class InvalidSubjectError extends AppRegistryError {
  override readonly name = "InvalidSubjectError";
  readonly input: string;

  constructor(input: string, reason: string) {
    super(reason, { docsPath: "/verify" });
    this.input = withoutKey(input);
  }
}

/** Longest text that is parsed, in UTF-16 code units. */
const MAX_SUBJECT = 2_048;

/**
 * Parses what a person names a service by: a DID with or without a version (`<did>@1.2`, `<did>/v/1.2.3`), a URL, a
 * domain with or without port and path, a contract's address, an account id (CAIP-10) or a token id (`#12`).
 *
 * Normalizes as a URL parser does, and removes one trailing slash. A name in the form of the MCP registry
 * (`com.example/weather`) may also be a host with a path: it is read as an address, and `named` is its DID.
 *
 * @throws {InvalidSubjectError} for any other text.
 * @throws {InvalidDidError | InvalidVersionError} for a text that begins with `did:`.
 * @example
 * parseSubject("HTTPS://Example.com:443/mcp/"); // { kind: "url", text: "https://example.com/mcp" }
 */
export function parseSubject(input: string): Subject {
  const text = typeof input === "string" ? input.trim() : "";
  if (text.length > MAX_SUBJECT) throw new InvalidSubjectError(input, "This text is too long.");
  if (/^did:/i.test(text)) return parseVersionedSubject(text);
  if (/^#\d{1,78}$/.test(text)) return { kind: "token", text, tokenId: text.slice(1) };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const url = parseUrl(input, text);
    return parseRoot(url.text) ?? url;
  }
  const account = parseAccount(text);
  if (account !== undefined) return { kind: "account", text: account };
  return parseWithoutScheme(input, text);
}

/** Parses `<did>`, `<did>@<version>` or `<did>/v/<version>`. The version may omit the minor and patch numbers. */
function parseVersionedSubject(text: string): Subject {
  const separator = /@|\/v\//.exec(text);
  const { did } = parseDid(separator ? text.slice(0, separator.index) : text);
  if (!separator) return { kind: "did", text: did, did };
  const version = text.slice(separator.index + separator[0].length);
  return { kind: "did", text: `${did}/v/${version}`, did, version: parseVersionSelector(version) };
}

/** Returns an account in lower case if its chain's addresses have no case, or `undefined` for another text. */
function parseAccount(text: string): string | undefined {
  if (/^0x[0-9a-f]{40}$/i.test(text)) {
    return parseDid(`did:pkh:eip155:1:${text}`).did.slice("did:pkh:eip155:1:".length);
  }
  if (/^eip155:/i.test(text)) return parseDid(`did:pkh:${text}`).did.slice("did:pkh:".length);
  // A host with a port has one colon.
  return caip10Schema.safeParse(text).success ? text : undefined;
}

function parseUrl(input: string, url: string): Extract<Subject, { kind: "url" }> {
  const text = normalizeAddress(url);
  if (text === undefined) throw new InvalidSubjectError(input, "This isn't the address of a service.");
  const { username, password } = new URL(url);
  if (username || password) {
    throw new InvalidSubjectError("", "Remove the user name and password from the URL.");
  }
  return { kind: "url", text };
}

/** Parses the root of a host as its domain, at the scheme with which a domain is looked up. */
function parseRoot(url: string): Subject | undefined {
  const [, scheme, host = "", port] = /^(https?):\/\/([^/?:]+)(?::(\d+))?$/.exec(url) ?? [];
  if (scheme === undefined || (scheme === "http" && !isLocalhostName(host))) return undefined;
  try {
    return parseDomain(host, port);
  } catch (error) {
    if (error instanceof InvalidDidError) return undefined;
    throw error;
  }
}

function parseDomain(host: string, port: string | undefined): Subject {
  const { did } = parseDid(`did:web:${host}${port === undefined ? "" : `%3A${port}`}`);
  return { kind: "domain", text: did.slice("did:web:".length).replace("%3A", ":"), did };
}

const FORMS =
  "Use a DID, a URL, a domain, a contract's address, an account id (CAIP-10) or a token id such as #12.";

function parseWithoutScheme(input: string, text: string): Subject {
  const [, host = "", port, rest = ""] = /^([^\s/?#@:]+)(?::(\d+))?([/?#]\S*)?$/.exec(text) ?? [];
  const isHost = /^[^.].*\.[^.]/.test(host) || isLocalhostName(host.toLowerCase()) || port !== undefined;
  if (!isHost) throw new InvalidSubjectError(input, FORMS);
  if (rest.replace(/^\/$/, "") !== "") {
    const named = parseServerName(text);
    const url = parseUrl(input, `${isLocalhostName(host.toLowerCase()) ? "http" : "https"}://${text}`);
    return named === undefined ? url : { ...url, named };
  }
  try {
    return parseDomain(host, port);
  } catch (error) {
    if (!(error instanceof InvalidDidError)) throw error;
    throw new InvalidSubjectError(
      input,
      error.code === "ip-address"
        ? "Write an IP address as a URL, such as http://127.0.0.1:3000/mcp."
        : error.reason,
    );
  }
}

/**
 * Lists the addresses that a subject means, as `normalizeAddress` spells them: that of a URL, and of a domain its root.
 * An account, a token and a DID have none.
 */
export function listSubjectAddresses({ kind, text }: Subject): string[] {
  if (kind === "url") return [text];
  if (kind !== "domain") return [];
  const schemes = isLocalhostName(text.replace(/:\d+$/, "")) ? ["https", "http"] : ["https"];
  return schemes.map((scheme) => `${scheme}://${text}`);
}

/**
 * Returns the spelling by which addresses are compared: scheme, host and port as the URL standard writes them, without
 * fragment, user name and one trailing slash. Path and query stay as they are. Returns `undefined` for a text that is
 * not the URL of a host.
 *
 * @example
 * normalizeAddress("https://Example.com:443/mcp/?a=B#c"); // "https://example.com/mcp?a=B"
 */
export function normalizeAddress(url: string): string | undefined {
  const location = parseLocation(url);
  if (!location) return undefined;
  const { protocol, port, pathname, search } = new URL(url);
  return `${protocol}//${location.host}${port && `:${port}`}${pathname.replace(/\/$/, "")}${search}`;
}

/** Uses by which a record names a subject, the most direct first. */
export const lookupUses = [
  "did",
  "token",
  "endpoint",
  "launch",
  "payment",
  "payTo",
  "contract",
  "schema",
  "website",
] as const;

/** Reasons why a service only claims a subject. */
export const claimReasons = {
  uncontrolled: "No account controls its DID now.",
  account: "It names this account, which doesn't control it.",
  address: "Its DID doesn't prove this address.",
} as const;

const lookupMatchSchema = z.object({
  service: searchResultSchema,
  uses: described(
    z.array(z.enum(lookupUses)),
    "How the record names the subject. did and token: the subject is the record itself.",
  ),
  reason: described(z.optional(z.string()), "Of a claim: why it isn't proven."),
});

export type LookupMatch = z.output<typeof lookupMatchSchema>;

/** Answer of `GET /api/lookup`. */
export const lookupSchema = z.object({
  subject: z.object({
    kind: z.enum(["did", "url", "domain", "account", "token"]),
    text: described(z.string(), "The normalized spelling that was looked up."),
  }),
  exact: described(
    z.array(lookupMatchSchema),
    "Services whose DID proves the subject, as the fact origin defines it, while control passes.",
  ),
  claimed: described(
    z.array(lookupMatchSchema),
    "Services that list the subject without proof. Anyone can list any address.",
  ),
  near: described(
    z.array(lookupMatchSchema),
    "If none is exact: other services under DIDs of the same host or site, or with this name in the MCP registry's form. None has the subject.",
  ),
  block: described(countSchema, "Block that the answer reflects."),
});

export type Lookup = z.output<typeof lookupSchema>;

export type FindServicesParameters = ServiceOptions & {
  /** DID, URL, domain, contract, account or token id: see {@link parseSubject}. */
  subject: string;
};

/**
 * Looks up the services that a URL, domain, account, token or DID belongs to (`GET /api/lookup`).
 *
 * This trusts the registry's web service to name every record, as a search does. `verifyApp` checks the DID of an
 * answer on the chain.
 *
 * @throws {InvalidSubjectError | InvalidDidError | InvalidVersionError} before anything is sent.
 * @throws {ServiceError} when the service refuses.
 * @throws {ServiceUnavailableError} when the service does not respond like a registry.
 * @throws {TimeLimitError} when the service does not respond in time.
 * @example
 * const { exact, claimed } = await findServices({ baseUrl, subject: "https://example.com/mcp" });
 */
export async function findServices({ baseUrl, timeoutMs, subject }: FindServicesParameters): Promise<Lookup> {
  checkArguments("baseUrl subject timeoutMs?", { baseUrl, subject, timeoutMs });
  parseSubject(subject);
  const query = new URLSearchParams({ subject });
  return requestJson({ baseUrl, timeoutMs }, `/api/lookup?${query}`, lookupSchema);
}

/** Thrown when an address leads to no single service. */
export class LookupError extends AppRegistryError {
  override readonly name = "LookupError";
  readonly code: "not-registered" | "claimed-only" | "ambiguous";

  constructor(code: LookupError["code"], shortMessage: string, action: string) {
    super(shortMessage, { action, docsPath: "/verify" });
    this.code = code;
  }
}

/**
 * Returns the one service that an answer names: its DID, and the highest major among its records that have the subject.
 * Active records come before others, and those that have it as an endpoint or launch address before those that link to it.
 *
 * @throws {LookupError} if no service proves the subject, or several do.
 * @example
 * const service = chooseService(await findServices({ baseUrl, subject: "https://example.com/mcp" }));
 * service.version.major; // 1
 */
export function chooseService(found: Lookup): { did: CanonicalDid; version: VersionSelector } {
  const { exact, claimed, near } = found;
  const text = JSON.stringify(found.subject.text);
  const prefer = (matches: LookupMatch[], isPreferred: (match: LookupMatch) => boolean) => {
    const preferred = matches.filter(isPreferred);
    return preferred.length > 0 ? preferred : matches;
  };
  const active = prefer(exact, ({ service }) => service.status === 0);
  const services = prefer(active, ({ uses }) => uses.includes("endpoint") || uses.includes("launch")).map(
    ({ service }) => service,
  );
  const dids = [...new Set(services.map(({ did }) => did))];
  if (dids.length > 1) {
    const named = dids
      .slice(0, 5)
      .map((did) => JSON.stringify(did))
      .join(", ");
    throw new LookupError("ambiguous", `Several services have ${text}: ${named}.`, "Name one by its DID.");
  }
  const [did] = dids;
  if (did !== undefined) {
    const majors = services.map(({ version }) => parseVersion(version).major);
    return { did: did as CanonicalDid, version: { major: Math.max(...majors) } };
  }
  if (claimed.length > 0) {
    const services = claimed.length === 1 ? "1 record lists" : `${claimed.length} records list`;
    throw new LookupError(
      "claimed-only",
      `No registered service proves ${text}. ${services} it, and anyone can.`,
      "Don't take a claim for the service.",
    );
  }
  const others =
    near.length === 0
      ? "Whoever controls it can register it."
      : `Under the same host or site, ${near.length === 1 ? "1 other record is" : `${near.length} other records are`} registered.`;
  throw new LookupError("not-registered", `No registered service has ${text}.`, others);
}
