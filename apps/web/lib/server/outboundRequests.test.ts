import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../../packages/sdk/test/support/freePort.ts";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

/** The routes that ask what strangers name, as they run in public: without loopback. */
let fixture: RegistryFixture;
let server: ChildProcess;
let origin: string;
/** What stands on the server's own machine, and counts who comes. */
let inside: Server;
let insidePort: number;
let visitors = 0;

beforeAll(async () => {
  inside = createServer((_, response) => response.setHeader("content-type", "application/json").end("{}"));
  inside.on("connection", () => visitors++);
  // On every address of this machine, IPv6 too.
  await new Promise<void>((resolve) => inside.listen(0, resolve));
  insidePort = (inside.address() as AddressInfo).port;
  fixture = await startRegistry(await freePort());
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = fork(fileURLToPath(new URL("./test/apiProcess.ts", import.meta.url)), {
    env: { ...process.env, ...fixture.variables, ALLOW_LOOPBACK_DIDS: "false", PORT: String(port) },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await once(server, "message");
}, 180_000);
afterAll(async () => {
  server.kill();
  inside.close();
  await fixture.stop();
});
beforeEach(() => {
  visitors = 0;
});

const post = (path: string, body: unknown) =>
  fetch(`${origin}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const hosts = [
  "localhost",
  "127.0.0.1",
  "127.9.9.9",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "2130706433",
  "0177.0.0.01",
  "0x7f.1",
];
const urls = hosts.flatMap((host) => [`https://${host}`, `http://${host}`]);

describe("a public server opens no socket inside its own network", () => {
  it.each(["import/mcp", "import/agent-card"])("for what %s is told to read", async (path) => {
    for (const url of urls) {
      const response = await post(path, { url: `${url}:${insidePort}/` });
      expect(response.status, url).toBe(400);
      expect(await response.json()).toMatchObject({
        code: expect.stringMatching(/^(url-not-allowed|address-not-public)$/),
        retryable: false,
      });
    }
    expect(visitors).toBe(0);
  });

  it("for the did.json of a DID that verify-and-attest is told to check", async () => {
    for (const host of hosts) {
      const did = `did:web:${host.replaceAll(":", "%3A")}%3A${insidePort}`;
      const response = await post("verify-and-attest", { did, connectedAddress: wallet.address });
      expect([400, 422], did).toContain(response.status);
      expect(await response.json()).toMatchObject({ ok: false, status: "failed", txHashes: [] });
    }
    expect(visitors).toBe(0);
  });

  it("for the dataUrl of a record, whichever route reads it", async () => {
    for (const url of ["https://localhost", "http://127.0.0.1", "https://[::1]"]) {
      const { did } = await fixture.register({
        onChain: false,
        dataUrl: `${url}:${insidePort}/metadata.json`,
      });
      const served = await fetch(`${origin}/api/data-url/${did}/v/1.0.0`);
      expect(served.status).toBe(502);
      expect(await served.json()).toMatchObject({ code: "document-unreachable" });
      const app = await (await fetch(`${origin}/api/apps/${did}`)).json();
      expect(app).toMatchObject({ metadata: null, metadataProblem: { code: "document-unreachable" } });
      const attested = await post("verify-and-attest", {
        did,
        connectedAddress: wallet.address,
        requiredSchemas: ["data-hash"],
      });
      expect(await attested.json()).toMatchObject({ ok: false, code: "document-unreachable" });
    }
    expect(visitors).toBe(0);
  });
});
