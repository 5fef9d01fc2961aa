import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesFeed } from "./changesFeed.ts";
import { listServers } from "./mcpRegistry/listServers.ts";
import { readServer } from "./mcpRegistry/readServer.ts";
import { serverName } from "./mcpRegistry/serverName.ts";
import { route } from "./route.ts";
import { type RegistryFixture, startRegistry } from "./test/registryFixture.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry(18574);
}, 90_000);
afterAll(() => fixture.stop());

const ask = async (path: string) => {
  const request = new Request(`http://localhost${path}`);
  const url = new URL(request.url);
  const response = await route(async () => {
    if (path.startsWith("/feed")) return new Response(await changesFeed(url, fixture.registry, "atom"));
    const list = url.pathname === "/v0.1/servers";
    return Response.json(
      await (list ? listServers(url, fixture.registry) : readServer(request, fixture.registry)),
    );
  })(request);
  return { status: response.status, body: await response.json() };
};

describe("a view that needs the index", () => {
  it("says so while the index is away, instead of showing an empty registry", async () => {
    const { did } = await fixture.register();
    const name = encodeURIComponent(serverName(did) ?? "");
    for (const path of ["/v0.1/servers", `/v0.1/servers/${name}/versions/latest`, "/feed.atom"]) {
      const { status, body } = await ask(path);
      expect([status, body.code], path).toEqual([503, "index-unavailable"]);
    }
  });

  it.each([
    ["/v0.1/servers?limit=101", "limit"],
    ["/v0.1/servers?updated_since=yesterday", "updated_since"],
    ["/v0.1/servers?version=1", "version"],
    ["/feed.atom?limit=5", "limit"],
    ["/feed.atom?interface=9", "interface"],
  ])("names the wrong parameter of %s", async (path, parameter) => {
    const { status, body } = await ask(path);
    expect(status).toBe(400);
    expect(body.problems).toMatchObject([{ parameter }]);
  });

  it.each(["nobody", "com.Example%2Fx/versions", "com.example%2Fx/other", "%E0%A4%A%2Fx/versions"])(
    "knows no server of /v0.1/servers/%s",
    async (path) => {
      expect(await ask(`/v0.1/servers/${path}`)).toMatchObject({ status: 404, body: { code: "not-found" } });
    },
  );
});
