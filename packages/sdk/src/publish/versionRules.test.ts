import { describe, expect, it } from "vitest";
import type { VersionOrder } from "../client/app.ts";
import type { JsonObject } from "../json.ts";
import { formatVersion, parseVersion } from "../version.ts";
import {
  interfacesConflict,
  nextVersions,
  proposeVersion,
  type RegisteredRecord,
  versionConflict,
} from "./versionRules.ts";

interface State {
  latestMajor?: number;
  interfaces?: number;
  versionOrder?: VersionOrder;
  published?: string[];
}

function registered(
  version: string,
  {
    latestMajor = parseVersion(version).major,
    interfaces = 2,
    versionOrder = "rising",
    published = [],
  }: State = {},
) {
  const record: RegisteredRecord = {
    tokenId: 1n,
    version: parseVersion(version),
    status: 0,
    interfaces,
    dataUrl: "https://example.com/1.json",
    dataHash: "0x01",
    algorithm: 0,
    contractId: "",
    fungibleTokenId: "",
    hasTraits: true,
    versionOrder,
    published: published.map((text) => parseVersion(text)),
  };
  return { latestMajor, record };
}

describe("nextVersions", () => {
  it.each([
    ["1.2.3", 1, ["1.2.4", "1.3.0", "2.0.0"]],
    ["1.2.3", 4, ["1.2.4", "1.3.0", "5.0.0"]],
    ["1.2.255", 1, ["1.3.0", "2.0.0"]],
    ["255.255.255", 255, []],
  ])("for %s with latest major %i, returns %j", (version, latestMajor, next) => {
    const { record } = registered(version, { latestMajor });
    expect(Object.values(nextVersions(record, latestMajor)).map(formatVersion)).toEqual(next);
  });

  it.each([
    [
      "does not continue from a version after which none is left,",
      "1.255.255",
      "open",
      ["1.0.0", "1.2.0", "1.255.255"],
    ],
    ["skips published versions", "1.2.0", "lowered", ["1.0.0", "1.2.0", "1.255.255", "1.2.1", "1.3.0"]],
  ] as const)("%s after a reclaim", (_, version, versionOrder, published) => {
    const { record } = registered(version, { versionOrder, published: [...published] });
    const next = Object.values(nextVersions(record, 1)).map(formatVersion);
    expect(next).toEqual(versionOrder === "open" ? ["1.2.1", "1.3.0", "2.0.0"] : ["1.2.2", "1.4.0", "2.0.0"]);
  });
});

describe("versionConflict", () => {
  it.each([
    ["a first version", "7.1.0", { latestMajor: undefined, record: undefined }],
    ["the next major", "2.0.0", { latestMajor: 1, record: undefined }],
    ["a skipped older major", "0.1.0", { latestMajor: 3, record: undefined }],
    ["a higher patch", "1.2.4", registered("1.2.3")],
    [
      "a lower version after a reclaim",
      "1.0.1",
      registered("1.255.255", { versionOrder: "open", published: ["1.0.0", "1.255.255"] }),
    ],
  ])("returns undefined for %s", (_, version, state) => {
    expect(versionConflict(parseVersion(version), state)).toBeUndefined();
  });

  it("names the next major if one is skipped", () => {
    const state = { latestMajor: 1, record: undefined };
    expect(versionConflict(parseVersion("3.0.0"), state)).toContain("the next one is 2.0.0");
  });

  it.each(["1.2.3", "1.2.2", "1.1.9"])("names higher versions if %s is not above 1.2.3", (version) => {
    const conflict = versionConflict(parseVersion(version), registered("1.2.3"));
    expect(conflict).toContain(`${version} must be higher than the current version`);
    expect(conflict).toContain("1.2.4, 1.3.0, 2.0.0");
  });

  it("names available versions if this one was published before", () => {
    const published = ["1.0.0", "1.2.0", "1.255.255"];
    const conflict = versionConflict(
      parseVersion("1.2.0"),
      registered("1.255.255", { versionOrder: "open", published }),
    );
    expect(conflict).toContain("1.2.0 has already been published");
    expect(conflict).toContain("1.2.1, 1.3.0, 2.0.0");
  });

  it("allows only higher versions after a lower one was published", () => {
    const lowered = registered("1.0.1", { versionOrder: "lowered", published: ["1.0.0", "1.5.0", "1.0.1"] });
    expect(versionConflict(parseVersion("1.0.2"), lowered)).toBeUndefined();
    expect(versionConflict(parseVersion("1.0.0"), lowered)).toContain("has already been published");
    expect(versionConflict(parseVersion("1.5.0"), lowered)).toContain("has already been published");
  });

  it("states that no higher version is available after the highest", () => {
    const conflict = versionConflict(parseVersion("255.255.255"), registered("255.255.255"));
    expect(conflict).toContain("No higher version is available");
  });
});

