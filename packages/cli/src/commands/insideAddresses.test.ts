import dns from "node:dns";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { type DnsServer, startDnsServer } from "@app-registry/test-kit/dnsServer";
import { OTHER_CHAIN_ID } from "@app-registry/test-kit/startChains";
import {
  createTestRegistry,
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  type TestRegistry,
} from "@app-registry/test-kit/testRegistry";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type CliFixture, createCliFixture } from "../../test/cliFixture.ts";
import { programs } from "../../test/programs.ts";
import { compileCache, runCli } from "../../test/runCli.ts";

/** Server in the user's network, on every address of this machine. It redirects to itself and counts connections. */
let inside: Server;
let port: number;
let connections = 0;
let fixture: CliFixture;
let registry: TestRegistry;
let nameServer: DnsServer;
let environment: Record<string, string>;
const nameServers = dns.getServers();

beforeAll(async () => {
  inside = createServer((_, response) => void response.writeHead(302, { location: "/secret" }).end());
  inside.on("connection", () => connections++);
  await new Promise<void>((resolve) => inside.listen(0, "::", resolve));
  port = (inside.address() as AddressInfo).port;
  nameServer = await startDnsServer();
  nameServer.putAddresses("inside.example", "127.0.0.1");
  fixture = await createCliFixture();
  registry = await createTestRegistry({ rpcUrl: inject("otherRpcUrl"), chainId: OTHER_CHAIN_ID });
  const file = await fixture.write("public.json", JSON.stringify(registry.deployment));
  environment = { DEPLOYMENT_FILE: file, RPC_URL: inject("otherRpcUrl") };
});
afterAll(async () => {
  nameServer.close();
  await fixture.close();
  inside.closeAllConnections();
  await new Promise((resolve) => inside.close(resolve));
});

/** Registers a service whose document, or whose server, is at an address in the user's network. */
async function register(origin: string, place: "dataUrl" | "endpoint"): Promise<string> {
  const url = `${origin}:${port}/mcp`;
  const endpoints = [
    { name: "MCP", endpoint: url },
    { name: "A2A", endpoint: url },
    { name: "REST", endpoint: url, schemaUrl: url },
  ];
  const metadata = restMetadata("Inside", { endpoints, image: url, traits: ["api:mcp"] });
  const { did, metadataJson, ...parameters } = mintParameters(newDid(), metadata);
  const stored = place === "endpoint" ? { metadataJson } : { metadataJson: "" };
  await registerApp(registry, { ...parameters, ...stored, did, dataUrl: url });
  return did;
}

// A name that resolves to an inside address, and an address. All spellings are tests of `@app-registry/outbound`.
const places = [
  ["dataUrl", "https://inside.example"],
  ["endpoint", "http://127.0.0.1"],
] as const;

// @threat services: A DID, host, name, redirect or record that leads to a private address
it.each(places)(
  "no command requests an inside address that a record has as its %s",
  async (place, origin) => {
    const did = await register(origin, place);
    const file = await fixture.writeMetadata("Next");
    const key = await fixture.newKey();
    connections = 0;
    dns.setServers([nameServer.address]);
    try {
      for (const args of [
        ["verify", did],
        ["verify", did, "--live"],
        ["probe", did],
        ["connect", did, "--without", "control,content,attested,origin"],
        ["get", did, "--metadata"],
        ["diff", file, "--did", did],
        ["publish", file, "--did", did, "--version", "1.0.1", "--dry-run", "--from", key.address],
        ["update", file, "--did", did, "--dry-run", "--from", key.address],
        ["attest", did, "--data-hash", "--dry-run", "--from", key.address],
        ["allowlist", "--client", "claude-code", "--did", did],
      ]) {
        const { code, stdout, stderr } = await runCli([...args, "--timeout", "5"], { environment });
        expect([code, stdout + stderr], args.join(" ")).not.toContain("hashes to");
        expect(connections, `${args.join(" ")}: ${code}`).toBe(0);
      }
    } finally {
      dns.setServers(nameServers);
    }
  },
);

it("no tool of the registry's MCP server requests an inside address of a record", async () => {
  const client = new Client({ name: "test", version: "1" });
  const command = { command: process.execPath, args: [programs.guard, "serve", "--timeout", "5"] };
  const transport = new StdioClientTransport({ ...command, env: { ...compileCache, ...environment } });
  await client.connect(transport, { timeout: 600_000 });
  connections = 0;
  for (const [place, origin] of places) {
    const did = await register(origin, place);
    for (const name of ["verify_service", "get_service", "how_to_connect"]) {
      await client.callTool({ name, arguments: { did } });
      expect(connections, `${name}, ${place}`).toBe(0);
    }
  }
  await client.close();
});

it("reaches the server in these tests, if nothing is guarded", async () => {
  connections = 0;
  await new Promise((resolve) => connectSocket(port, "127.0.0.1", () => resolve(undefined)).unref());
  expect(connections).toBe(1);
});
