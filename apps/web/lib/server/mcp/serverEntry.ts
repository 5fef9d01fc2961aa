import {
  appPath,
  type EndpointLabel,
  MCP_ENDPOINT_NAME,
  outcomeSchema,
  type SearchResult,
  safeHref,
  toServerName,
  visibleText,
} from "@app-registry/sdk";
import { factNames, factTexts, getResultOutcomes } from "@app-registry/sdk/internal";
import { z } from "zod";
import { outwardStates } from "../../record/facts.ts";

const shortText = z.string().min(1).max(100);
const time = z.iso.datetime();

const statusSchema = z
  .enum(["active", "deprecated", "deleted"])
  .describe(
    "deprecated: the record is Deprecated or Replaced, or Control fails. deleted: the operator has hidden the service.",
  );
const messageSchema = z.string().max(500).optional();

const factSchema = z.object({
  outcome: outcomeSchema,
  question: z.string().describe("What the outcome answers: pass is yes, fail is no, unknown is not checked."),
  check: z.url().describe("Fact in the verification report, checked on request."),
  validUntil: time.optional().describe("When the last attestation expires."),
});

const recordSchema = z
  .object({
    did: z.string(),
    tokenId: z.string(),
    owner: z.string(),
    dataUrl: z.string(),
    dataHash: z.string(),
    verification: z.url().describe("Verification report with the evidence of each fact, checked on request."),
    facts: z.record(z.enum(factNames), factSchema).describe("Last known outcomes, from the search index."),
  })
  .describe("The service's record. The key is this registry's host in reverse-DNS order, then /record.");

/** Entry in the format of the MCP registry's API (its OpenAPI document of 2025-12-01). */
export const serverEntrySchema = z.object({
  server: z.object({
    $schema: z.url(),
    name: z.string().describe("The DID as a reverse-DNS name: the host reversed, a slash and the path."),
    title: shortText.optional().describe("The name that the publisher claims."),
    description: shortText,
    version: z.string().describe("major.minor.patch"),
    websiteUrl: z.url().optional().describe("The service's page in this registry, with its facts."),
    icons: z.array(z.object({ src: z.url().max(255) })).optional(),
    packages: z
      .array(z.looseObject({ registryType: z.string(), identifier: z.string() }))
      .optional()
      .describe("The record's packages that have a transport."),
    remotes: z
      .array(z.looseObject({ type: z.enum(["streamable-http", "sse"]), url: z.string() }))
      .optional()
      .describe("With inputs for its keys and tokens. Absent if the index has no copy of the document."),
  }),
  _meta: z
    .object({
      "io.modelcontextprotocol.registry/official": z.object({
        status: statusSchema,
        statusMessage: messageSchema.describe(
          "The publisher's reason and successor, the operator's reason, or that Control fails.",
        ),
        publishedAt: time.describe("When this version was published."),
        updatedAt: time.describe("When the record's version, status, holder or labels last changed."),
        isLatest: z.boolean().describe("No Active record of the DID has a higher version."),
      }),
    })
    // Typed as unknown, because TypeScript applies an index signature to every property.
    .catchall(recordSchema as z.ZodType<unknown>),
});

export const serverListSchema = z.object({
  servers: z.array(serverEntrySchema),
  metadata: z.object({
    count: z.int().describe("Number of entries on this page. Records without an MCP endpoint are left out."),
    nextCursor: z.string().optional().describe("Absent on the last page."),
  }),
});

export type ServerEntry = z.output<typeof serverEntrySchema>;
export type ServerList = z.output<typeof serverListSchema>;

type RequiredField =
  | "did"
  | "version"
  | "tokenId"
  | "owner"
  | "status"
  | "dataUrl"
  | "dataHash"
  | "updatedAt";

