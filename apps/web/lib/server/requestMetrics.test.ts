import { expect, it } from "vitest";
import { toRouteLabel } from "./start.ts";

it.each([
  ["/", 200, "/"],
  ["/apps/did:web:example.com?v=1", 200, "/apps"],
  ["/api/search?q=github", 200, "/api/search"],
  ["/api/data-url/did:web:a.example/v/1.0.0", 502, "/api/data-url"],
  ["/v0.1/servers/x/versions", 200, "/v0.1/servers"],
  ["/_next/static/chunks/a.js", 200, "/_next"],
  // All unknown paths share one route label.
  ["/api/made-up-17", 404, "other"],
  ["/made-up-17", 404, "other"],
  [`/${"a".repeat(40)}`, 200, "other"],
  ["/api/search", 405, "other"],
])("toRouteLabel maps %s (%i) to %s", (target, status, route) => {
  expect(toRouteLabel(target, status)).toBe(route);
});
