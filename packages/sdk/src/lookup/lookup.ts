import * as z from "zod/mini";
import { checkArguments } from "../arguments.ts";
import type { CanonicalDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { countSchema, described } from "../schemas.ts";
import { searchResultSchema } from "../search/searchResult.ts";
import { requestJson, type ServiceOptions } from "../service/requestJson.ts";
import { parseVersion, type VersionSelector } from "../version.ts";
import { parseSubject } from "./parseSubject.ts";

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

/** Service in a lookup's answer. */
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
