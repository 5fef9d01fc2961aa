import { appPath, MCP_ENDPOINT_NAME, type SearchResult, safeHref, toServerName } from "@app-registry/sdk";
import { z } from "zod";

const shortText = z.string().min(1).max(100);
const time = z.iso.datetime();

/** Entry in the format of the MCP registry's API (its OpenAPI document of 2025-12-01). */
export const serverEntrySchema = z.object({
  server: z.object({
    $schema: z.url(),
    name: z
      .string()
      .describe("The DID as a reverse-DNS name: host labels reversed, then a slash and the path."),
    title: shortText,
    description: shortText,
    version: z.string().describe("major.minor.patch"),
    websiteUrl: z.url().describe("The service's page in this registry, with its record and its facts."),
    icons: z.array(z.object({ src: z.url().max(255) })).optional(),
    remotes: z
      .array(z.object({ type: z.enum(["streamable-http", "sse"]), url: z.url() }))
      .optional()
      .describe("Absent if the search index has no copy of the version's document."),
  }),
  _meta: z.object({
    "io.modelcontextprotocol.registry/official": z.object({
      status: z.enum(["active", "deprecated"]).describe("deprecated: the record is Deprecated or Replaced."),
      publishedAt: time.describe("When this version was published."),
      updatedAt: time.describe("When the record's version, status, holder or labels last changed."),
      isLatest: z.boolean().describe("No Active record of the DID has a higher version."),
    }),
    "app-registry/record": z
      .object({
        did: z.string(),
        tokenId: z.string(),
        owner: z.string(),
        dataUrl: z.string(),
        dataHash: z.string(),
        verification: z
          .url()
          .describe(
            "URL of the verification report, checked on request: who controls the service, whether its document is unchanged and who attested it.",
          ),
      })
      .describe("The service's record in this registry."),
  }),
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

/** Data of an entry, from the index or from a version's own document. */
export type ListedServer = Pick<
  SearchResult,
  | "did"
  | "version"
  | "tokenId"
  | "owner"
  | "status"
  | "dataUrl"
  | "dataHash"
  | "name"
  | "description"
  | "image"
  | "updatedAt"
  | "changedAt"
  | "endpoints"
  | "latest"
>;

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/**
 * Returns the entry of a service, or `undefined` if it has no MCP endpoint or its DID has no valid MCP registry name.
 * If `endpoints` is undefined, the service's endpoints are unknown.
 */
export function serverEntry(listed: ListedServer, publicUrl: string): ServerEntry | undefined {
  const { did, version, tokenId, owner, dataUrl, dataHash } = listed;
  const name = toServerName(did);
  const endpoint = listed.endpoints?.find((entry) => entry.name === MCP_ENDPOINT_NAME);
  if (name === undefined || (listed.endpoints && !endpoint)) return undefined;
  const title = short(listed.name ?? did);
  const icon = safeHref(listed.image ?? "");
  const page = new URL(appPath(did), publicUrl).href;
  return {
    server: {
      $schema: SCHEMA,
      name,
      title,
      description: short(listed.description ?? "") || title,
      version,
      websiteUrl: page,
      ...(icon?.startsWith("https:") && icon.length <= 255 ? { icons: [{ src: icon }] } : {}),
      ...(endpoint && {
        remotes: [{ type: endpoint.transport === "sse" ? "sse" : "streamable-http", url: endpoint.endpoint }],
      }),
    },
    _meta: {
      "io.modelcontextprotocol.registry/official": {
        status: listed.status === 0 ? "active" : "deprecated",
        publishedAt: iso(listed.updatedAt),
        updatedAt: iso(listed.changedAt ?? listed.updatedAt),
        isLatest: listed.latest === true,
      },
      "app-registry/record": {
        did,
        tokenId,
        owner,
        dataUrl,
        dataHash,
        verification: new URL(`/api${appPath(did)}/v/${version}`, publicUrl).href,
      },
    },
  };
}

/** Returns true if no Active record of the DID has a higher version. */
export const isLatest = ({ _meta }: ServerEntry): boolean =>
  _meta["io.modelcontextprotocol.registry/official"].isLatest;

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Converts text to one line and truncates it to 100 characters. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 100 ? `${line.slice(0, 99).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}
