import { describe, expect, it, onTestFinished } from "vitest";
import { startEverythingServer } from "../../test/everythingServer.ts";
import { createGuardedFetch } from "../guardedFetch.ts";
import { discoverService } from "./discoverService.ts";
import { discoverySchema } from "./finding.ts";
import { proposalOf } from "./proposalOf.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };

describe("discoverService", () => {
  it("reads all that a real MCP server lists", async () => {
    const server = await startEverythingServer();
    onTestFinished(() => server.stop());
    const discovery = await discoverService(server.url, source);
    expect(discoverySchema.parse(discovery)).toEqual(discovery);
    const [finding] = discovery.findings;
    expect(finding).toMatchObject({ kind: "mcp", url: server.url, interfaces: 2 });
    expect(finding?.offers).toEqual([
      expect.stringMatching(/^\d+ tools$/),
      expect.stringMatching(/^\d+ resources$/),
      expect.stringMatching(/^\d+ resource templates$/),
      expect.stringMatching(/^\d+ prompts$/),
    ]);
    expect(finding?.metadata).toMatchObject({
      traits: ["api:mcp"],
      endpoints: [
        {
          name: "MCP",
          endpoint: server.url,
          transport: { http: { url: server.url, method: "POST" } },
          instructions: expect.any(String),
          resourceTemplates: expect.arrayContaining([
            expect.objectContaining({ uriTemplate: expect.any(String) }),
          ]),
        },
      ],
    });
    const { metadata, missing, proposed } = proposalOf(discovery);
    expect(missing).toEqual([]);
    expect(proposed).toEqual(["/description", "/publisher"]);
    expect(metadata.publisher).toBe(new URL(server.url).host);
  });
});
