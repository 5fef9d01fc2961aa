import {
  appPath,
  dataUrlPath,
  endpointName,
  livePath,
  type SearchResult,
  toServerName,
  visibleText,
} from "@app-registry/sdk";
import { getDidHost } from "@app-registry/sdk/internal";
import { z } from "zod";
import { outwardStates } from "../../record/facts.ts";
import { serverEntry } from "../mcpRegistry/serverEntry.ts";

/** Media types of entries by the trait of the services. Every other service has the type of its document. */
export const ardTypes = {
  "api:mcp": "application/mcp-server-card+json",
  "api:a2a": "application/a2a-agent-card+json",
};
export const DOCUMENT_TYPE = "application/json";

const SERVER_CARD = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

const attestationSchema = z.object({
  type: z.string().describe("app-registry/ and the fact that passes, such as app-registry/control."),
  uri: z.url().describe("Record with its verification, the document itself, or the live checks."),
  mediaType: z.string(),
  digest: z.string().optional().describe("sha256: or keccak-256: and the hash of the document at `uri`."),
});

/** Entry in the format that ARD 0.9, ARD 0.91 and AI Catalog 1.0 share. Texts are claims of the publisher. */
export const ardEntrySchema = z.object({
  identifier: z.string().describe("urn:air:, the host of the DID, the kind and the name."),
  displayName: z.string(),
  type: z.string(),
  url: z.url().optional().describe("URL of the agent card or of the registered document."),
  data: z.looseObject({}).optional().describe("MCP server card, instead of `url`."),
  description: z.string().optional(),
  tags: z.array(z.string()),
  version: z.string(),
  updatedAt: z.iso.datetime(),
  publisher: z.object({ identifier: z.string(), displayName: z.string() }).describe("What is proven."),
  metadata: z.object({ dataHash: z.string(), dataHashAlgorithm: z.enum(["keccak256", "sha256"]) }),
  trustManifest: z.object({
    identity: z.string().describe("The DID."),
    identityType: z.literal("did"),
    attestations: z.array(attestationSchema),
  }),
});

export type ArdEntry = z.output<typeof ardEntrySchema>;

/**
 * Returns the entry of a search result, of one of `types`. Returns `undefined` if the DID has no host or control does
 * not pass, because the identifier claims the host.
 */
export function toArdEntry(
  result: SearchResult,
  publicUrl: string,
  types?: readonly string[],
): ArdEntry | undefined {
  const { did, version, dataHash, facts, proven } = result;
  const host = getDidHost(did);
  const path = toServerName(did)?.split("/")[1];
  if (
    !facts ||
    !outwardStates[facts.control ?? "unknown"].isListed ||
    host === undefined ||
    path === undefined
  )
    return undefined;
  const name = clean(result.name ?? "", 100) || proven.name;
  const description = clean(result.description ?? "", 1_000);
  const toUrl = (path: string) => new URL(path, publicUrl).href;
  const document = toUrl(dataUrlPath(did, version));
  const server = serverEntry({ ...result, name, description }, publicUrl)?.server;
  const card = result.endpoints?.find((endpoint) => endpoint.name === endpointName("api:a2a"));
  const data = server && { ...server, $schema: SERVER_CARD };
  const contents = [
    ...(data ? [{ kind: "mcp", type: ardTypes["api:mcp"], data }] : []),
    ...(card ? [{ kind: "a2a", type: ardTypes["api:a2a"], url: card.endpoint }] : []),
    ...(server || card ? [] : [{ kind: "service", type: DOCUMENT_TYPE, url: document }]),
  ];
  const content = contents.find(({ type }) => types === undefined || types.includes(type));
  if (!content) return undefined;
  const { kind, ...delivered } = content;
  const dataHashAlgorithm = result.dataHashAlgorithm === 1 ? "sha256" : "keccak256";
  const digest = `${dataHashAlgorithm.replace("keccak", "keccak-")}:${dataHash.slice(2)}`;
  const record = toUrl(`/api${appPath(did, version)}`);
  const live = toUrl(livePath(did, version));
  const attestations = Object.entries({ control: record, content: document, attested: record, live })
    .filter(([fact]) => facts[fact as keyof typeof facts] === "pass")
    .map(([fact, uri]) => ({
      type: `app-registry/${fact}`,
      uri,
      mediaType: "application/json",
      ...(fact === "content" && { digest }),
    }));
  return {
    identifier: ["urn:air", host, kind, path].join(":"),
    displayName: name,
    ...delivered,
    ...(description && { description }),
    tags: result.traits,
    version,
    updatedAt: new Date(result.updatedAt * 1_000).toISOString(),
    publisher: { identifier: did, displayName: proven.name },
    metadata: { dataHash, dataHashAlgorithm },
    trustManifest: { identity: did, identityType: "did", attestations },
  };
}

const clean = (text: string, length: number): string => visibleText(text.slice(0, length).toWellFormed());
