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

/** Server that the agent may use, with the endpoint in its verified document. */
type Choice = { did: string; endpoint: string };
/** Server that the agent must not use, with the reason. */
type Refusal = { did: string; reason: string };

/**
 * Searches a registry for MCP servers by traits, and verifies up to ten of them. Returns those to use and those to
 * refuse.
 *
 * @param traits Traits that the record must all have, such as `["weather"]`. `searchApps` also accepts `q`, a full-text
 * query.
 */
export async function pickMcpServers(
  registry: string,
  traits: readonly string[],
  guardedFetch: GuardedFetch,
) {
  // The registry's web service provides the contract addresses and an RPC endpoint. If you don't trust it, use your
  // own: createAppRegistryClient({ deployment, publicClient }).
  const client = await connectAppRegistry(registry);
  const { results } = await searchApps({ baseUrl: registry, traits: ["api:mcp", ...traits], limit: 10 });
  const choices: Choice[] = [];
  const refusals: Refusal[] = [];
  // Use only the DIDs of the search results. Everything else is read from the chain and verified below.
  for (const did of new Set(results.map((result) => result.did))) {
    try {
      choices.push({ did, endpoint: await verifiedEndpoint(did, client, guardedFetch) });
    } catch (error) {
      // Continue with the other records if one is invalid.
      refusals.push({ did, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { choices, refusals };
}

/**
 * Returns the MCP endpoint in a service's latest document.
 * @throws {Error} if a fact does not pass or none exists.
 */
async function verifiedEndpoint(did: string, client: AppRegistryClient, guardedFetch: GuardedFetch) {
  const report = await verifyApp({
    client,
    did,
    siteOf: getSite,
    fetchDocument: async (url, { signal }) => (await guardedFetch.fetchDocument(url, { signal })).text,
  });
  // Control: the holder controls the DID. Content: the document matches its hash. Attested: an issuer attests it.
  // Origin: its URLs belong to the DID's host. `unknown` is not a pass.
  for (const name of ["control", "content", "attested", "origin"] as const) {
    const { outcome, reason } = report.facts[name];
    if (outcome !== "pass") throw new Error(`${name}: ${outcome}. ${reason}`);
  }

  // Take the endpoint from the document that matches the registered hash, not from the search result.
  const record = await client.getVersionRecord({ did, version: parseVersion(report.version ?? "") });
  const { canonical } = await readRecordedDocument({ client, guardedFetch, record });
  const endpoints = getEndpoints(metadataSchema.parse(JSON.parse(canonical)));
  const address = endpoints.find(({ name }) => name === MCP_ENDPOINT_NAME)?.endpoint;
  if (address === undefined) throw new Error("Its document names no MCP endpoint.");
  return address;
}

/**
 * Connects to a server and lists the names of its tools. The guarded fetch reaches only public addresses, so a record
 * can't make the agent send requests to its own network. Its session limits the time and size of all requests together.
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
