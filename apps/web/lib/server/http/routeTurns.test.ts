import type { ServerResponse } from "node:http";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { attestRoutes, verifyRoutes } from "../control/controlRoutes.ts";
import { mcpRoute } from "../mcp/mcpRoute.ts";
import { recordRoutes } from "../records/recordRoutes.ts";
import type { Registry } from "../registry.ts";
import { provideRegistry, wallet } from "../test/registryFixture.ts";
import { unlimitedApi } from "../test/serve.ts";
import type { Route } from "./route.ts";

const fixture = provideRegistry();

function createAsk(routes: readonly Route[]) {
  const api = unlimitedApi(routes);
  return async (client: string, path: string, body?: object) =>
    api.request(path, {
      headers: {
        client,
        ...(body && { "content-type": "application/json", accept: "application/json, text/event-stream" }),
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
}

describe("a client that sends 200 searches at once", () => {
  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("delays another client's search by those that the index already has, and gets all answers", async () => {
    const arrived: string[] = [];
    let answer = () => {};
    const otherArrived = new Promise<void>((resolve) => {
      answer = resolve;
    });
    /** Returns the routes of a registry whose index answers once the other client's search has arrived. */
    const createClient = (name: string) => {
      const searchIndex: Registry["searchIndex"] = async (query, signal) => {
        arrived.push(name);
        if (name === "other") answer();
        await otherArrived;
        return fixture.registry.searchIndex(query, signal);
      };
      return createAsk(recordRoutes(() => ({ ...fixture.registry, searchIndex })));
    };
    const [many, other] = [createClient("many"), createClient("other")];
    const answers = Array.from({ length: 200 }, (_, page) =>
      many("192.0.2.1", `/api/search?limit=${(page % 100) + 1}`),
    );
    await expect.poll(() => arrived.length).toBeGreaterThan(0);
    expect((await other("192.0.2.2", "/api/search")).status).toBe(200);
    expect(arrived.indexOf("other")).toBeLessThan(30);
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("a client whose requests wait for a host that doesn't answer", () => {
  // @threat services: A host or an RPC endpoint that is down or slow
  it("is refused by every route that requests hosts, unlike another client", async () => {
    const held: ServerResponse[] = [];
    const host = await serveHttp((_, response) => void held.push(response));
    const { did } = await fixture.register();
    const { did: slow } = await fixture.register({ onChain: false, dataUrl: `${host}/metadata.json` });
    const ask = createAsk([
      ...recordRoutes(() => fixture.registry),
      ...verifyRoutes(() => fixture.registry),
      ...attestRoutes({ issuer: fixture.issuer, proofs: () => undefined }),
      mcpRoute(() => fixture.registry),
    ]);
    const waiting = Array.from({ length: 308 }, () => ask("192.0.2.3", "/api/verify", { dids: [slow] }));
    const call = { name: "get_service", arguments: { did } };
    const others: [path: string, body?: object][] = [
      ["/api/verify", { dids: [did] }],
      [`/api/apps/${did}`],
      [`/api/data-url/${did}/v/1.0.0`],
      ["/api/allowlist?client=vscode"],
      ["/api/verify-and-attest", { did, connectedAddress: wallet.address }],
      ["/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call }],
    ];
    for (const [path, body] of others) {
      expect(await (await ask("192.0.2.3", path, body)).text(), path).toContain("Too many services");
      expect(await (await ask("192.0.2.4", path, body)).text(), path).not.toContain("Too many services");
    }
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const release = setInterval(() => {
      for (const response of held.splice(0)) response.writeHead(404).end();
    }, 10);
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    clearInterval(release);
  });
});
