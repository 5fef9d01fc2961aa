import { describe, expect, it } from "vitest";
import { Interfaces } from "../recordEnums.ts";
import { checkPublishable } from "./checkPublishable.ts";

const web = "did:web:example.com";
const address = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
const pkh = `did:pkh:eip155:1:${address}`;
const about = { name: "Maps", description: "Maps of everywhere.", publisher: "Example Ltd" };
const human = {
  ...about,
  image: "https://example.com/icon.png",
  screenshotUrls: ["https://example.com/1.png"],
  platforms: { web: { launchUrl: "https://example.com" } },
};
const rest = {
  ...about,
  traits: ["api:rest"],
  endpoints: [{ name: "REST", endpoint: "https://example.com/v1" }],
};
const mcp = {
  ...rest,
  traits: ["api:mcp"],
  endpoints: [{ name: "MCP", endpoint: "https://example.com/mcp" }],
};
const a2a = {
  ...rest,
  traits: ["api:a2a"],
  endpoints: [{ name: "A2A", endpoint: "https://example.com/.well-known/agent-card.json" }],
};

/** Returns `pointer code` of each problem. */
function findProblems(...args: Parameters<typeof checkPublishable>): string[] {
  return checkPublishable(...args).map(({ pointer, code }) => `${pointer} ${code}`);
}

describe("checkPublishable, for every interface", () => {
  it("requires name, description and publisher, and lists each missing one", () => {
    expect(findProblems({}, 0, "")).toEqual(["/name missing", "/description missing", "/publisher missing"]);
    expect(findProblems({ ...about, name: " ", description: "", publisher: 1 }, 0, "")).toEqual([
      "/name missing",
      "/description missing",
      "/publisher wrong-type",
    ]);
  });

  it.each([null, [], "text", 1, undefined, true])(
    "rejects a document that is not an object: %j",
    (metadata) => {
      expect(findProblems(metadata, 1, web)).toEqual([" wrong-type"]);
    },
  );

  it("lists problems in several places at once", () => {
    const metadata = {
      ...rest,
      image: "javascript:alert(1)",
      traits: ["api:rest", "API:rest ", "b!"],
      endpoints: [{ name: "REST", endpoint: "https://example.com" }, { name: "Other" }, 5],
    };
    expect(findProblems(metadata, Interfaces.Api, web).sort()).toEqual([
      "/endpoints/1/endpoint missing",
      "/endpoints/2 wrong-type",
      "/image unsafe-url",
      "/traits/1 duplicate-trait",
      "/traits/2 invalid-trait",
    ]);
  });

  it("accepts 20 traits and rejects 21", () => {
    const traits = Array.from({ length: 21 }, (_, i) => (i === 0 ? "api:rest" : `t${i}`));
    expect(findProblems({ ...rest, traits: traits.slice(0, 20) }, 2, web)).toEqual([]);
    expect(findProblems({ ...rest, traits }, 2, web)).toEqual(["/traits too-many"]);
  });

  // @threat documents: JSON that parsers disagree about, or that loses members
  it("rejects values that canonical JSON can't represent", () => {
    const cyclic: Record<string, unknown> = { ...about };
    cyclic.self = cyclic;
    expect(findProblems(cyclic, 0, "")).toEqual([" not-json"]);
    expect(findProblems({ ...about, x: Number.NaN }, 0, "")).toEqual([" not-json"]);
    let deep: unknown = 1;
    for (let i = 0; i < 64; i++) deep = [deep];
    expect(findProblems({ ...about, deep }, 0, "")[0]).toMatch(/too-deep$/);
  });

  it("rejects a document above the size limit of verifiers", () => {
    expect(findProblems({ ...about, "x-note": "é".repeat(600_000) }, 0, "")).toEqual([" document-too-large"]);
  });

  it("rejects an invalid DID and a bitmap outside 1 to 7", () => {
    expect(findProblems(rest, 2, "example.com")).toEqual([" invalid-did"]);
    expect(findProblems(about, 8, web)).toEqual([" invalid-interfaces"]);
  });
});

describe("checkPublishable, for Human", () => {
  it("accepts an app with icon, screenshots and platforms", () => {
    expect(findProblems(human, Interfaces.Human, web)).toEqual([]);
  });

  it("requires icon, screenshots and platforms", () => {
    const required = ["/image missing", "/screenshotUrls missing", "/platforms missing"];
    expect(findProblems(about, Interfaces.Human, web)).toEqual(required);
    const empty = { ...human, screenshotUrls: [], platforms: {} };
    expect(findProblems(empty, Interfaces.Human, web)).toEqual(required.slice(1));
  });

  it("requires a launchUrl or downloadUrl for every platform", () => {
    const platforms = { web: {}, ios: { artifactDid: "did:web:a.b" }, "x/y": { downloadUrl: "https://a.b" } };
    expect(findProblems({ ...human, platforms }, Interfaces.Human, web)).toEqual([
      "/platforms/web/launchUrl missing",
      "/platforms/ios/downloadUrl missing",
    ]);
  });
});

