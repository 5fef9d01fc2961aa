import { type Fact, normalizeDid, type Outcome, parseVersion } from "@app-registry/sdk";
import { factNames } from "@app-registry/sdk/internal";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { readServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { ConnectSection, EndpointPanel } from "./ConnectSection.tsx";

const did = normalizeDid("did:web:a.example");
const metadata = readServiceMetadata({
  platforms: { web: { launchUrl: "https://a.example/app" } },
  endpoints: [
    { name: "REST", endpoint: "https://a.example/v1" },
    { name: "MCP", endpoint: "https://a.example/mcp" },
  ],
  traits: ["api:rest", "api:mcp"],
});

function render(outcomes: { origin?: Outcome; live?: Outcome }, shown = metadata): string {
  const facts = factNames.map((name): [string, Fact] => {
    const outcome = outcomes[name as "origin" | "live"] ?? "pass";
    return [name, { outcome, reason: "", evidence: {} }];
  });
  const report = { did, facts: Object.fromEntries(facts) as Record<(typeof factNames)[number], Fact> };
  const record = { did, version: parseVersion("1.0.0") };
  const section = (
    <ConnectSection
      {...{ record, report, metadata: shown }}
      placeOf={() => undefined}
      publicUrl="https://registry.example"
      guardPackage="@app-registry/mcp@1.0.0"
    />
  );
  return renderToStaticMarkup(section).replace(/<[^>]*>/g, " ");
}

describe("ConnectSection", () => {
  it("begins with the guard's command, whatever the order of the endpoints", () => {
    const text = render({});
    const places = ["npx -y @app-registry/mcp@1.0.0 connect", "Open on the web", "curl https://a.example/v1"];
    const found = places.map((part) => text.indexOf(part));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
  });

  it("says why the guard does not connect, unless only the live check fails", () => {
    const refusal = "The guard does not connect to this service, because origin fails.";
    expect(render({ origin: "fail", live: "fail" })).toContain(refusal);
    expect(render({ live: "fail" })).not.toContain("does not connect");
    const withoutMcp = { ...metadata, endpoints: metadata.endpoints.slice(0, 1) };
    expect(render({ origin: "fail" }, withoutMcp)).not.toContain("does not connect");
  });
});

describe("EndpointPanel", () => {
  const renderPanel = (endpoint: object, of: string = did) =>
    renderToStaticMarkup(
      <EndpointPanel
        endpoint={{ apiTrait: "api:rest", ...endpoint }}
        did={of}
        publicUrl="https://r.example"
        tabs="x"
        placeOf={() => undefined}
      />,
    );

  it("shows no link and no copy button for a javascript: address", () => {
    const [endpoint, schemaUrl] = ["javascript:alert(1)", "javascript:alert(2)"];
    const html = renderPanel({ name: "<b>x</b>", endpoint, schemaUrl });
    expect(html).not.toContain("href");
    expect(html).not.toContain("Copy the address");
    expect(html).not.toContain("<b>x</b>");
  });

  it("treats an endpoint named Contract as an RPC only under a contract's DID", () => {
    const endpoint = { name: "Contract", endpoint: "https://login-stripe.example/v1" };
    expect(renderPanel(endpoint)).toContain("curl");
    expect(renderPanel(endpoint)).not.toContain("RPC");
    const contract = renderPanel(endpoint, `did:pkh:eip155:1:0x${"c0".repeat(20)}`);
    expect(contract).toContain("RPC and ABI");
    expect(contract).not.toContain("curl");
  });
});
