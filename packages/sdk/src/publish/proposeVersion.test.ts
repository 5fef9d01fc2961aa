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

  it("asks for nothing while the documents are the same, in whatever order their keys are", () => {
    const { name, ...rest } = before;
    expect(proposed(before, { ...rest, name } as JsonObject)).toBeUndefined();
  });

  it.each<[string, JsonObject, string]>([
    ["a text", { ...before, description: "More." }, "patch"],
    ["a tool's description", server({ tools: [{ ...echo, description: "More." }], prompts }), "patch"],
    ["a tool more", server({ tools: [echo, { ...echo, name: "add" }], prompts }), "minor"],
    ["a list in another order", server({ tools: [echo], prompts, resources: [] }), "patch"],
    [
      "the endpoint's address",
      server({ tools: [echo], prompts, endpoint: "https://example.com/v2" }),
      "patch",
    ],
  ])("asks for a smaller step for %s", (_, after, part) => {
    expect(proposed(before, after)?.part).toBe(part);
  });

  it.each<[string, JsonObject, string]>([
    ["a tool less", server({ prompts }), "it was removed"],
    [
      "a tool that takes less",
      server({ tools: [{ ...echo, inputSchema: { type: "object" } }], prompts }),
      "message was removed",
    ],
    [
      "a prompt's argument that it requires now",
      server({ tools: [echo], prompts: [{ name: "ask", arguments: [{ name: "city", required: true }] }] }),
      "it now requires city",
    ],
    [
      "a tool that may destroy",
      server({ tools: [{ ...echo, annotations: { readOnlyHint: false } }], prompts }),
      "",
    ],
  ])("asks for a new major version for %s", (_, after, breaks) => {
    const start =
      breaks === "" ? server({ tools: [{ ...echo, annotations: { readOnlyHint: true } }], prompts }) : before;
    const proposal = proposed(start, after);
    expect(proposal?.part).toBe("major");
    expect(proposal?.changes.map((change) => change.breaks)).toContain(
      breaks || "its readOnlyHint is no longer true",
    );
  });

  it("asks for a new minor version for an interface more, and for a major one for an interface less", () => {
    expect(proposed(before, before, 3)?.part).toBe("minor");
    expect(proposed(before, before, 1)?.part).toBe("major");
  });

  it("tells two elements of one name apart", () => {
    const twice = server({ tools: [echo, echo], prompts });
    expect(proposed(twice, before)?.changes).toEqual([
      { kind: "tool", name: "echo (2)", change: "removed", breaks: "it was removed" },
    ]);
  });
});
