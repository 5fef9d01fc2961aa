import { describe, expect, it } from "vitest";
import { suggestDids } from "./namedSearch.ts";

describe("suggestDids", () => {
  it.each([
    ["https://api.example.co.uk/mcp", ["did:web:api.example.co.uk", "did:web:example.co.uk"]],
    ["https://example.com/", ["did:web:example.com"]],
    ["https://example.com:8443/", ["did:web:example.com%3A8443", "did:web:example.com"]],
    ["https://alice.github.io/agent.json", ["did:web:alice.github.io"]],
    [
      "https://hub.example.com/alice/tool/mcp",
      ["did:web:hub.example.com", "did:web:example.com", "did:web:hub.example.com:alice:tool"],
    ],
    ["https://example.com/.well-known/agent-card.json", ["did:web:example.com"]],
    ["http://localhost:3000/mcp", ["did:web:localhost%3A3000"]],
    ["https://192.0.2.1/mcp", []],
    ["https://example.com/a%2Fb/c", ["did:web:example.com"]],
  ])("suggests DIDs for %s, the most likely first", (url, dids) => {
    expect(suggestDids(new URL(url)).map(({ did }) => did)).toEqual(dids);
  });

  it("suggests the given DID first", () => {
    const [first, second] = suggestDids(new URL("https://example.com/team"), "did:web:example.com:team");
    expect([first?.did, second?.did]).toEqual(["did:web:example.com:team", "did:web:example.com"]);
  });
});