describe("checkPublishable, for API", () => {
  it.each([rest, mcp, a2a])("accepts $traits", (metadata) => {
    expect(findProblems(metadata, Interfaces.Api, web)).toEqual([]);
  });

  it("accepts the earlier layout", () => {
    const metadata = { ...about, traits: ["api:rest"], endpoint: { url: "https://example.com/v1" } };
    expect(findProblems(metadata, Interfaces.Api, web)).toEqual([]);
  });

  it("requires an endpoint and an api trait", () => {
    const required = ["/traits missing-api-trait", "/endpoints missing-endpoint"];
    expect(findProblems(about, Interfaces.Api, web)).toEqual(required);
    expect(findProblems({ ...about, traits: ["api:", "maps"], endpoints: [] }, Interfaces.Api, web)).toEqual(
      required,
    );
  });

  it("does not count the contract's RPC as the API's endpoint", () => {
    const endpoints = [{ name: "Contract", endpoint: "https://rpc.example" }];
    expect(findProblems({ ...rest, endpoints }, 6, pkh)).toEqual(["/endpoints missing-endpoint"]);
  });

  it("requires exactly one endpoint named MCP for an MCP server", () => {
    const [entry] = mcp.endpoints;
    expect(findProblems({ ...mcp, endpoints: [{ ...entry, name: "mcp" }] }, 2, web)).toEqual([
      "/endpoints missing-mcp-endpoint",
    ]);
    expect(findProblems({ ...mcp, endpoints: [entry, entry, entry] }, 2, web)).toEqual([
      "/endpoints/1/name second-mcp-endpoint",
      "/endpoints/2/name second-mcp-endpoint",
    ]);
    const earlier = { ...about, traits: ["api:mcp"], endpoint: { url: "https://example.com/mcp" } };
    expect(findProblems(earlier, 2, web)).toEqual(["/endpoints missing-mcp-endpoint"]);
  });

  it("accepts an agent card at any path, but not at another kind of address", () => {
    const at = (endpoint: string) => findProblems({ ...a2a, endpoints: [{ name: "A2A", endpoint }] }, 2, web);
    for (const path of ["agents/7/card", "card.json", "?agent=7", ".well-known/agent.json"])
      expect(at(`https://example.com/${path}`)).toEqual([]);
    expect(at("wss://example.com/.well-known/agent-card.json")).toEqual([
      "/endpoints/0/endpoint not-an-agent-card",
    ]);
    expect(at("grpc://example.com/")).toEqual(["/endpoints/0/endpoint not-an-agent-card"]);
    const unnamed = [
      { name: "REST", endpoint: "https://example.com/v1" },
      { name: "Agent", endpoint: "https://example.com/team/.well-known/agent.json" },
    ];
    expect(findProblems({ ...a2a, endpoints: unnamed }, 2, web)).toEqual([]);
    const besideRest = [...a2a.endpoints, ...rest.endpoints];
    expect(findProblems({ ...a2a, endpoints: besideRest, traits: ["api:a2a", "api:rest"] }, 2, web)).toEqual(
      [],
    );
  });
});

describe("checkPublishable, for a successor", () => {
  it.each([
    ["eip155:1", "0x6b175474e89094c44da98b954eedeac495271d0f", []],
    ["eip155:1", "0x6B175474E89094C44Da98b954EedeAC495271d0F", []],
    ["eip155:1", "0x6B175474E89094C44Da98b954EedeAC495271d0f", ["/payments/0/payTo invalid-recipient"]],
    ["eip155:1", "somebody", ["/payments/0/payTo invalid-recipient"]],
    ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv", []],
    ["eip155:1", undefined, []],
  ])("accepts on %s only a recipient that is its address: %s", (chain, payTo, problems) => {
    const payments = [{ type: "x402", chains: [chain], ...(payTo && { payTo }) }];
    expect(findProblems({ ...rest, payments }, 2, web)).toEqual(problems);
  });

  it("rejects the service itself as its successor if the DID is known", () => {
    const metadata = { ...about, replacedBy: pkh };
    expect(findProblems(metadata, Interfaces.Contract, pkh)).toEqual(["/replacedBy own-successor"]);
    expect(findProblems({ ...about, replacedBy: web }, Interfaces.Contract, pkh)).toEqual([]);
  });
});

describe("checkPublishable, for Contract", () => {
  it("requires a did:pkh", () => {
    expect(findProblems(about, Interfaces.Contract, pkh)).toEqual([]);
    expect(findProblems(about, Interfaces.Contract, web)).toEqual([" not-a-did-pkh"]);
  });

  it("accepts an ABI without an RPC, and an RPC without an ABI", () => {
    for (const entry of [{ schemaUrl: "https://a.b/abi.json" }, { endpoint: "wss://rpc.example" }]) {
      expect(findProblems({ ...about, endpoints: [{ name: "Contract", ...entry }] }, 4, pkh)).toEqual([]);
    }
  });

  it("requires an optional contractId to name the contract of the DID", () => {
    const same = `eip155:1:0x${address.slice(2).toUpperCase()}`;
    expect(findProblems({ ...about, contractId: same }, 4, pkh)).toEqual([]);
    expect(findProblems(about, 4, pkh, { contractId: same })).toEqual([]);
    expect(findProblems(about, 4, pkh, { contractId: "" })).toEqual([]);
    expect(findProblems({ ...about, contractId: `eip155:5:${address}` }, 4, pkh)).toEqual([
      "/contractId contract-id-mismatch",
    ]);
    expect(findProblems(about, 4, pkh, { contractId: `eip155:5:${address}` })).toEqual([
      "/contractId contract-id-mismatch",
    ]);
    expect(findProblems({ ...about, contractId: 7 }, 4, pkh)).toEqual(["/contractId invalid-contract-id"]);
  });
});
