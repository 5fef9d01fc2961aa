import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { compareTools } from "./compareCapabilities.ts";

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
  it("returns same for the same lists in another order and with other _meta", () => {
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

  it("returns not-comparable for an entry without lists", () => {
    expect(compareTools({ name: "MCP" }, registered).outcome).toBe("not-comparable");
  });

  it.each<[string, JsonObject, string[]]>([
    [
      "an added tool",
      { ...registered, tools: [...(registered.tools as []), { name: "pay" }] },
      ["tool pay added"],
    ],
    ["a removed tool", { ...registered, tools: [add] }, ["tool echo removed"]],
    [
      "a second tool with the same name",
      { ...registered, tools: [add, add, { name: "echo", inputSchema: { type: "object" } }] },
      ["tool add (2) added"],
    ],
    [
      "changed annotations",
      { ...registered, prompts: [{ name: "greet", annotations: {} }] },
      ["prompt greet changed"],
    ],
    [
      "a list that is not registered",
      { ...registered, resourceTemplates: [{ uriTemplate: "x://{y}" }] },
      ["resource template x://{y} added"],
    ],
    [
      "changed instructions",
      { ...registered, instructions: "Use pay." },
      ["instructions instructions changed"],
    ],
    ["removed instructions", { ...registered, instructions: "" }, ["instructions instructions removed"]],
  ])("reports %s", (_, served, expected) => {
    expect(listChanges(served)).toEqual(expected);
  });

  it("reports a tool without canonical form as changed", () => {
    const served = {
      ...registered,
      tools: [
        { ...add, description: "\ud800" },
        { name: "echo", inputSchema: { type: "object" } },
      ],
    };
    expect(listChanges(served)).toEqual(["tool add changed"]);
  });

  it("reports added instructions", () => {
    const { instructions, ...without } = registered;
    expect(compareTools(without, registered).changes).toEqual([
      { kind: "instructions", name: "instructions", change: "added", diff: ['+ "Use add."'] },
    ]);
  });

  it("reports the differences within a schema, and the reason why callers break", () => {
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

  it("cuts long paths and lines", () => {
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

  it("reads nothing after the lines that it shows", () => {
    const from = Array.from({ length: 1_000 }, () => 0);
    const to = Array.from({ length: 1_000 }, () => 1);
    Object.defineProperty(to, 500, {
      get() {
        throw new Error("read");
      },
      enumerable: true,
    });
    const [change] = compareTools(
      { prompts: [{ name: "greet", from }] },
      { prompts: [{ name: "greet", from: to }] },
    ).changes;
    expect(change?.diff).toHaveLength(100);
    expect(change?.diff.at(-1)).toBe(" … and more lines");
  });

  it("shows at most 100 lines of all diffs, then one of each, if it is brief", () => {
    const tools = (value: string) =>
      Array.from({ length: 50 }, (_, at) => ({ name: `n${at}`, a: value, b: value, c: value }));
    const { changes } = compareTools({ tools: tools("x") }, { tools: tools("y") }, { brief: true });
    expect(changes).toHaveLength(50);
    expect(changes.flatMap(({ diff }) => diff).length).toBeLessThanOrEqual(100 + 50);
    expect(changes.every(({ change, diff }) => change === "changed" && diff.length > 0)).toBe(true);
  });

  it("compares schemas only of the changes that it shows in full, if it is brief", () => {
    const tools = (type: string) =>
      Array.from({ length: 150 }, (_, at) => ({ name: `n${at}`, inputSchema: { type } }));
    const compare = (options: object) =>
      compareTools({ tools: tools("object") }, { tools: tools("array") }, { brief: true, ...options })
        .changes;
    const broken = compare({}).filter(({ breaks }) => breaks !== undefined);
    expect(broken).toHaveLength(50);
    expect(broken.at(-1)).toMatchObject({ name: "n49", breaks: "its type changed" });
    expect(compare({ breaks: false }).filter(({ breaks }) => breaks !== undefined)).toEqual([]);
  });

  it("numbers tools with the same name in linear time", () => {
    const same = Array.from({ length: 50_000 }, () => ({ name: "add" }));
    const { changes } = compareTools({ tools: same.slice(1) }, { tools: same });
    expect(changes.map(({ name, change }) => `${name} ${change}`)).toEqual(["add (50000) added"]);
  }, 60_000);
});
