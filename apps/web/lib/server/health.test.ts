import { readFileSync } from "node:fs";
import { getHealthStatus, healthSchema } from "@app-registry/server/health";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../../../../docs/http-api.md", import.meta.url), "utf8");

it("docs/http-api.md describes every health problem with the same text", () => {
  const rows = [...page.matchAll(/^\|[^|]+\| `([\w-]+)` \| `(down|degraded)` \|$/gm)];
  const documented = rows.map(([, code, status]) => [code, status]);
  const { code } = healthSchema.shape.problems.element.shape;
  const known = code.options.map((option) => [option, getHealthStatus([{ code: option, message: "" }])]);
  expect(documented).toEqual(known);
  expect(getHealthStatus([])).toBe("ok");
});
