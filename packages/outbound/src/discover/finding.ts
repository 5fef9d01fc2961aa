import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import * as z from "zod";

/** Sources that describe a service, the most specific first. */
export const findingKinds = ["metadata", "mcp", "a2a", "openapi", "erc8004", "contract", "website"] as const;

export type FindingKind = (typeof findingKinds)[number];

/**
 * Schema of a part of a metadata JSON. It passes the object through, because a copy could lose fields of the dataHash.
 */
const metadataPartSchema = z
  .unknown()
  .refine((value) => isJsonObject(value), "is not an object")
  .meta({ type: "object", additionalProperties: true }) as unknown as z.ZodType<JsonObject, JsonObject>;

const urlVariableSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  value: z.string().optional().describe("The value used: the one you gave, else the default."),
});

/** Variable of a URL, which a person gives a value. */
export type UrlVariable = z.output<typeof urlVariableSchema>;

/** Description of a service from one document, server or contract, in the fields of the metadata JSON. */
const findingSchema = z.object({
  kind: z.enum(findingKinds),
  url: z.string().describe("Where it was read. For a contract, its did:pkh."),
  metadata: metadataPartSchema.describe("Metadata fields that it provides."),
  interfaces: z.int().min(0).max(7).describe("Interface bits that it indicates; 0 if unknown."),
  version: z.string().optional().describe("Version as major.minor.patch, if it has that form."),
  offers: z.array(z.string()).describe('Summary of what it offers, for example "13 tools".'),
  owner: z.string().optional().describe("For a contract, the account returned by owner()."),
  did: z
    .string()
    .optional()
    .describe("Its most likely DID, if it is on another site than the requested URL."),
  identifier: z.string().optional().describe("For an entry of a catalog, its identifier there."),
  variables: z
    .array(urlVariableSchema)
    .optional()
    .describe("Variables of the server's address. Without a value for each, the finding has no endpoint."),
  isUnchecked: z
    .boolean()
    .optional()
    .describe(
      "True if a document names the address and nothing answered there. Choose it only if it's yours.",
    ),
  described: z
    .object({ url: z.string(), metadata: metadataPartSchema })
    .optional()
    .describe("Texts and tools in the document that names the address, to choose from."),
  notes: z
    .array(z.string())
    .optional()
    .describe("Sentences for the publisher, for example about parts that were left out and why."),
});

export type Finding = z.output<typeof findingSchema>;

/** Requested location and its outcome. */
const discoveryAttemptSchema = z.object({
  place: z.string().describe("A URL, or a contract's CAIP-10 id."),
  lookedFor: z.string(),
  outcome: z
    .enum(["found", "absent", "failed"])
    .describe("absent: HTTP 404, or something of another kind. failed: no readable response, or refused."),
  reason: z.string().optional(),
  status: z.int().optional().describe("HTTP status, if it is the reason."),
});

export type DiscoveryAttempt = z.output<typeof discoveryAttemptSchema>;

/** Result of discovering a service from one address. */
export const discoverySchema = z.object({
  input: z.string().describe("The requested URL or DID."),
  dids: z
    .array(z.object({ did: z.string(), why: z.string() }))
    .describe("Possible canonical DIDs for the service, most likely first."),
  findings: z.array(findingSchema).describe("What was found, the address itself first. Each is one service."),
  needsChoice: z.boolean().optional().describe("True if it isn't clear which finding is meant. Ask first."),
  notes: z.array(z.string()).optional().describe("Sentences for the publisher about the address."),
  looked: z.array(discoveryAttemptSchema).describe("Every location that was checked."),
});

export type Discovery = z.output<typeof discoverySchema>;

/** Formats the length of a list with a noun: `1 tool`, `2 tools`. */
export const formatCount = (list: readonly unknown[], one: string): string =>
  `${list.length} ${one}${list.length === 1 ? "" : "s"}`;

/** Joins the first items of a list, and says how many more there are. */
export const formatFirst = (items: readonly string[], most = 3): string =>
  items.slice(0, most).join(", ") + (items.length > most ? ` and ${items.length - most} more` : "");

/** Description of the attempt at the entered address itself. */
export const ADDRESS_LOOK = "a document or a page";

export const MCP_SERVER = "an MCP server";

/** Returns why the entered address itself doesn't describe a service, or `undefined` if no reason is known. */
export function getOwnReason({ input, looked }: Pick<Discovery, "input" | "looked">): string | undefined {
  const own = looked.filter(({ place }) => place === input);
  const document = own.find(({ lookedFor }) => lookedFor === ADDRESS_LOOK) ?? own[0];
  // A server that refuses GET may still say why it refuses the request of an MCP client.
  const isPostOnly = document?.status === 405 || document?.status === 406;
  const server = own.find(({ lookedFor, outcome }) => lookedFor === MCP_SERVER && outcome === "failed");
  const { status, reason } = (isPostOnly ? server : undefined) ?? document ?? {};
  if (status === 421) return `${input} answers 421: the server refuses this host name.`;
  return status === undefined ? reason : `${input} answers ${status}.`;
}

/** Conventional paths of documents. The paths of one list are requested in order until one responds. */
export const wellKnownLocations: { lookedFor: string; paths: string[] }[] = [
  {
    lookedFor: "an MCP server card",
    paths: [
      "/.well-known/mcp/server-card.json",
      "/.well-known/mcp.json",
      "/.well-known/mcp-server-card",
      "/.well-known/mcp-server-card.json",
      "/mcp/server-card",
    ],
  },
  { lookedFor: "an agent card", paths: ["/.well-known/agent-card.json", "/.well-known/agent.json"] },
  {
    lookedFor: "an OpenAPI document",
    paths: ["/openapi.json", "/openapi.yaml", "/api/openapi.json", "/v3/api-docs"],
  },
  { lookedFor: "an agent's registration file", paths: ["/.well-known/agent-registration.json"] },
  { lookedFor: "an AI catalog", paths: ["/.well-known/ai-catalog.json"] },
  { lookedFor: "an API catalog", paths: ["/.well-known/api-catalog"] },
];

export const mcpPaths = ["/mcp", "/sse"];

/** Paths of the OpenAPI document and of the page that shows it in frameworks, requested where a host offers nothing else. */
export const frameworkLocation = {
  lookedFor: "an OpenAPI document",
  paths: [
    "/.well-known/openapi.json",
    "/swagger.json",
    "/documentation/json",
    "/doc",
    "/docs",
    "/api-docs/",
    "/api-docs.json",
    "/swagger/v1/swagger.json",
  ],
};

/** Returns true if the path is one of those usual for MCP servers. */
export const isMcpPath = ({ pathname }: URL): boolean => /\/(?:mcp|sse)\/?$/i.test(pathname);

/** Paths of documents, at which no MCP server responds. */
export const isDocument = /\/\.well-known\/|\/server-card$|\.(?:json|ya?ml|html?|txt|xml)$/i;

export const REGISTRATION_PATH = /\/agent-registration\.json$/;