/** Data of an entry, from the index or from a version's own document. */
export type ListedServer = Pick<SearchResult, RequiredField> & Partial<Omit<SearchResult, "traitHashes">>;

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** Characters of a URL that RFC 3986 allows as they are. */
const PLAIN_URL = /^https:\/\/[\w.:-]+(?:\/(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$/;

/**
 * Returns the entry of a service, or `undefined` if it has no MCP endpoint. If `endpoints` is undefined, the service's
 * endpoints are unknown. For a hidden service, the entry contains only the operator's reason.
 */
export function serverEntry(
  listed: ListedServer,
  publicUrl: string,
  hiddenReason?: string,
): ServerEntry | undefined {
  const { did, version, packages } = listed;
  const endpoint = listed.endpoints?.find((entry) => entry.name === MCP_ENDPOINT_NAME);
  if (listed.endpoints && !endpoint) return undefined;
  const identity = { $schema: SCHEMA, name: toServerName(did), version };
  const times = {
    publishedAt: iso(listed.updatedAt),
    updatedAt: iso(listed.changedAt ?? listed.updatedAt),
    isLatest: listed.latest === true,
  };
  if (hiddenReason !== undefined) {
    const official = { status: "deleted" as const, statusMessage: short(hiddenReason, 500), ...times };
    return {
      server: { ...identity, description: "The operator of this registry has hidden this service." },
      _meta: { "io.modelcontextprotocol.registry/official": official },
    };
  }
  const title = short(listed.name ?? "") || short(did);
  const icon = safeHref(listed.image ?? "") ?? "";
  const outward = outwardStates[listed.facts?.control ?? "unknown"];
  const statusMessage = describeStatus(listed, outward.message);
  const registryHost = new URL(publicUrl).hostname.split(".").toReversed().join(".");
  return {
    server: {
      ...identity,
      title,
      description: short(listed.description ?? "") || title,
      websiteUrl: new URL(appPath(did), publicUrl).href,
      ...(PLAIN_URL.test(icon) && icon.length <= 255 ? { icons: [{ src: icon }] } : {}),
      ...(packages && { packages }),
      ...(endpoint && { remotes: [toRemote(endpoint)] }),
    },
    _meta: {
      "io.modelcontextprotocol.registry/official": {
        status: listed.status === 0 ? outward.mcpStatus : "deprecated",
        ...(statusMessage && { statusMessage }),
        ...times,
      },
      [`${registryHost}/record`]: toRecord(listed, publicUrl),
    },
  };
}

function toRecord(listed: ListedServer, publicUrl: string): z.output<typeof recordSchema> {
  const { did, version, tokenId, owner, dataUrl, dataHash, facts } = listed;
  const verification = new URL(`/api${appPath(did)}/v/${version}`, publicUrl).href;
  const outcomes = getResultOutcomes(listed);
  const until = facts?.attestedUntil;
  const entries = factNames.map((fact) => [
    fact,
    {
      outcome: outcomes[fact] ?? "unknown",
      question: factTexts[fact].question,
      check: `${verification}#/verification/facts/${fact}`,
      ...(fact === "attested" && until !== undefined && { validUntil: iso(until) }),
    },
  ]);
  return { did, tokenId, owner, dataUrl, dataHash, verification, facts: Object.fromEntries(entries) };
}

function describeStatus({ status, deprecation = "", replacedBy }: ListedServer, message = ""): string {
  if (status === 0) return message;
  const successor = status === 2 && replacedBy !== undefined ? `Replaced by ${replacedBy}. ` : "";
  return short(`${successor}${deprecation}`, 500);
}

/** Describes an endpoint with the keys and tokens that clients ask a person for. */
function toRemote({ endpoint, transport, credentials = [] }: EndpointLabel) {
  // Clients replace {names} in the URL, so escape those that belong to the address.
  let [url = ""] = endpoint.replaceAll("{", "%7B").replaceAll("}", "%7D").split("#");
  const isRequired = credentials.length === 1;
  const headers: object[] = [];
  let variables: object | undefined;
  for (const { in: place, name, description } of credentials) {
    const title = place === "bearer" ? "Bearer token" : `API key ${name}`;
    const key = { description: short(description ?? "") || title, isRequired, isSecret: true };
    if (place === "header") headers.push({ name, ...key });
    else if (place === "bearer") headers.push({ name, value: "Bearer {key}", variables: { key } });
    else if (place === "cookie") headers.push({ name: "Cookie", value: `${name}={key}`, variables: { key } });
    // A client can't leave out a part of the URL, so only a required key is one.
    else if (isRequired) {
      url += `${url.includes("?") ? "&" : "?"}${encodeURIComponent(name)}={key}`;
      variables = { key };
    }
  }
  return {
    ...{ type: transport === "sse" ? ("sse" as const) : ("streamable-http" as const), url },
    ...(headers.length > 0 && { headers }),
    ...(variables && { variables }),
  };
}

/** Returns true if no Active record of the DID has a higher version. */
export const isLatest = ({ _meta }: ServerEntry): boolean =>
  _meta["io.modelcontextprotocol.registry/official"].isLatest;

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Converts text of others to one visible line of at most `max` characters. */
function short(text: string, max = 100): string {
  const line = visibleText(text.replaceAll(/\s+/g, " "));
  return line.length > max ? `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}
