import { expect, it } from "vitest";
import { endpointName } from "./endpointName.ts";

it.each([
  ["api:mcp", "MCP"],
  ["api:a2a", "A2A"],
  ["api:rest", "REST"],
  ["api:soap", "soap"],
])("endpointName(%s) returns %s", (trait, name) => {
  expect(endpointName(trait)).toBe(name);
});
