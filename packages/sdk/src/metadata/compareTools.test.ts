import { describe, expect, it } from "vitest";
import type { JsonObject } from "../jsonValue.ts";
import { compareTools } from "./compareTools.ts";

const add = {
  name: "add",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
};
const registered: JsonObject = {
  name: "MCP",
  instructions: "Use add.",
  tools: [add, { name: "echo", inputSchema: { type: "object" } }],
  prompts: [{ name: "greet" }],
};
const listChanges = (served: JsonObject) =>
  compareTools(registered, served).changes.map(({ kind, name, change }) => `${kind} ${name} ${change}`);

describe("compareTools", () => {
  it("finds nothing in the same lists in another order, with other keys of _meta", () => {
    const served = {
      instructions: "Use add.",
      prompts: [{ name: "greet", _meta: { trace: 1 } }],
      tools: [
        { inputSchema: { type: "object" }, name: "echo" },
        { ...add, _meta: { cost: "low" } },
      ],
      resources: [],
    };
    expect(compareTools(registered, served)).toEqual({ outcome: "same", changes: [] });
  });

  it("can't compare an entry that lists nothing", () => {
    expect(compareTools({ name: "MCP" }, registered).outcome).toBe("not-comparable");
  });

  it.each<[string, JsonObject, string[]]>([
    [
      "a tool that came",
      { ...registered, tools: [...(registered.tools as []), { name: "pay" }] },
      ["tool pay added"],
    ],
    ["a tool that went", { ...registered, tools: [add] }, ["tool echo removed"]],
    [
      "a second tool of a name",
      { ...registered, tools: [add, add, { name: "echo", inputSchema: { type: "object" } }] },
      ["tool add (2) added"],
    ],
    [
      "annotations",
      { ...registered, prompts: [{ name: "greet", annotations: {} }] },
      ["prompt greet changed"],
    ],
    [
      "lists that aren't registered",
      { ...registered, resourceTemplates: [{ uriTemplate: "x://{y}" }] },
      ["resource template x://{y} added"],
    ],
    [
      "other instructions",
      { ...registered, instructions: "Use pay." },
      ["instructions instructions changed"],
    ],
    ["instructions that went", { ...registered, instructions: "" }, ["instructions instructions removed"]],
  ])("tells of %s", (_, served, expected) => {
    expect(listChanges(served)).toEqual(expected);
  });

  it("takes what has no canonical form for changed", () => {
    const served = {
      ...registered,
      tools: [
        { ...add, description: "\ud800" },
        { name: "echo", inputSchema: { type: "object" } },
      ],
    };
    expect(listChanges(served)).toEqual(["tool add changed"]);
  });

  it("tells which instructions came where none are registered", () => {
    const { instructions, ...without } = registered;
    expect(compareTools(without, registered).changes).toEqual([
      { kind: "instructions", name: "instructions", change: "added", diff: ['+ "Use add."'] },
    ]);
  });

  it("names what differs within a schema, and whether callers break", () => {
    const served = structuredClone(add) as JsonObject;
    served.inputSchema = { ...add.inputSchema, required: ["c"] };
    const { changes } = compareTools(registered, {
      ...registered,
      tools: [served, { name: "echo", inputSchema: { type: "object" } }],
    });
    expect(changes).toMatchObject([
      { name: "add", change: "changed", diff: ['+ inputSchema.required: ["c"]'] },
    ]);
    expect(changes[0]?.breaks).toBeTypeOf("string");
  });

  it("does not repeat a long path for each of its leaves", () => {
    const leaves = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`${at}`, 1]));
    const served = {
      ...registered,
      prompts: [{ name: "greet", ["k".repeat(400_000)]: leaves, emoji: "😀".repeat(400) }],
    };
    const from = { ...registered, prompts: [{ name: "greet", ["k".repeat(400_000)]: {}, emoji: "x" }] };
    const [change] = compareTools(from, served).changes;
    expect(change?.diff).toHaveLength(100);
    for (const line of change?.diff ?? [])
      expect([line.length <= 400, line.isWellFormed()]).toEqual([true, true]);
  });

  it("keeps a diff short, whatever a server sends", () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, "y".repeat(5_000)]));
    const [change] = compareTools(registered, {
      ...registered,
      prompts: [{ name: "greet", ...many }],
    }).changes;
    expect(change?.diff).toHaveLength(100);
    expect(Math.max(...(change?.diff ?? []).map(({ length }) => length))).toBeLessThanOrEqual(400);
  });

  it("numbers tools of one name in one pass", () => {
    const same = Array.from({ length: 200_000 }, () => ({ name: "add" }));
    const { changes } = compareTools({ tools: same.slice(1) }, { tools: same });
    expect(changes.map(({ name, change }) => `${name} ${change}`)).toEqual(["add (200000) added"]);
  });
});
