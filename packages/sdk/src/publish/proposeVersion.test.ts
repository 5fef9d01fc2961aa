import { describe, expect, it } from "vitest";
import type { JsonObject } from "../jsonValue.ts";
import { proposeVersion } from "./proposeVersion.ts";

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
