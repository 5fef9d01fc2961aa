import { createGuardedFetch, createProposal, discoverService, fillMetadata } from "@app-registry/outbound";
import { appPath, Interfaces, type Metadata, searchApps, verifyApp } from "@app-registry/sdk";
import { startDidHost } from "@app-registry/test-kit/didHost";
import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { DEMO_PUBLISHER_INDEX, localAccount } from "../stack/accounts.ts";
import { localClient, registerService } from "../stack/client.ts";
import { readStackUrls } from "../stack/state.ts";

/**
 * `pnpm demo`: Registers the MCP project's reference server with its real tools under a did:web of a loopback web
 * server, and verifies the service.
 */
let stepNumber = 0;
function step(message: string): void {
  stepNumber += 1;
  console.log(`${String(stepNumber).padStart(2)}. ${message}`);
}

async function main(): Promise<void> {
  const urls = await readStackUrls();
  const account = localAccount(DEMO_PUBLISHER_INDEX);

  step("Starting the reference MCP server over streamable HTTP");
  const [server, host] = await Promise.all([startEverythingServer(), startDidHost()]);
  const did = host.did(account.address);
  // Serve the endpoint below the DID's path, so that the fact Origin passes.
  const path = `/${did.split(":").at(-1)}/mcp`;
  host.forward(path, server.url);
  try {
    const guardedFetch = createGuardedFetch({ allowLoopback: true });
    const discovery = await discoverService(host.origin + path, { guardedFetch });
    step(`Read from it: ${discovery.findings[0]?.offers.join(", ")}`);

    step(`Serving the did.json of ${did}`);
    const texts = {
      name: "Everything MCP Server",
      description: "The reference server of the Model Context Protocol, which exercises every feature of it.",
      publisher: "Model Context Protocol",
      external_url: "https://github.com/modelcontextprotocol/servers",
      traits: ["api:mcp", "mcp", "reference"],
    };
    const metadata = fillMetadata(texts, createProposal(discovery).metadata).metadata as Metadata;
    await registerService(urls, account, { did, interfaces: Interfaces.Api, metadata }, step);

    step("Verifying it, as any client can");
    const report = await verifyApp({ client: await localClient(urls, account), did });
    for (const [name, fact] of Object.entries(report.facts)) {
      console.log(`      ${fact.outcome.padEnd(8)} ${name.padEnd(13)} ${fact.reason}`);
    }

    step("Searching for api:mcp with the API interface");
    const { results } = await searchApps({
      baseUrl: urls.webUrl,
      traits: ["api:mcp"],
      interface: Interfaces.Api,
    });
    for (const result of results) console.log(`      ${result.did}  ${result.dataUrl}`);
    const found = results.some((result) => result.did === did);
    const verified = Object.values(report.facts).every(({ outcome }) => outcome === "pass");
    if (!found || !verified) throw new Error("The service was not found or not verified");
    console.log(`\nRegistered, found and verified: ${new URL(appPath(did), urls.webUrl).href}`);
  } finally {
    await Promise.all([host.close(), server.stop()]);
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
