import { type GuardedFetch, getSite, readRecordedDocument } from "@app-registry/outbound";
import {
  type AppRegistryClient,
  connectAppRegistry,
  getEndpoints,
  MCP_ENDPOINT_NAME,
  metadataSchema,
  parseVersion,
  searchApps,
  verifyApp,
} from "@app-registry/sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** A server that the agent may use, and where its verified document says it is. */
type Choice = { did: string; endpoint: string };
/** A server that the agent must not use, and why. */
type Refusal = { did: string; reason: string };

/**
 * Asks a registry for MCP servers by what they do, and sorts up to ten of them into those to use and those to refuse.
 *
 * @param traits The record must have all of them, such as `["weather"]`. `searchApps` also takes `q`, a full-text search.
 */
export async function pickMcpServers(
  registry: string,
  traits: readonly string[],
  guardedFetch: GuardedFetch,
) {
  // The registry's web service names the contracts and an RPC endpoint. If you don't trust it, name them yourself:
  // createAppRegistryClient({ deployment, publicClient }).
  const client = await connectAppRegistry(registry);
  const { results } = await searchApps({ baseUrl: registry, traits: ["api:mcp", ...traits], limit: 10 });
  const choices: Choice[] = [];
  const refusals: Refusal[] = [];
  // The search only proposes DIDs. Whatever else it says is checked below.
  for (const did of new Set(results.map((result) => result.did))) {
    try {
      choices.push({ did, endpoint: await verifiedEndpoint(did, client, guardedFetch) });
    } catch (error) {
      // One bad record must not keep the agent from the others.
      refusals.push({ did, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { choices, refusals };
}

/** The MCP address in the latest document of a service. @throws If a fact does not pass, or there is no such address. */
async function verifiedEndpoint(did: string, client: AppRegistryClient, guardedFetch: GuardedFetch) {
  const report = await verifyApp({
    client,
    did,
    siteOf: getSite,
    fetchDocument: async (url, { signal }) => (await guardedFetch.fetchDocument(url, { signal })).text,
  });
  // Does its holder control the DID? Is the document unchanged? Does an issuer attest it? Do its addresses lead to
  // the host that the DID names? `unknown` is not a pass.
  for (const name of ["control", "content", "attested", "origin"] as const) {
    const { outcome, reason } = report.facts[name];
    if (outcome !== "pass") throw new Error(`${name}: ${outcome}. ${reason}`);
  }

  // The address comes from the document that hashes to the record, not from the search result.
  const record = await client.getVersionRecord({ did, version: parseVersion(report.version ?? "") });
  const { canonical } = await readRecordedDocument({ client, guardedFetch, record });
  const endpoints = getEndpoints(metadataSchema.parse(JSON.parse(canonical)));
  const address = endpoints.find(({ name }) => name === MCP_ENDPOINT_NAME)?.endpoint;
  if (address === undefined) throw new Error("Its document names no MCP endpoint.");
  return address;
}

/**
 * Connects to a server and lists the names of its tools. The guarded fetch reaches public addresses only, so no record
 * can lead the agent into its own network. Its session limits the time and size of all requests together.
 */
export async function listTools(endpoint: string, guardedFetch: GuardedFetch): Promise<string[]> {
  const { fetch, close } = guardedFetch.openSession();
  const mcp = new Client({ name: "agent-picks-mcp-server", version: "1.0.0" });
  try {
    await mcp.connect(new StreamableHTTPClientTransport(new URL(endpoint), { fetch }));
    const { tools } = await mcp.listTools();
    return tools.map(({ name }) => name);
  } finally {
    await mcp.close();
    close();
  }
}
