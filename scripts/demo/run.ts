import { join } from "node:path";
import { createGuardedFetch, importMcp } from "@app-registry/outbound";
import { fillFromMcp } from "@app-registry/outbound/fill";
import { appPath, Interfaces, type Metadata, searchApps, verifyApp } from "@app-registry/sdk";
import { DEMO_PUBLISHER_INDEX, localAccount } from "../stack/accounts.ts";
import { localClient } from "../stack/client.ts";
import { rootDirectory, stopServices } from "../stack/processes.ts";
import { registerService } from "../stack/registerService.ts";
import { readStackUrls } from "../stack/state.ts";
import { startDidHost } from "./didHost.ts";
import { startEverythingServer } from "./everythingServer.ts";

/**
 * `pnpm demo`: registers the MCP project's own reference server, with what it really offers, under a did:web that a
 * web server on loopback proves, and verifies it.
 */
let stepNumber = 0;
function step(message: string): void {
  stepNumber += 1;
  console.log(`${String(stepNumber).padStart(2)}. ${message}`);
}

async function main(): Promise<void> {
  const urls = await readStackUrls();
  const account = localAccount(DEMO_PUBLISHER_INDEX);
  const client = await localClient(urls, account);

  step("Starting the reference MCP server over streamable HTTP");
  const { url } = await startEverythingServer(join(rootDirectory, ".local/demo"));
  const offer = await importMcp(url, { guardedFetch: createGuardedFetch({ allowLoopback: true }) });
  const { tools, resources, prompts } = offer;
  step(`Read from it: ${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`);

  const host = await startDidHost(account.address);
  step(`Serving the did.json of ${host.did}`);
  try {
    const texts = {
      name: "Everything MCP Server",
      description: "The reference server of the Model Context Protocol, which exercises every feature of it.",
      publisher: "Model Context Protocol",
      external_url: "https://github.com/modelcontextprotocol/servers",
      traits: ["api:mcp", "mcp", "reference"],
    };
    const metadata = fillFromMcp(texts, offer).metadata as Metadata;
    const version = { major: 1, minor: 0, patch: 0 };
    await registerService({
      client,
      webUrl: urls.webUrl,
      publisher: account.address,
      service: { did: host.did, version, interfaces: Interfaces.Api, metadata },
      onStep: step,
    });

    step("Verifying it, as any client can");
    const report = await verifyApp({ client, did: host.did, version });
    for (const [name, fact] of Object.entries(report.facts)) {
      console.log(`      ${fact.outcome.padEnd(8)} ${name.padEnd(13)} ${fact.reason}`);
    }

    step("Searching for api:mcp with the API interface");
    const { results } = await searchApps({
      baseUrl: urls.webUrl,
      traits: ["api:mcp"],
      interface: Interfaces.Api,
    });
    for (const { did, dataUrl } of results) console.log(`      ${did}  ${dataUrl}`);
    const found = results.some(({ did }) => did === host.did);
    const verified = Object.values(report.facts).every(({ outcome }) => outcome === "pass");
    if (!found || !verified) throw new Error("The service was not found or not verified");
    console.log(`\nRegistered, found and verified: ${new URL(appPath(host.did), urls.webUrl).href}`);
  } finally {
    await host.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await stopServices();
}
