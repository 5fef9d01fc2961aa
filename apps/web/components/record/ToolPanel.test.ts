import { describe, expect, it } from "vitest";
import { schemaTree } from "./ToolPanel.tsx";

describe("schemaTree", () => {
  it("returns properties with type, requirement, description and constraints", () => {
    const [city, days] = schemaTree({
      type: "object",
      required: ["city"],
      properties: {
        city: { type: "string", description: "Name of the city", minLength: 1 },
        days: { type: "integer", minimum: 1, maximum: 7, default: 3 },
      },
    });
    expect(city).toEqual({
      name: "city",
      type: "string",
      required: true,
      description: "Name of the city",
      notes: ["at least 1 characters"],
      children: [],
    });
    expect(days?.required).toBe(false);
    expect(days?.notes).toEqual(["1 to 7", "default 3"]);
  });

  it("returns the properties of an array's items", () => {
    const [points] = schemaTree({
      properties: {
        points: { type: "array", items: { type: "object", properties: { x: { type: "number" } } } },
      },
    });
    expect(points?.type).toBe("array of object");
    expect(points?.children.map((child) => child.name)).toEqual(["x"]);
  });

  it("returns variants and enumerations", () => {
    const [unit, value] = schemaTree({
      properties: {
        unit: { enum: ["c", "f"] },
        value: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
    });
    expect(unit?.notes).toEqual(['one of "c", "f"']);
    expect(value?.type).toBe("one of");
    expect(value?.children.map((child) => child.type)).toEqual(["string", "null"]);
  });

  it("returns an empty list without properties and for an invalid schema", () => {
    expect(schemaTree({ type: "object", properties: {} })).toEqual([]);
    expect(schemaTree("text")).toEqual([]);
    expect(schemaTree(null)).toEqual([]);
  });

  it("stops at a fixed depth", () => {
    let schema: Record<string, unknown> = { type: "string" };
    for (let level = 0; level < 40; level++) schema = { type: "object", properties: { next: schema } };
    let depth = 0;
    for (let nodes = schemaTree(schema); nodes[0]; nodes = nodes[0].children) depth++;
    expect(depth).toBe(6);
  });
});
