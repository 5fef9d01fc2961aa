import { readFileSync } from "node:fs";
import { getHealthStatus, healthSchema } from "@app-registry/server/health";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../../../../docs/http-api.md", import.meta.url), "utf8");

it("docs/http-api.md describes every health problem with the same text", () => {
  const rows = [...page.matchAll(/^\|[^|]+\| `([\w-]+)` \| `(down|degraded)` \| (\d+) \|$/gm)];
  const documented = rows.map(([, code, status, http]) => [code, status, Number(http)]);
  const { code } = healthSchema.shape.problems.element.shape;
  const known = code.options.map((option) => {
    const status = getHealthStatus([{ code: option, message: "" }]);
    return [option, status, status === "down" ? 503 : 200];
  });
  expect(documented).toEqual(known);
  expect(getHealthStatus([])).toBe("ok");
});