describe("interfacesConflict", () => {
  it("returns undefined for the same interfaces, and for an added one with a higher minor", () => {
    expect(interfacesConflict(2, parseVersion("1.2.4"), registered("1.2.3"))).toBeUndefined();
    expect(interfacesConflict(3, parseVersion("1.3.0"), registered("1.2.3"))).toBeUndefined();
  });

  it("requires a higher minor for an added interface, and a new major for a removed one", () => {
    expect(interfacesConflict(3, parseVersion("1.2.4"), registered("1.2.3"))).toContain("1.3.0");
    const both = registered("1.2.3", { interfaces: 3 });
    expect(interfacesConflict(2, parseVersion("1.3.0"), both)).toContain("publish 2.0.0");
  });
});

const echo = { name: "echo", inputSchema: { type: "object", properties: { message: { type: "string" } } } };
const server = (fields: JsonObject): JsonObject => ({
  name: "Everything",
  endpoints: [{ name: "MCP", endpoint: "https://example.com/mcp", ...fields }],
});
const proposed = (before: JsonObject, after: JsonObject, interfaces = 2) =>
  proposeVersion({ metadata: before, interfaces: 2 }, { metadata: after, interfaces });

describe("proposeVersion", () => {
  const prompts: JsonObject[] = [{ name: "ask", arguments: [{ name: "city" }] }];
  const before = server({ tools: [echo], prompts });

  it("returns undefined for the same document with its keys in another order", () => {
    const { name, ...rest } = before;
    expect(proposed(before, { ...rest, name } as JsonObject)).toBeUndefined();
  });

  it.each<[string, JsonObject, string]>([
    ["a changed description", { ...before, description: "More." }, "patch"],
    [
      "a tool's changed description",
      server({ tools: [{ ...echo, description: "More." }], prompts }),
      "patch",
    ],
    ["an added tool", server({ tools: [echo, { ...echo, name: "add" }], prompts }), "minor"],
    ["an added empty list", server({ tools: [echo], prompts, resources: [] }), "patch"],
    [
      "the endpoint's changed URL",
      server({ tools: [echo], prompts, endpoint: "https://example.com/v2" }),
      "patch",
    ],
  ])("proposes a minor version or a patch for %s", (_, after, part) => {
    expect(proposed(before, after)?.part).toBe(part);
  });

  it.each<[string, JsonObject, string]>([
    ["a removed tool", server({ prompts }), "it was removed"],
    [
      "a tool that accepts less",
      server({ tools: [{ ...echo, inputSchema: { type: "object" } }], prompts }),
      "message was removed",
    ],
    [
      "a prompt argument that is now required",
      server({ tools: [echo], prompts: [{ name: "ask", arguments: [{ name: "city", required: true }] }] }),
      "it now requires city",
    ],
    [
      "a tool that is no longer read-only",
      server({ tools: [{ ...echo, annotations: { readOnlyHint: false } }], prompts }),
      "",
    ],
  ])("proposes a major version for %s", (_, after, breaks) => {
    const start =
      breaks === "" ? server({ tools: [{ ...echo, annotations: { readOnlyHint: true } }], prompts }) : before;
    const proposal = proposed(start, after);
    expect(proposal?.part).toBe("major");
    expect(proposal?.changes.map((change) => change.breaks)).toContain(
      breaks || "its readOnlyHint is no longer true",
    );
  });

  it("proposes a minor version for an added interface, and a major one for a removed interface", () => {
    expect(proposed(before, before, 3)?.part).toBe("minor");
    expect(proposed(before, before, 1)?.part).toBe("major");
  });

  it("distinguishes two tools with the same name", () => {
    const twice = server({ tools: [echo, echo], prompts });
    expect(proposed(twice, before)?.changes).toMatchObject([
      { kind: "tool", name: "echo (2)", change: "removed", breaks: "it was removed" },
    ]);
  });
});
